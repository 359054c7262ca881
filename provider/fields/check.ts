import type { z } from "zod";
import type { Definition, Properties, RuleContext, Table } from "./field";
import { contradictions, distinct, entriesOf, inOrderOf } from "./list";
import { isGroup, type Leaf, leavesOf, valueAt, withValue } from "./paths";
import { hasUnknown, isRecord, UNKNOWN } from "./unknown";
import { settingName, shown } from "./words";

/** A reason why a program's arguments cannot be used. */
export interface Problem {
  /** The argument at fault; absent where naming it would make the engine print a secret. */
  readonly property?: string;
  readonly reason: string;
}

export interface Checked {
  readonly inputs: Properties;
  readonly problems: Problem[];
}

/**
 * Validates and normalises the arguments of one resource, and reports every problem at once.
 * Unknown values pass at any depth.
 */
export function check(
  definition: Definition,
  oldInputs: Readonly<Properties>,
  newInputs: Readonly<Properties>,
  context: RuleContext,
): Checked {
  const given = withoutAbsent(newInputs);
  const leaves = leavesOf(definition.fields);
  const shapes = shapeProblems(definition.fields, given);
  const fieldProblems = leaves.flatMap((leaf) => leafProblems(leaf, valueAt(given, leaf.path)));
  const sound = shapes.length === 0 && fieldProblems.length === 0;
  return {
    inputs: sound ? leaves.reduce((inputs, leaf) => normalised(inputs, oldInputs, leaf), given) : given,
    problems: [...shapes, ...fieldProblems, ...ruleProblems(definition, leaves, given, fieldProblems, context)],
  };
}

/** The same properties without undefined and null, at any depth. */
export function withoutAbsent(properties: Readonly<Properties>): Properties {
  return plain(properties) as Properties;
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => entry !== undefined && entry !== null).map(plain);
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(present.map(([name, inner]) => [name, plain(inner)]));
}

/** Names that no table has, and groups that are no objects. */
function shapeProblems(table: Table, given: Readonly<Properties>, path: readonly string[] = []): Problem[] {
  return Object.entries(given).flatMap(([name, value]): Problem[] => {
    const place = [...path, name].join(".");
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (entry === undefined) return [{ reason: `${place} is not an argument of this resource; take it out.` }];
    if (!isGroup(entry) || value === UNKNOWN) return [];
    if (!isRecord(value)) return [{ reason: `${place} must be an object.` }];
    return shapeProblems(entry.fields, value, [...path, name]);
  });
}

function leafProblems(leaf: Leaf, value: unknown): Problem[] {
  const { field, name } = leaf;
  if (value === undefined) {
    const elsewhere = field.setting === undefined ? "" : `, or set ${settingName(field.setting)}`;
    return field.required ? [problem(leaf, `${name} is missing: declare it${elsewhere}.`)] : [];
  }
  const result = field.schema.safeParse(value);
  const issues = result.success ? [] : result.error.issues.filter((issue) => isKnownAt(value, issue.path));
  if (issues.length > 0) {
    const reasons = new Set(issues.map((issue) => sentence(leaf, value, issue)));
    return [...reasons].map((reason) => problem(leaf, reason));
  }
  const rules = field.list;
  if (rules === undefined) return [];
  return contradictions(rules, entriesOf(value)).map((key) =>
    problem(leaf, `${name} has ${key} twice, with different contents; keep one of the two.`),
  );
}

function problem({ field, path, name }: Leaf, reason: string): Problem {
  const [property = name] = path;
  return field.secret ? { reason } : { property, reason };
}

/** A problem at an unknown value is none: the sentinel is a string, whatever the type it stands for. */
function isKnownAt(value: unknown, path: readonly PropertyKey[]): boolean {
  let inner: unknown = value;
  for (const name of path) {
    if (inner === UNKNOWN) return false;
    inner = (inner as Record<PropertyKey, unknown> | undefined)?.[name];
  }
  return inner !== UNKNOWN;
}

function sentence({ field, name }: Leaf, value: unknown, issue: z.core.$ZodIssue): string {
  const place = issue.path.reduce<string>(
    (text, part) => (typeof part === "number" ? `${text}[${part}]` : `${text}.${String(part)}`),
    name,
  );
  const found = issue.path.reduce<unknown>((inner, part) => (inner as Record<PropertyKey, unknown>)?.[part], value);
  return `${place} ${shown(field, found)} is not allowed: ${issue.message}.`;
}

function ruleProblems(
  definition: Definition,
  leaves: readonly Leaf[],
  given: Readonly<Properties>,
  fieldProblems: readonly Problem[],
  context: RuleContext,
): Problem[] {
  const faulty = new Set(fieldProblems.map((each) => each.property));
  return definition.rules.flatMap((rule) => {
    const values = Object.fromEntries(rule.fields.map((name) => [name, valueAt(given, name.split("."))]));
    const undecidable = rule.fields.some((name) => hasUnknown(values[name]) || faulty.has(name));
    const reason = undecidable ? undefined : rule.test(values, context);
    const leaf = leaves.find((each) => each.name === rule.fields[0]);
    if (reason === undefined) return [];
    return [leaf === undefined ? { reason } : problem(leaf, reason)];
  });
}

/** The value in its one form, and a list in the order that it had. */
function normalised(inputs: Properties, oldInputs: Readonly<Properties>, { path, field }: Leaf): Properties {
  const list = valueAt(inputs, path);
  if (field.list === undefined || !Array.isArray(list)) {
    if (list === undefined || hasUnknown(list)) return inputs;
    const { success, data } = field.schema.safeParse(list);
    return success ? withValue(inputs, path, data) : inputs;
  }
  // A state of another release may hold what is no list of ours.
  const old = valueAt(oldInputs, path);
  const before = field.schema.safeParse(old).success ? entriesOf(old) : [];
  return withValue(inputs, path, inOrderOf(field.list, before, distinct(field.list, entriesOf(list))));
}
