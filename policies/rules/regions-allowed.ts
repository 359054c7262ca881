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
    const isTakenOver = subject.inputs.existingServiceId !== undefined;
    const names = ["provider", "region"];
    const [provider, region] = names.map((name) => findings.read(subject, name) as string | undefined);
    if (names.some((name) => subject.inputs[name] !== undefined && findings.read(subject, name) === undefined)) return;
    if (isTakenOver && (provider === undefined || region === undefined)) return;
    if (provider && region && matches(values.allowed, `${provider}/${region}`)) return;
    const where = provider && region ? `is in ${provider}/${region}` : "does not declare both provider and region";
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
