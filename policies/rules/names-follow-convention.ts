import { z } from "zod";
import { createPolicy } from "../policy/policy";
import type { PolicyContext } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import { type Settings, withStacks } from "../policy/settings";

const schema = withStacks({
  pattern: z
    .string("use a regular expression")
    .min(1, "use a regular expression")
    .refine(isRegularExpression, "use a valid regular expression")
    .optional()
    .describe("A regular expression that the whole name must match."),
});

function evaluate(
  resource: PolicyResource,
  { values, origin }: Settings<z.output<typeof schema>>,
  context: PolicyContext,
): void {
  const { pattern } = values;
  if (pattern === undefined) return;
  const name = context.readKnown(resource, "name");
  if (typeof name !== "string" || new RegExp(`^(?:${pattern})$`).test(name)) return;
  context.reportViolation(
    resource,
    `the name ${JSON.stringify(name)} does not match ${pattern}, ${origin("pattern")}; rename it.`,
  );
}

export const namesFollowConvention = createPolicy({
  name: "names-follow-convention",
  level: "disabled",
  description: "The names of services and pipes follow a convention.",
  reason: "A name with team and purpose is easy to find in bills, alerts and dashboards.",
  settings: schema,
  settingsProblem: ({ pattern, byStack = {} }) =>
    pattern !== undefined || Object.values(byStack).some((override) => override.pattern !== undefined)
      ? undefined
      : "pattern is missing; set the regular expression that names must match",
  resourceTypes: ["Service", "Pipe"],
  evaluate,
  evaluateOutputs: evaluate,
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
