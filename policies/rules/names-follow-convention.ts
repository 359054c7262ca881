import { z } from "zod";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { type Settings, withStacks } from "../policy/settings";
import type { Subject } from "../policy/subject";

const schema = withStacks({
  pattern: z
    .string("use a regular expression")
    .min(1, "use a regular expression")
    .refine(isExpression, "use a regular expression; this one cannot be read")
    .optional()
    .describe("A regular expression that the whole name has to match."),
});

function judge(subject: Subject, { values, origin }: Settings<z.output<typeof schema>>, findings: Findings): void {
  const { pattern } = values;
  if (pattern === undefined) return;
  const name = findings.known(subject, "name");
  if (typeof name !== "string" || new RegExp(`^(?:${pattern})$`).test(name)) return;
  findings.violation(
    subject,
    `the name ${JSON.stringify(name)} does not match ${pattern}, ${origin("pattern")}; rename it.`,
  );
}

export const namesFollowConvention = createPolicy({
  name: "names-follow-convention",
  level: "disabled",
  description: "The names of services and pipes follow a convention.",
  reason: "A name that says team and purpose is found in a bill, an alert and a dashboard.",
  settings: schema,
  needs: ({ pattern, byStack = {} }) =>
    pattern !== undefined || Object.values(byStack).some((special) => special.pattern !== undefined)
      ? undefined
      : "pattern is missing; give the regular expression that names have to match",
  kinds: ["Service", "Pipe"],
  judge,
  judgeUndeclared: judge,
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
