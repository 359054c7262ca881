import { z } from "zod";
import type { Definition, Field, Properties, Rule, RuleContext, Table } from "./field";
import { contradictions, distinct, entriesOf, inPlacesOf } from "./list";
import { isGroup, type Leaf, leavesOf, valueAt, withValue } from "./paths";
import { hasUnknown, isRecord, UNKNOWN } from "./unknown";
import { namedValue, settingName } from "./words";

/** A reason why a program's arguments cannot be used. */
export interface Problem {
  /** The argument at fault, where it is one. */
  readonly argument?: string;
  readonly reason: string;
}

export interface Checked {
  readonly inputs: Properties;
  readonly problems: Problem[];
  /** What the user should know and that keeps nothing from being applied. */
  readonly warnings: string[];
}

/** Of one list: a program that makes a thousand wrong entries has one mistake. */
const MOST_TOLD = 10;

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
  const unlisted = leaves.filter((leaf) => isUnlisted(leaf, valueAt(given, leaf.path), context));
  const shapes = firstOf(shapeProblems(definition.fields, given), "unknown arguments");
  const fieldProblems = leaves
    .filter((leaf) => !unlisted.includes(leaf))
    .flatMap((leaf) => leafProblems(leaf, valueAt(given, leaf.path)));
  const isSound = shapes.length === 0 && fieldProblems.length === 0;
  const rules = definition.rules.filter(({ atCreation }) => !atCreation || isCreation(definition, oldInputs, given));
  let inputs = given;
  if (isSound) for (const leaf of leaves) inputs = normalised(inputs, oldInputs, leaf);
  return {
    inputs,
    problems: [...shapes, ...fieldProblems, ...ruleProblems(rules, given, fieldProblems, context)],
    warnings: unlisted.map(
      ({ name }) =>
        `${name} is not among the values that this release knows; it is sent as is, because ${settingName("allowUnlisted")} names it.`,
    ),
  };
}

/** Whether these arguments would create something: what is in the stack, or is adopted, exists. */
function isCreation({ adoptedBy }: Definition, oldInputs: Readonly<Properties>, given: Readonly<Properties>): boolean {
  return Object.keys(oldInputs).length === 0 && (adoptedBy === undefined || given[adoptedBy] === undefined);
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
function isUnlisted({ name, field }: Leaf, value: unknown, { allowUnlisted = [] }: RuleContext): boolean {
  const isText = typeof value === "string" && value !== "" && value !== UNKNOWN;
  return isText && isClosed(field) && allowUnlisted.includes(name) && !field.schema.safeParse(value).success;
}

function isClosed({ schema }: Field): boolean {
  return schema instanceof z.ZodEnum;
}

function leafProblems(leaf: Leaf, value: unknown): Problem[] {
  const { field, name, path } = leaf;
  const problem = (reason: string): Problem => ({ argument: path[0] ?? name, reason });
  if (value === undefined) {
    const elsewhere = field.setting === undefined ? "" : `, or set ${settingName(field.setting)}`;
    return field.required ? [problem(`${name} is missing: declare it${elsewhere}.`)] : [];
  }
  const result = field.schema.safeParse(value);
  const issues = result.success ? [] : result.error.issues.filter((issue) => isKnownAt(value, issue.path));
  const reasons = new Set(issues.map((issue) => sentence(leaf, value, issue)));
  if (reasons.size > 0) return firstOf([...reasons].map(problem), `problems in ${name}`);
  if (field.list === undefined) return [];
  const pairs = contradictions(field.list, entriesOf(value)).map(([one, other]) =>
    problem(`${name}[${one}] and ${name}[${other}] are the same entry with different contents; keep one of them.`),
  );
  return firstOf(pairs, `problems in ${name}`);
}

/** The first of many problems, and how many more there are. */
function firstOf(problems: readonly Problem[], what: string): Problem[] {
  const more = problems.length - MOST_TOLD;
  const [first] = problems;
  if (more <= 0 || first === undefined) return [...problems];
  return [...problems.slice(0, MOST_TOLD), { ...first, reason: `There are ${more} more ${what}.` }];
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
  let place = name;
  let found = value;
  for (const part of issue.path) {
    place += typeof part === "number" ? `[${part}]` : `.${String(part)}`;
    found = (found as Record<PropertyKey, unknown> | undefined)?.[part];
  }
  const elsewhere = isClosed(field)
    ? `; for a value that is newer than this release, add ${name} to ${settingName("allowUnlisted")}`
    : "";
  return `${namedValue(place, field, found)} is not allowed: ${issue.message}${elsewhere}.`;
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
function normalised(inputs: Properties, oldInputs: Readonly<Properties>, { path, field }: Leaf): Properties {
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
  return withValue(inputs, path, inPlacesOf(field.list, before, entries));
}
