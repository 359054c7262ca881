import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { withStacks } from "../policy/settings";

export const namesFollowConvention = createPolicy({
  name: "names-follow-convention",
  level: "disabled",
  description: "The names of services and pipes follow a convention.",
  reason: "A name that says team and purpose is found in a bill, an alert and a dashboard.",
  settings: withStacks({
    pattern: z
      .string("use a regular expression")
      .min(1, "use a regular expression")
      .refine(isExpression, "use a regular expression; this one cannot be read")
      .optional()
      .describe("A regular expression that the whole name has to match."),
  }),
  needs: ({ pattern, byStack = {} }) =>
    pattern !== undefined || Object.values(byStack).some((special) => special.pattern !== undefined)
      ? undefined
      : "pattern is missing; give the regular expression that names have to match",
  kinds: ["Service", "Pipe"],
  judge(subject, { values: { pattern }, origin }, findings) {
    const name = findings.read(subject, "name");
    if (pattern === undefined || typeof name !== "string" || new RegExp(`^(?:${pattern})$`).test(name)) return;
    findings.violation(
      subject,
      `the name ${JSON.stringify(name)} does not match ${pattern}, ${origin("pattern")}; rename it.`,
    );
  },
  good: {
    settings: { pattern: "(sales|data) .+" },
    resources: [{ kind: "Service", name: "analytics", args: { name: "data analytics" } }],
  },
  bad: {
    settings: { pattern: "(sales|data) .+" },
    resources: [{ kind: "Service", name: "analytics", args: { name: "test2" } }],
  },
});

function isExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
