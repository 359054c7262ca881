import { UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { matches } from "../policy/patterns";
import { createPolicy } from "../policy/policy";
import { shown } from "../policy/policy-resource";
import { withStacks } from "../policy/settings";

const LOCATION = "use a provider and a region such as aws/eu-central-1; * matches any characters";

export const regionsAllowed = createPolicy({
  name: "regions-allowed",
  level: "disabled",
  description: "Services are created only in allowed regions.",
  reason: "The location of data determines which law applies to it, and a service cannot be moved later.",
  settings: withStacks({
    allowed: z
      .array(z.string(LOCATION).regex(/^[^/]+\/[^/]+$/, LOCATION), "use a list of providers and regions")
      .default([])
      .describe("The allowed providers and regions, such as aws/eu-* or gcp/europe-west4."),
  }),
  settingsProblem: ({ allowed, byStack = {} }) =>
    allowed.length > 0 || Object.values(byStack).some((override) => override.allowed?.length)
      ? undefined
      : "allowed is empty; list the allowed providers and regions",
  resourceTypes: ["Service"],
  evaluate(resource, { values, origin }, context) {
    // Without a list for this stack, every region is allowed.
    if (values.allowed.length === 0) return;
    const [provider, region] = ["provider", "region"].map((name) => context.read(resource, name) as string | undefined);
    const isUnknown = ["provider", "region"].some((name) => resource.inputs[name] === UNKNOWN);
    const isUndeclared = !isUnknown && (provider === undefined || region === undefined);
    // An unknown half may be anything: then the other half decides, if it can.
    const isAllowed = values.allowed.some((location) => {
      const [providers = "", regions = ""] = location.split("/");
      return matches(providers, provider ?? providers) && matches(regions, region ?? regions);
    });
    if (isAllowed && !isUndeclared) return;
    const problem = isUndeclared
      ? `it does not declare both provider and region${resource.isCreated ? "" : ", which the API does not return"}`
      : `it is in ${shown(resource, "provider", provider ?? "?")}/${shown(resource, "region", region ?? "?")}`;
    context.reportViolation(resource, `${problem}; choose one of ${values.allowed.join(", ")}, ${origin("allowed")}.`);
  },
  good: {
    settings: { allowed: ["aws/eu-*"] },
    resources: [{ type: "Service", name: "analytics", args: { provider: "aws", region: "eu-central-1" } }],
  },
  bad: {
    settings: { allowed: ["aws/eu-*"] },
    resources: [{ type: "Service", name: "analytics", args: { provider: "aws", region: "us-east-1" } }],
  },
});
