import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { shown } from "../policy/policy-resource";
import { withStacks } from "../policy/settings";

export const namesFollowConvention = createPolicy({
  name: "names-follow-convention",
  level: "disabled",
  description: "The names of services and pipes follow a convention.",
  reason: "A name with team and purpose is easy to find in bills, alerts and dashboards.",
  settings: withStacks({
    pattern: z
      .string("use a regular expression")
      .min(1, "use a regular expression")
      .refine(isRegularExpression, "use a valid regular expression")
      .optional()
      .describe("A regular expression that the whole name must match."),
  }),
  settingsProblem: ({ pattern, byStack = {} }) =>
    pattern !== undefined || Object.values(byStack).some((override) => override.pattern !== undefined)
      ? undefined
      : "pattern is missing; set the regular expression that names must match",
  resourceTypes: ["Service", "Pipe"],
  evaluate(resource, { values, origin }, context) {
    const { pattern } = values;
    if (pattern === undefined) return;
    const name = context.readKnown(resource, "name");
    if (typeof name !== "string" || new RegExp(`^(?:${pattern})$`).test(name)) return;
    context.reportViolation(
      resource,
      `the name ${shown(resource, "name", JSON.stringify(name))} does not match ${pattern}, ${origin("pattern")}; rename it.`,
    );
  },
  evaluatesOutputs: true,
  good: {
    settings: { pattern: "(sales|data) .+" },
    resources: [{ type: "Service", name: "analytics", args: { name: "data analytics" } }],
  },
  bad: {
    settings: { pattern: "(sales|data) .+" },
    resources: [{ type: "Service", name: "analytics", args: { name: "test2" } }],
  },
});

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}
