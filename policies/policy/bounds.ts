import { check, type RuleContext, resources } from "pulumi-clouddb/definitions";
import type { PolicyContext } from "./policy-context";
import type { PolicyResource } from "./policy-resource";
import type { Settings } from "./settings";

/** Reports arguments that the provider's field tables and rules reject. */
export function checkSpecification(
  context: PolicyContext,
  resource: PolicyResource,
  names: readonly string[],
  ruleContext: RuleContext = {},
): void {
  const definition = resources[resource.type]?.definition;
  if (definition === undefined || resource.evaluates === "outputs") return;
  for (const name of names) context.read(resource, name);
  for (const { argument, reason } of check(definition, {}, resource.inputs, ruleContext).problems) {
    if (argument !== undefined && names.includes(argument)) context.reportViolation(resource, reason);
  }
}

/** A number, and the settings that limit it. */
export interface BoundedValue<Values, Key extends keyof Values & string> {
  /** The words before the value in a message. */
  readonly label: string;
  readonly value: unknown;
  readonly unit?: string;
  readonly settings: Settings<Values>;
  readonly min: Key;
  readonly max: Key;
  /** Replaces the note that an output is a current value. */
  readonly note?: string;
}

/** Reports a number that is outside the bounds in settings. */
export function checkBounds<Values, Key extends keyof Values & string>(
  context: PolicyContext,
  resource: PolicyResource,
  { label, value, unit = "", settings, note, ...keys }: BoundedValue<Values, Key>,
): void {
  if (typeof value !== "number") return;
  const [min, max] = [settings.values[keys.min], settings.values[keys.max]];
  const report = (relation: string, bound: number, key: Key, fix: string) =>
    context.reportViolation(
      resource,
      `${label} ${value}${unit} is ${relation} ${bound}${unit}, ${settings.origin(key)}; ${fix}.`,
      note,
    );
  if (typeof min === "number" && value < min) report("less than", min, keys.min, `raise it to ${min} or more`);
  if (typeof max === "number" && value > max) report("more than", max, keys.max, `lower it to ${max} or less`);
}

/** The error if one setting exceeds another in any stack. */
export function minAtMostMax(min: string, max: string) {
  return (values: Readonly<Record<string, unknown>>): string | undefined => {
    const overrides = Object.values((values.byStack ?? {}) as object);
    const effective = [values, ...overrides.map((override) => ({ ...values, ...override }))];
    const wrong = effective.find((each) => Number(each[min] ?? 0) > Number(each[max] ?? Number.POSITIVE_INFINITY));
    return wrong && `${min} ${wrong[min]} is more than ${max} ${wrong[max]}, so no value can satisfy both`;
  };
}
