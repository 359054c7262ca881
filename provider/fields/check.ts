import { isDeepStrictEqual } from "node:util";
import { hasUnknown, isRecord, plainText, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { coded, type Message } from "../errors";
import { describeUnknown, didYouMean } from "../mistakes";
import { isReferenceName, settingName } from "../names";
import type { Definition, Field, ListRules, Properties, Rule, RuleContext, Table } from "./field";
import { distinct, entriesOf, keepPositions, repetitions, withoutKeys } from "./list";
import { type FieldPath, fieldPathsOf, isGroup, valueAt, withFieldValues } from "./paths";

/** An error in the program's arguments. */
export interface Problem {
  /** Absent if the problem concerns no known argument. */
  readonly argument?: string;
  readonly reason: Message;
}

export interface CheckResult {
  readonly inputs: Properties;
  readonly problems: Problem[];
  readonly warnings: Message[];
}

/**
 * The maximum number of problems shown for a list, since many invalid entries usually have one
 * cause.
 */
const MAX_PROBLEMS = 10;

/**
 * Validates and normalizes arguments. Reports all problems together. Accepts unknown values at any
 * depth.
 */
export function check(
  definition: Definition,
  /** Undefined for a new resource. */
  oldInputs: Properties | undefined,
  newInputs: Properties,
  context: RuleContext,
): CheckResult {
  const args = withoutAbsent(newInputs);
  const isCreation =
    oldInputs === undefined && (definition.id === undefined || args[definition.id] === undefined);
  const former = oldInputs ?? {};
  const warnings: Message[] = [];
  const invalid: Problem[] = [];
  for (const fieldPath of fieldPathsOf(definition.fields)) {
    const value = valueAt(args, fieldPath.path);
    if (isUnlisted(fieldPath, value, context)) warnings.push(describeUnlisted(fieldPath));
    else invalid.push(...fieldProblems(fieldPath, value, valueAt(former, fieldPath.path), context));
  }
  const misplaced = limitProblems(shapeProblems(definition.fields, args), "unknown arguments");
  const rules = definition.rules.filter(({ atCreation }) => !atCreation || isCreation);
  const violations = (tested: readonly Rule[]) => ruleProblems(tested, args, invalid, context);
  const advice = violations(rules.filter(({ warns }) => warns));
  const isSound = misplaced.length === 0 && invalid.length === 0;
  return {
    inputs: isSound ? normalize(definition, former, args) : args,
    problems: [...misplaced, ...invalid, ...violations(rules.filter(({ warns }) => !warns))],
    warnings: [...warnings, ...advice.map(({ reason }) => reason)],
  };
}

/**
 * Drops absent members and members that cannot be stored, at any depth, and turns -0 into 0. List
 * entries become null instead, since dropping the only entry would declare an empty list.
 */
export function withoutAbsent<Value>(value: Value): Value {
  if (value === 0) return 0 as Value;
  if (Array.isArray(value))
    return value.map((entry) => (isAbsent(entry) ? null : withoutAbsent(entry))) as Value;
  if (!isRecord(value)) return value;
  const present = Object.entries(value).filter(([, inner]) => !isAbsent(inner));
  return Object.fromEntries(present.map(([name, inner]) => [name, withoutAbsent(inner)])) as Value;
}

/** Trims ids, hosts and roles, and warns of trimmed arguments. */
export function trimTexts({ fields }: Definition, args: Properties) {
  const trimmed: string[] = [];
  const inputs = withFieldValues(fields, args, ({ path, name, field: { form } }) => {
    const value = valueAt(args, path);
    const text = form === "id" || form === "locator" ? trim(value) : value;
    if (isDeepStrictEqual(text, value)) return undefined;
    trimmed.push(name);
    return { value: text };
  });
  const fact = `whitespace at the edges of ${trimmed.join(", ")} was removed`;
  const warning = coded("CDB1003", `${fact}; remove it in the program, too.`);
  return { inputs, warnings: trimmed.length > 0 ? [warning] : [] };
}

/** Only the id of an entry with several members is trimmed. */
function trim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trim);
  if (isRecord(value)) return value.id === undefined ? value : { ...value, id: trim(value.id) };
  return typeof value === "string" ? value.trim() : value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "symbol";
}

