import { check, type RuleContext, resources } from "pulumi-clouddb/definitions";
import type { PolicyContext } from "./policy";
import { type PolicyResource, SECRET } from "./resource";
import { type Bound, variantsOf } from "./settings";

/** Reports arguments that the provider's own tables and rules reject. */
export function checkSpecification(
  context: PolicyContext,
  resource: PolicyResource,
  names: readonly string[],
  ruleContext: RuleContext = {},
): void {
  if (resource.evaluates === "outputs") return;
  for (const name of names) context.read(resource, name);
  const { definition } = resources[resource.type];
  const rules = definition.rules.filter(({ fields: [first] }) => names.includes(first));
  // Only the required arguments, because checking all of them would take most of a policy's time.
  const needed = [...names, ...rules.flatMap(({ fields }) => fields), definition.id ?? ""];
  const inputs = Object.fromEntries(needed.map((name) => [name, resource.inputs[name]]));
  for (const { argument, reason } of check(definition, undefined, inputs, {
    ...ruleContext,
    marked: needed.filter(resource.isSecret),
  }).problems) {
    if (argument !== undefined && names.includes(argument))
      context.reportViolation(resource, reason.text);
  }
}

/** A number with the settings that limit it. */
export interface BoundedValue {
  /** The argument with the number, or the two arguments of a quotient. */
  readonly paths: readonly [string, divisor?: string];
  readonly value: unknown;
  readonly min?: Bound;
  readonly max?: Bound;
  readonly unit?: string;
}

/** Reports a number outside of a setting's bounds. */
export function checkBounds(
  context: PolicyContext,
  resource: PolicyResource,
  { paths: [path, divisor], value, min, max, unit = "" }: BoundedValue,
): void {
  if (typeof value !== "number" || Number.isNaN(value)) return;
  const isQuotient = divisor !== undefined;
  const label = isQuotient ? `${path} / ${divisor} =` : path;
  const isSecret = resource.isSecret(path) || (isQuotient && resource.isSecret(divisor));
  const text = `${label} ${isSecret ? SECRET : `${value}${unit}`}`;
  const note = isQuotient ? "" : undefined;
  const report = (relation: string, { limit, origin }: Bound, fix: string) =>
    context.reportViolation(
      resource,
      `${text} is ${relation} ${limit}${unit}, ${origin}; ${fix}.`,
      note,
    );
  if (min?.limit !== undefined && value < min.limit)
    report("less than", min, `raise it to ${min.limit} or more`);
  if (max?.limit !== undefined && value > max.limit)
    report("more than", max, `lower it to ${max.limit} or less`);
}

/** A check that one setting exceeds another in no stack. */
export function minAtMostMax(min: string, max: string) {
  return (values: Readonly<Record<string, unknown>>): string | undefined => {
    const isWrong = (item: typeof values) =>
      Number(item[min] ?? 0) > Number(item[max] ?? Number.POSITIVE_INFINITY);
    const wrong = variantsOf(values).find(isWrong);
    return (
      wrong &&
      `${min} ${wrong[min]} is more than ${max} ${wrong[max]}, so no value can satisfy both`
    );
  };
}
