import { check, type Definition, type RuleContext, resources } from "pulumi-clouddb/definitions";
import type { PolicyContext } from "./policy-context";
import type { PolicyResource } from "./policy-resource";
import { SECRET } from "./secrets";
import type { Settings } from "./settings";

/** A function that reports these arguments where the provider's field tables and rules reject them. */
export function specificationOf(names: readonly string[]) {
  const parts = new Map(Object.entries(resources).map(([type, { definition }]) => [type, partOf(definition, names)]));
  return (context: PolicyContext, resource: PolicyResource, ruleContext: RuleContext = {}): void => {
    const part = parts.get(resource.type);
    if (part === undefined || resource.evaluates === "outputs") return;
    for (const name of names) context.read(resource, name);
    for (const { argument, reason } of check(part, {}, pick(resource.inputs, part.fields), ruleContext).problems) {
      if (argument === undefined || !names.includes(argument)) continue;
      context.reportViolation(resource, withoutSecrets(reason.text, resource, part));
    }
  };
}

/** A message of the provider without the numbers that the program marks as secret. */
function withoutSecrets(text: string, { isSecret, inputs }: PolicyResource, { fields }: Definition): string {
  const secrets = Object.keys(fields).filter((name) => inputs[name] !== undefined && isSecret(name));
  const numbers = new Set(secrets.map((name) => String(inputs[name])));
  return text.replace(/-?\d[\d.]*(?<!\.)/g, (number) => (numbers.has(number) ? SECRET : number));
}

/** The part of a definition that decides on these arguments: checking all of them would take most of a policy's time. */
function partOf(definition: Definition, names: readonly string[]): Definition {
  const rules = definition.rules.filter(({ fields: [first] }) => names.includes(first));
  const needed = [...names, ...rules.flatMap(({ fields }) => fields), definition.adoptionArgument ?? ""];
  return { ...definition, rules, fields: pick(definition.fields, Object.fromEntries(needed.map((name) => [name, 1]))) };
}

/** The members of an object that another one has, too. */
function pick<Value>(values: Readonly<Record<string, Value>>, members: object): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(members, name)));
}

/** A number, and the settings that limit it. */
export interface BoundedValue<Values, Key extends keyof Values & string> {
  /** The words before the value in a message. */
  readonly label: string;
  readonly value: unknown;
  /** The arguments that the value comes from. */
  readonly paths: readonly string[];
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
  { label, value, paths, unit = "", settings, note, ...keys }: BoundedValue<Values, Key>,
): void {
  if (typeof value !== "number") return;
  const [min, max] = [settings.values[keys.min], settings.values[keys.max]];
  const text = paths.some(resource.isSecret) ? SECRET : `${value}${unit}`;
  const report = (relation: string, bound: number, key: Key, fix: string) =>
    context.reportViolation(
      resource,
      `${label} ${text} is ${relation} ${bound}${unit}, ${settings.origin(key)}; ${fix}.`,
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
    const wrong = effective.find((item) => Number(item[min] ?? 0) > Number(item[max] ?? Number.POSITIVE_INFINITY));
    return wrong && `${min} ${wrong[min]} is more than ${max} ${wrong[max]}, so no value can satisfy both`;
  };
}