/** Problems with unknown arguments and with groups that are not objects. */
function shapeProblems(table: Table, args: Properties, path: readonly string[] = []): Problem[] {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(args)) {
    const inner = [...path, name];
    const place = inner.join(".");
    const entry = Object.hasOwn(table, name) ? table[name] : undefined;
    if (entry === undefined)
      problems.push({
        reason: describeUnknown("CDB1001", `unknown argument ${place}`, name, Object.keys(table)),
      });
    else if (!isGroup(entry) || value === UNKNOWN) continue;
    else if (isRecord(value)) problems.push(...shapeProblems(entry.fields, value, inner));
    else
      problems.push({
        argument: argumentOf(place),
        reason: coded("CDB1003", `${place} is invalid: must be an object.`),
      });
  }
  return problems;
}

/** True for an unlisted value, if a setting allows such values for the argument. */
function isUnlisted(
  { name, field }: FieldPath,
  value: unknown,
  { allowUnlisted = [] }: RuleContext,
): boolean {
  const isText = typeof value === "string" && value !== "" && value !== UNKNOWN;
  return (
    isText &&
    allowUnlisted.includes(name) &&
    isOpenTo(field, value) &&
    !field.schema.safeParse(value).success
  );
}

function describeUnlisted({ name }: FieldPath): Message {
  return coded(
    "CDB1004",
    `${name} has a value that this release does not know; it is sent unchanged because ${settingName("allowUnlisted")} includes ${name}.`,
  );
}

/** True for a value that a setting could allow. */
function isOpenTo({ schema, unlisted }: Field, value: unknown): boolean {
  return schema instanceof z.ZodEnum || unlisted?.safeParse(value).success === true;
}

function fieldProblems(
  given: FieldPath,
  value: unknown,
  old: unknown,
  { marked = [] }: RuleContext,
): Problem[] {
  const { name } = given;
  const field: Field = marked.includes(name) ? { ...given.field, secret: true } : given.field;
  const fieldPath = { ...given, field };
  const problem = (reason: Message): Problem => ({ argument: argumentOf(name), reason });
  if (value === undefined)
    return field.required ? [problem(describeMissing(name, field.setting))] : [];
  const result = field.schema.safeParse(value);
  // The placeholder for an unknown value is a string, whatever the value's type.
  const issues = result.error?.issues.filter(({ path }) => partAt(value, path) !== UNKNOWN) ?? [];
  // Issues may result in equal messages.
  const reasons = new Map(
    issues.map((issue) => describeIssue(fieldPath, value, issue)).map((it) => [it.text, it]),
  );
  if (reasons.size > 0)
    return limitProblems([...reasons.values()].map(problem), `problems in ${name}`);
  if (field.list === undefined) return [];
  // For a path in ignoreChanges, the engine replaces the declared entry with the stored one.
  const isLosing =
    !hasUnknown(value) && withoutKeys(field.list, entriesOf(old), entriesOf(value)).length > 0;
  const advice = isLosing
    ? `, while the list loses an entry that it had. If the program repeats an entry, keep one of them. If ignoreChanges names a place such as "${name}[0]", ignore "${name}" as a whole.`
    : "; keep one of them.";
  const conflicts = repetitions(field.list, entriesOf(value)).flatMap(
    ({ first, repeated, isSame }) => {
      const difference = isSame ? "" : " with different contents";
      const text = `${name}[${first}] and ${name}[${repeated}] are the same entry${difference}`;
      return isSame && !isLosing ? [] : [problem(coded("CDB1006", text + advice))];
    },
  );
  return limitProblems(conflicts, `problems in ${name}`);
}

/** The message about a missing argument, with the setting that can replace it. */
export function describeMissing(argument: string, setting?: string): Message {
  const alternative = setting === undefined ? "" : `, or set ${settingName(setting)}`;
  return coded(
    "CDB1002",
    `${argument} is missing: set \`${argument}\` on the resource${alternative}.`,
  );
}

/** The first problems, and the number of further ones. */
function limitProblems(all: readonly Problem[], problems: string): Problem[] {
  const count = all.length - MAX_PROBLEMS;
  const [first] = all;
  if (count <= 0 || first === undefined) return [...all];
  return [
    ...all.slice(0, MAX_PROBLEMS),
    { ...first, reason: coded("CDB1008", `There are ${count} more ${problems}.`) },
  ];
}

/** The part of a value at a path; unknown inside an unknown value. */
function partAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let part = value;
  for (const name of path) {
    if (part !== UNKNOWN) part = (part as Record<PropertyKey, unknown> | undefined)?.[name];
  }
  return part;
}

