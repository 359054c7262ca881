import { z } from "zod";
import { coded, type Message } from "../errors";
import { settingName } from "../names";
import { nameWithValue } from "./display";
import { hasUnknown, isRecord, UNKNOWN } from "./engine-values";
import type { Definition, Field, ListRules, Properties, Rule, RuleContext, Table } from "./field";
import { conflictingEntries, distinct, entriesOf, keepPositions } from "./list";
import { type FieldPath, fieldPathsOf, isGroup, valueAt, withFieldValues } from "./paths";

/** A reason why a program's arguments cannot be used. */
export interface Problem {
  /** The argument at fault, where it is one. */
  readonly argument?: string;
  readonly reason: Message;
}

export interface CheckResult {
  readonly inputs: Properties;
  readonly problems: Problem[];
  readonly warnings: Message[];
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
  const args = withoutAbsent(newInputs);
  const warnings: Message[] = [];
  const invalid: Problem[] = [];
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const value = valueAt(args, fieldPath.path);
    if (isUnlisted(fieldPath, value, context)) warnings.push(describeUnlisted(fieldPath));
    else invalid.push(...fieldProblems(fieldPath, value));
  }
  const misplaced = limitProblems(shapeProblems(definition.fields, args), "unknown arguments");
  const rules = definition.rules.filter(({ atCreation }) => !atCreation || isCreation(definition, oldInputs, args));
  const isSound = misplaced.length === 0 && invalid.length === 0;
  return {
    inputs: isSound ? normalize(definition, oldInputs, args) : args,
    problems: [...misplaced, ...invalid, ...ruleProblems(rules, args, invalid, context)],
    warnings,
  };
}

/** True if these arguments would create an object: one in the stack, or an adopted one, exists. */
function isCreation(
  { adoptionArgument }: Definition,
  oldInputs: Readonly<Properties>,
  args: Readonly<Properties>,
): boolean {
  return (
    Object.keys(oldInputs).length === 0 && (adoptionArgument === undefined || args[adoptionArgument] === undefined)
  );
}

/**
 * Drops members that are undefined, null or cannot be stored, at any depth. In a list, such an entry becomes null: without
 * it, a program whose only entry has no value would declare an empty list.
 */
export function withoutAbsent<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((entry) => (isAbsent(entry) ? null : withoutAbsent(entry))) as Value;
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => !isAbsent(inner));
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutAbsent(inner)])) as Value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "symbol";
}

/** Names that no table has, and groups that are no objects. */
function shapeProblems(table: Table, args: Readonly<Properties>, path: readonly string[] = []): Problem[] {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(args)) {
    const inner = [...path, name];
    const place = inner.join(".");
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (entry === undefined) problems.push({ reason: coded("CDB1001", `unknown argument ${place}; remove it.`) });
    else if (!isGroup(entry) || value === UNKNOWN) continue;
    else if (isRecord(value)) problems.push(...shapeProblems(entry.fields, value, inner));
    else {
      const reason = coded("CDB1003", `${place} is invalid: must be an object.`);
      problems.push({ argument: path[0] ?? name, reason });
    }
  }
  return problems;
}

/** A text that the list of allowed values lacks, where the user lets such values pass. */
function isUnlisted({ name, field }: FieldPath, value: unknown, { allowUnlisted = [] }: RuleContext): boolean {
  const isText = typeof value === "string" && value !== "" && value !== UNKNOWN;
  return isText && isClosed(field) && allowUnlisted.includes(name) && !field.schema.safeParse(value).success;
}

function describeUnlisted({ name }: FieldPath): Message {
  return coded(
    "CDB1004",
    `${name} has a value that this release does not know; it is sent unchanged because ${settingName("allowUnlisted")} includes ${name}.`,
  );
}

/** True if the list of allowed values is complete, as far as this release knows. */
function isClosed({ schema }: Field): boolean {
  return schema instanceof z.ZodEnum;
}

