import { check, type RuleContext, resources } from "pulumi-clouddb/definitions";
import type { Findings } from "./findings";
import type { Settings } from "./settings";
import type { Subject } from "./subject";

/** What the specification says against arguments, by the provider's own tables and rules. */
export function againstSpecification(
  subject: Subject,
  names: readonly string[],
  findings: Findings,
  context: RuleContext = {},
): void {
  const definition = resources[subject.kind]?.definition;
  if (definition === undefined || subject.stage === "undeclared") return;
  for (const name of names) findings.read(subject, name);
  for (const { argument, reason } of check(definition, {}, subject.inputs, context).problems) {
    if (argument !== undefined && names.includes(argument)) findings.violation(subject, reason);
  }
}

/** A number that is outside of the bounds that settings give. */
export function againstSettings<Values, Key extends keyof Values & string>(
  subject: Subject,
  place: string,
  value: unknown,
  settings: Settings<Values>,
  [least, most]: readonly [Key, Key],
  findings: Findings,
  unit = "",
): void {
  if (typeof value !== "number") return;
  const [min, max] = [settings.values[least], settings.values[most]];
  if (typeof min === "number" && value < min) {
    findings.violation(
      subject,
      `${place} ${value}${unit} is less than ${min}${unit}, ${settings.origin(least)}; raise it to ${min} or more.`,
    );
  }
  if (typeof max === "number" && value > max) {
    findings.violation(
      subject,
      `${place} ${value}${unit} is more than ${max}${unit}, ${settings.origin(most)}; lower it to ${max} or less.`,
    );
  }
}

/** Settings of which one has to be at most the other, also where a pattern of stacks changes one of them. */
export function inOrder(least: string, most: string) {
  return (values: Readonly<Record<string, unknown>>): string | undefined => {
    const all = [
      values,
      ...Object.values((values.byStack ?? {}) as object).map((special) => ({ ...values, ...special })),
    ];
    const wrong = all.find((each) => Number(each[least] ?? 0) > Number(each[most] ?? Number.POSITIVE_INFINITY));
    return wrong && `${least} ${wrong[least]} is more than ${most} ${wrong[most]}, so nothing could keep to both`;
  };
}
