import { z } from "zod";
import { nameWithValue, settingName } from "./display";
import type { Definition, Field, Properties, Rule, RuleContext, Table } from "./field";
import { conflictingEntries, distinct, entriesOf, keepPositions } from "./list";
import { type FieldPath, fieldPathsOf, isGroup, valueAt, withValue } from "./paths";
import { hasUnknown, isRecord, UNKNOWN } from "./unknown";

/** A reason why a program's arguments cannot be used. */
export interface Problem {
  /** The argument at fault, where it is one. */
  readonly argument?: string;
  readonly reason: string;
}

export interface CheckResult {
  readonly inputs: Properties;
  readonly problems: Problem[];
  /** What the user should know and that keeps nothing from being applied. */
  readonly warnings: string[];
}

/** Of one list: a program that makes a thousand wrong entries has one mistake. */
const MAX_PROBLEMS = 10;

/**
 * Validates and normalises the arguments of one resource, and reports every problem at once.
 * Unknown values pass at any depth.
 */
export function check(
  definition: Definition,
  oldInputs: Readonly<Properties>,
  newInputs: Readonly<Properties>,
  context: RuleContext,
): CheckResult {
  const given = withoutAbsent(newInputs);
  const leaves = fieldPathsOf(definition.fields);
  const unlisted = leaves.filter((leaf) => isUnlisted(leaf, valueAt(given, leaf.path), context));
  const shapes = limitProblems(shapeProblems(definition.fields, given), "unknown arguments");
  const invalid = leaves
    .filter((leaf) => !unlisted.includes(leaf))
    .flatMap((leaf) => problemsOf(leaf, valueAt(given, leaf.path)));
  const isSound = shapes.length === 0 && invalid.length === 0;
  const rules = definition.rules.filter(({ atCreation }) => !atCreation || isCreation(definition, oldInputs, given));
  let inputs = given;
  if (isSound) for (const leaf of leaves) inputs = normalize(inputs, oldInputs, leaf);
  return {
    inputs,
    problems: [...shapes, ...invalid, ...ruleProblems(rules, given, invalid, context)],
    warnings: unlisted.map(
      ({ name }) =>
        `${name} is not among the values that this release knows; it is sent as is, because ${settingName("allowUnlisted")} names it.`,
    ),
  };
}

/** Whether these arguments would create something: what is in the stack, or is adopted, exists. */
function isCreation(
  { adoptionArgument }: Definition,
  oldInputs: Readonly<Properties>,
  given: Readonly<Properties>,
): boolean {
  return (
    Object.keys(oldInputs).length === 0 && (adoptionArgument === undefined || given[adoptionArgument] === undefined)
  );
}

/** The same properties without undefined and null, and without what nothing can store, at any depth. */
export function withoutAbsent<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.filter((entry) => !isAbsent(entry)).map(withoutAbsent) as Value;
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => !isAbsent(inner));
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutAbsent(inner)])) as Value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "symbol";
}

/** Names that no table has, and groups that are no objects. */
function shapeProblems(table: Table, given: Readonly<Properties>, path: readonly string[] = []): Problem[] {
  return Object.entries(given).flatMap(([name, value]): Problem[] => {
    const place = [...path, name].join(".");
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (entry === undefined) return [{ reason: `unknown argument ${place}; remove it.` }];
    if (!isGroup(entry) || value === UNKNOWN) return [];
    if (!isRecord(value)) return [{ argument: path[0] ?? name, reason: `${place} must be an object.` }];
    return shapeProblems(entry.fields, value, [...path, name]);
  });
}

/** A text that the list of allowed values lacks, where the user lets such values pass. */
function isUnlisted({ name, field }: FieldPath, value: unknown, { allowUnlisted = [] }: RuleContext): boolean {
  const isText = typeof value === "string" && value !== "" && value !== UNKNOWN;
  return isText && isClosed(field) && allowUnlisted.includes(name) && !field.schema.safeParse(value).success;
}

function isClosed({ schema }: Field): boolean {
  return schema instanceof z.ZodEnum;
}

function problemsOf(leaf: FieldPath, value: unknown): Problem[] {
  const { field, name, path } = leaf;
  const problem = (reason: string): Problem => ({ argument: path[0] ?? name, reason });
  if (value === undefined) {
    const elsewhere = field.setting === undefined ? "" : `, or set ${settingName(field.setting)}`;
    return field.required ? [problem(`${name} is missing: declare it${elsewhere}.`)] : [];
  }
  const result = field.schema.safeParse(value);
  const issues = result.success ? [] : result.error.issues.filter((issue) => isKnownAt(value, issue.path));
  const reasons = new Set(issues.map((issue) => describeIssue(leaf, value, issue)));
  if (reasons.size > 0) return limitProblems([...reasons].map(problem), `problems in ${name}`);
  if (field.list === undefined) return [];
  const pairs = conflictingEntries(field.list, entriesOf(value)).map(([one, other]) =>
    problem(`${name}[${one}] and ${name}[${other}] are the same entry with different contents; keep one of them.`),
  );
  return limitProblems(pairs, `problems in ${name}`);
}

/** The first of many problems, and how many more there are. */
function limitProblems(problems: readonly Problem[], what: string): Problem[] {
  const more = problems.length - MAX_PROBLEMS;
  const [first] = problems;
  if (more <= 0 || first === undefined) return [...problems];
  return [...problems.slice(0, MAX_PROBLEMS), { ...first, reason: `There are ${more} more ${what}.` }];
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

function describeIssue({ field, name }: FieldPath, value: unknown, issue: z.core.$ZodIssue): string {
  let place = name;
  let found = value;
  for (const part of issue.path) {
    place += typeof part === "number" ? `[${part}]` : `.${String(part)}`;
    found = (found as Record<PropertyKey, unknown> | undefined)?.[part];
  }
  const elsewhere = isClosed(field)
    ? `; for a value that is newer than this release, add ${name} to ${settingName("allowUnlisted")}`
    : "";
  return `${nameWithValue(place, field, found)} is not allowed: ${issue.message}${elsewhere}.`;
}

function ruleProblems(
  rules: readonly Rule[],
  given: Readonly<Properties>,
  fieldProblems: readonly Problem[],
  context: RuleContext,
): Problem[] {
  const faulty = new Set(fieldProblems.map(({ argument }) => argument));
  return rules.flatMap((rule) => {
    const values = Object.fromEntries(rule.fields.map((name) => [name, valueAt(given, name.split("."))]));
    const isUndecidable = rule.fields.some((name) => hasUnknown(values[name]) || faulty.has(name.split(".")[0]));
    const reason = isUndecidable ? undefined : rule.test(values, context);
    return reason === undefined ? [] : [{ argument: rule.fields[0].split(".")[0] ?? "", reason }];
  });
}

/** The value in its one form, and a list in the places that it had. */
function normalize(inputs: Properties, oldInputs: Readonly<Properties>, { path, field }: FieldPath): Properties {
  const list = valueAt(inputs, path);
  if (field.list === undefined || !Array.isArray(list)) {
    if (list === undefined || hasUnknown(list)) return inputs;
    const { success, data } = field.schema.safeParse(list);
    return success ? withValue(inputs, path, data) : inputs;
  }
  const entries = distinct(field.list, entriesOf(list));
  // What is sent as a whole keeps the order of the program, which may mean something to a server.
  if (field.list.send === "whole") return withValue(inputs, path, entries);
  // A state of another release may hold what is no list of ours.
  const old = valueAt(oldInputs, path);
  const before = field.schema.safeParse(old).success ? entriesOf(old) : [];
  return withValue(inputs, path, keepPositions(field.list, before, entries));
}
