import { toSingleLine } from "pulumi-clouddb-facts";
import { ApiError, NOT_FOUND } from "../../api/errors";
import { adviceOn, CodedError, coded, type Message } from "../../errors";
import {
  displayValue,
  entriesOf,
  entriesToReturn,
  type FieldPath,
  knownValue,
  type Properties,
  valueAt,
  withoutKeys,
} from "../../fields";
import { SECRETS, settingName } from "../../names";

/** The settings that lead to each interface. */
export const SETTINGS_FOR = {
  management: { address: "baseUrl", credentials: ["keyId", "keySecret"] },
  observability: { address: "observabilityUrl", credentials: ["accessToken"] },
} as const;

export function messageOf(error: unknown): Message {
  return error instanceof CodedError ? error.coded : coded("CDB9004", `unexpected error: ${error}`);
}

/**
 * The message about an operation that failed with an error: what failed, what is true now, what to
 * do. `ids` are the arguments that locate an object outside of the state, which no refresh shows.
 */
export function describeFailure(
  operation: string,
  error: unknown,
  sentences: readonly string[],
  ids?: readonly string[],
): Message {
  const { code, text } = messageOf(error);
  // Drops the final period of a sentence of our own.
  const failure = `${operation}: ${text.replace(/\.$/, "")}.`;
  const advice = code === NOT_FOUND && ids ? adviceOnIds(ids, error) : adviceFor(error);
  return coded(
    code,
    [failure, ...sentences, advice].filter((sentence) => sentence !== "").join(" "),
  );
}

const LIST = new Intl.ListFormat("en");

/**
 * Advice for a 404: an id may be wrong, or belong to another account or server than the settings.
 */
function adviceOnIds(ids: readonly string[], error: unknown): string {
  const { baseUrl, keyOrigin } = (error as ApiError).request;
  const names = ids.map((id) => (id === "organizationId" ? `${id} or ${settingName(id)}` : id));
  const check = names.length > 0 ? `Check ${LIST.format(names)}. ` : "";
  return `${check}The request went to ${baseUrl} with the key from ${keyOrigin?.name}.`;
}

/** Advice for an error; empty for a `UserError`, whose message contains it. */
function adviceFor(error: unknown): string {
  if (error instanceof UserError) return "";
  const request = error instanceof ApiError ? error.request : undefined;
  const keyOrigin = request?.keyOrigin;
  const { address, credentials } = SETTINGS_FOR[request?.api ?? "management"];
  const names = credentials.map((key) => settingName(key)).join(" and ");
  const { code } = messageOf(error);
  const origin = keyOrigin?.name ?? names;
  const proxyVariable = request?.proxyVariable;
  const settings = { address: settingName(address), credentials: names, origin, proxyVariable };
  const advice = adviceOn(code, settings);
  const isRefused = code === "CDB3401" || code === "CDB3403";
  if (!isRefused || !keyOrigin?.isStored) return advice;
  return `${advice} \`pulumi refresh\` and \`pulumi destroy\` use the keys of the last \`pulumi up\`: after a change of keys, run \`pulumi up\` first or add --run-program.`;
}

/** The warning about unusable parts of a response, if any. */
export function describeInvalidFields(
  object: string,
  [first, ...others]: readonly string[],
): Message | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const text = `The API's response for ${object} has a value of an undocumented type in ${first}${more}; it was ignored.`;
  return coded("CDB3011", text);
}

const MAX_ENTRIES = 10;
const MAX_ENTRY_LENGTH = 60;

/** The number of entries, and the first ones unless the list is secret. */
export function describeEntries(keys: readonly string[], isSecret: boolean): string {
  const count = keys.length === 1 ? "1 entry" : `${keys.length} entries`;
  const shown = keys.slice(0, MAX_ENTRIES).map((key) => toSingleLine(key, MAX_ENTRY_LENGTH));
  const more = keys.length > MAX_ENTRIES ? ` and ${keys.length - MAX_ENTRIES} more` : "";
  return isSecret ? count : `${count} (${shown.join(", ")}${more})`;
}

/** A warning for each list with entries that one request removes and the next one adds again. */
export function describeReturning(
  object: string,
  changed: readonly FieldPath[],
  state: Properties,
  inputs: Properties,
): Message[] {
  return changed.flatMap((fieldPath) => {
    const { name, field } = fieldPath;
    const entries = entriesToReturn(fieldPath, state, inputs);
    if (field.list === undefined || entries.length === 0) return [];
    const keys = describeEntries(entries.map(field.list.key), isMarked(name, inputs));
    const fact = `Changing ${keys} of ${name} of ${object} takes two requests: one removes, the other adds again.`;
    return [coded("CDB5020", `${fact} ${field.list.inTwoSteps}`)];
  });
}

/** The warning about entries that a list has and the program does not declare. */
export function describeForeignEntries(object: string, list: string, entries: string): Message {
  const fact = `${list} of ${object} has ${entries} that the program does not declare.`;
  const advice =
    "The update did not change this: `pulumi up --refresh` removes what the program does not declare.";
  return coded("CDB5008", `${fact} ${advice}`);
}

/** An error whose message is all that the user should read. */
export class UserError extends CodedError {
  override readonly name: string = "UserError";
}

/**
 * A failed operation that has created or changed something: the object's id, and what is true of it
 * now.
 */
export class PartialFailure extends UserError {
  readonly id: string;
  readonly state: Properties;

  constructor(id: string, state: Properties, message: Message, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.state = state;
  }
}

/**
 * A changed value, such as `numReplicas from 3 to 2`, or the entries that a list gains and loses.
 */
export function describeChange(
  fieldPath: FieldPath,
  state: Properties,
  inputs: Properties,
): string {
  const { name, path, field } = fieldPath;
  const secret = field.secret ?? isMarked(name, inputs);
  const declared = valueAt(inputs, path);
  const known = knownValue(state, fieldPath, declared);
  const [from, to] = [known, declared].map((value) => displayValue({ secret }, value));
  if (from && to) return `${name} from ${from} to ${to}`;
  if (field.list === undefined) return name;
  const { key } = field.list;
  const [added, removed] = [
    withoutKeys(field.list, entriesOf(declared), entriesOf(known)),
    withoutKeys(field.list, entriesOf(known), entriesOf(declared)),
  ];
  const gains = added.length > 0 ? `, adding ${describeEntries(added.map(key), secret)}` : "";
  const losses =
    removed.length > 0 ? `, removing ${describeEntries(removed.map(key), secret)}` : "";
  return name + gains + losses;
}

export function isMarked(name: string, inputs: Properties): boolean {
  return entriesOf(inputs[SECRETS]).includes(name);
}

/** A difference between an object and its declaration that no update can resolve. */
export function describeDifference(
  { name, path, apiPath, field }: FieldPath,
  current: Properties,
  inputs: Properties,
): string {
  const has = displayValue(field, valueAt(current, apiPath));
  const declared = displayValue(field, valueAt(inputs, path));
  return has && declared && !isMarked(name, inputs)
    ? `${name} is ${has} but the program declares ${declared}`
    : `${name} differs from what the program declares`;
}

/**
 * The error about differences that no update can resolve; the advice, if any, continues that
 * sentence.
 */
export function contradictionError(operation: string, differences: string, advice = ""): UserError {
  const text = `${operation}: ${differences}. An update cannot change this${advice}. Nothing was changed.`;
  return new UserError(coded("CDB4004", text));
}