function describeIssue(
  { field, name }: FieldPath,
  value: unknown,
  { path, message }: z.core.$ZodIssue,
): Message {
  const place =
    name +
    path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");
  const part = partAt(value, path);
  // At this point, only list entries can be null.
  if (part === null)
    return coded("CDB1005", `${place} is null: leave the entry out, or give it a value.`);
  // Invalid ids and variable names are not shown, because they may be secrets.
  const isHidden = field.schema instanceof z.ZodStringFormat || isReferenceName(name);
  const problem = `${nameWithValue(place, { secret: field.secret || isHidden }, part)} is invalid:`;
  const setting = `add ${name} to ${settingName("allowUnlisted")}.`;
  if (!(field.schema instanceof z.ZodEnum)) {
    const advice = isOpenTo(field, part) ? `; if the API accepts it, ${setting}` : ".";
    return coded("CDB1003", `${problem} ${message}${advice}`);
  }
  const isText = typeof part === "string" && !field.secret;
  const question = isText ? didYouMean(part, field.schema.options.map(String)) : undefined;
  const rule = question ? `${question} It ${message}` : message;
  return coded(
    "CDB1004",
    `${problem} ${rule}; for a value that is newer than this release, ${setting}`,
  );
}

function ruleProblems(
  rules: readonly Rule[],
  args: Properties,
  invalid: readonly Problem[],
  context: RuleContext,
): Problem[] {
  const invalidArguments = new Set(invalid.map(({ argument }) => argument));
  const problems: Problem[] = [];
  for (const { fields, test } of rules) {
    const values = Object.fromEntries(fields.map((name) => [name, valueAt(args, name.split("."))]));
    if (fields.some((name) => hasUnknown(values[name]) || invalidArguments.has(argumentOf(name))))
      continue;
    const secret = (name: string) => context.marked?.includes(name);
    const reason = test(values, context, (name) =>
      nameWithValue(name, { secret: secret(name) }, values[name]),
    );
    if (reason) problems.push({ argument: argumentOf(fields[0]), reason });
  }
  return problems;
}

/** The argument in a path such as `source.kafka.iamRole`. */
function argumentOf(place: string): string {
  return place.split(".")[0] ?? "";
}

/** The values in canonical form, with lists in their former order. */
function normalize({ fields }: Definition, oldInputs: Properties, args: Properties): Properties {
  return withFieldValues(fields, args, ({ path, field }) => {
    const value = valueAt(args, path);
    if (Array.isArray(value) && field.list)
      return { value: normalizeList(field, field.list, valueAt(oldInputs, path), value) };
    if (value === undefined || hasUnknown(value)) return undefined;
    const { success, data } = field.schema.safeParse(value);
    return success ? { value: data } : undefined;
  });
}

function normalizeList(
  { schema }: Field,
  rules: ListRules,
  old: unknown,
  list: readonly unknown[],
): unknown[] {
  const entries = distinct(rules, list);
  // The order may matter in a list that is sent as a whole.
  if (rules.send === "whole") return entries;
  // A user may have edited the state.
  const before = schema.safeParse(old).success ? entriesOf(old) : [];
  return keepPositions(rules, before, entries);
}

/** Longer texts are not shown in messages. */
const MAX_SHOWN = 60;
/** Characters of an address, which may contain credentials. */
const ADDRESS = /[@?#]|:\//;

/** The value for a message, if it is short and not secret. */
export function displayValue(
  { secret }: { readonly secret?: boolean | undefined },
  value: unknown,
): string | undefined {
  if (secret) return undefined;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string" || value === UNKNOWN || value.length > MAX_SHOWN) return undefined;
  return ADDRESS.test(value) ? undefined : JSON.stringify(plainText(value));
}

/** An argument's name, with its value if a message may show it. */
export function nameWithValue(
  name: string,
  field: { readonly secret?: boolean | undefined },
  value: unknown,
): string {
  return [name, displayValue(field, value)].filter((part) => part !== undefined).join(" ");
}

/** The warning about a deprecated argument. */
export function describeDeprecation({
  name,
  field,
}: Pick<FieldPath, "name" | "field">): Message | undefined {
  return field.deprecated === undefined
    ? undefined
    : coded("CDB1013", `${name} is deprecated. ${field.deprecated}`);
}