function fieldProblems(fieldPath: FieldPath, value: unknown): Problem[] {
  const { field, name, path } = fieldPath;
  const problem = (reason: Message): Problem => ({ argument: path[0] ?? name, reason });
  if (value === undefined) {
    return field.required ? [problem(describeMissing(name, field.setting))] : [];
  }
  const result = field.schema.safeParse(value);
  const issues = result.success ? [] : result.error.issues.filter((issue) => isKnownAt(value, issue.path));
  const reasons = new Set(issues.map((issue) => describeIssue(fieldPath, value, issue)));
  if (reasons.size > 0) return limitProblems([...reasons].map(problem), `problems in ${name}`);
  if (field.list === undefined) return [];
  const conflicts = conflictingEntries(field.list, entriesOf(value)).map(([one, other]) =>
    problem(
      coded(
        "CDB1006",
        `${name}[${one}] and ${name}[${other}] are the same entry with different contents; keep one of them.`,
      ),
    ),
  );
  return limitProblems(conflicts, `problems in ${name}`);
}

/** The message about an argument without a value, for which a setting may stand in. */
export function describeMissing(argument: string, setting?: string): Message {
  if (setting === undefined) return coded("CDB1002", `${argument} is missing: declare it.`);
  return coded("CDB1002", `${argument} is missing: declare it, or set ${settingName(setting)}.`);
}

/** The first of many problems, and how many more there are. */
function limitProblems(all: readonly Problem[], problems: string): Problem[] {
  const count = all.length - MAX_PROBLEMS;
  const [first] = all;
  if (count <= 0 || first === undefined) return [...all];
  return [
    ...all.slice(0, MAX_PROBLEMS),
    { ...first, reason: coded("CDB1008", `There are ${count} more ${problems}.`) },
  ];
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

function describeIssue({ field, name }: FieldPath, value: unknown, issue: z.core.$ZodIssue): Message {
  let place = name;
  let result = value;
  for (const part of issue.path) {
    place += typeof part === "number" ? `[${part}]` : `.${String(part)}`;
    result = (result as Record<PropertyKey, unknown> | undefined)?.[part];
  }
  // Members that are null have been dropped: this is an entry of a list.
  if (result === null) return coded("CDB1005", `${place} is null: leave the entry out, or give it a value.`);
  const problem = `${nameWithValue(place, field, result)} is invalid: ${issue.message}`;
  if (!isClosed(field)) return coded("CDB1003", `${problem}.`);
  return coded(
    "CDB1004",
    `${problem}; for a value that is newer than this release, add ${name} to ${settingName("allowUnlisted")}.`,
  );
}

function ruleProblems(
  rules: readonly Rule[],
  args: Readonly<Properties>,
  invalid: readonly Problem[],
  context: RuleContext,
): Problem[] {
  const invalidArguments = new Set(invalid.map(({ argument }) => argument));
  const argumentOf = (name: string) => name.split(".")[0] ?? "";
  const problems: Problem[] = [];
  for (const { fields, test } of rules) {
    const values = Object.fromEntries(fields.map((name) => [name, valueAt(args, name.split("."))]));
    if (fields.some((name) => hasUnknown(values[name]) || invalidArguments.has(argumentOf(name)))) continue;
    const reason = test(values, context);
    if (reason !== undefined) problems.push({ argument: argumentOf(fields[0]), reason });
  }
  return problems;
}

/** Each value in its one form, and each list in the places that it had. */
function normalize({ fields }: Definition, oldInputs: Readonly<Properties>, args: Readonly<Properties>): Properties {
  return withFieldValues(fields, args, ({ path, field }) => {
    const value = valueAt(args, path);
    if (field.list && Array.isArray(value))
      return { value: normalizeList(field, field.list, valueAt(oldInputs, path), value) };
    if (value === undefined || hasUnknown(value)) return undefined;
    const { success, data } = field.schema.safeParse(value);
    return success ? { value: data } : undefined;
  });
}

function normalizeList({ schema }: Field, rules: ListRules, old: unknown, list: readonly unknown[]): unknown[] {
  const entries = distinct(rules, list);
  // A list that is sent as a whole keeps the program's order, which may matter to a server.
  if (rules.send === "whole") return entries;
  // The state of another release may hold something other than our list.
  const before = schema.safeParse(old).success ? entriesOf(old) : [];
  return keepPositions(rules, before, entries);
}
