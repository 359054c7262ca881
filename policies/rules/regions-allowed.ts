import { UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { matches, withStacks } from "../policy/settings";

const PLACE = "use a provider and a region such as aws/eu-central-1; * stands for any text";

export const regionsAllowed = createPolicy({
  name: "regions-allowed",
  level: "disabled",
  description: "Services are created only where the settings allow it.",
  reason: "Where data lies decides which law it is under, and a service cannot be moved later.",
  settings: withStacks({
    allowed: z
      .array(z.string(PLACE).regex(/^[^/]+\/[^/]+$/, PLACE))
      .default([])
      .describe("Where services may be, such as aws/eu-* or gcp/europe-west4."),
  }),
  needs: ({ allowed, byStack = {} }) =>
    allowed.length > 0 || Object.values(byStack).some((special) => special.allowed?.length)
      ? undefined
      : "allowed is empty; name the places where services may be",
  kinds: ["Service"],
  judge(subject, { values, origin }, findings) {
    // No places for this stack: it is free.
    if (values.allowed.length === 0) return;
    const [provider, region] = ["provider", "region"].map((name) => findings.read(subject, name) as string | undefined);
    const isOpen = ["provider", "region"].some((name) => subject.inputs[name] === UNKNOWN);
    const isUndeclared = !isOpen && (provider === undefined || region === undefined);
    // What is not known may be anything: then the other half decides, if it can.
    const isAllowed = values.allowed.some((place) => {
      const [clouds = "", regions = ""] = place.split("/");
      return matches(clouds, provider ?? clouds) && matches(regions, region ?? regions);
    });
    if (isAllowed && !isUndeclared) return;
    const where = isUndeclared
      ? `does not declare both provider and region${subject.isCreated ? "" : ", which the API does not show"}`
      : `is in ${provider ?? "?"}/${region ?? "?"}`;
    findings.violation(subject, `it ${where}; choose one of ${values.allowed.join(", ")}, ${origin("allowed")}.`);
  },
  good: {
    settings: { allowed: ["aws/eu-*"] },
    resources: [{ kind: "Service", name: "analytics", args: { provider: "aws", region: "eu-central-1" } }],
  },
  bad: {
    settings: { allowed: ["aws/eu-*"] },
    resources: [{ kind: "Service", name: "analytics", args: { provider: "aws", region: "us-east-1" } }],
  },
});
