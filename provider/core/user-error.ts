import { toSingleLine } from "pulumi-clouddb-facts";
import { ApiError } from "../api/errors";
import { adviceOn, CodedError, coded, type Message } from "../errors";
import { displayValue, entriesOf, type FieldPath, type Properties, valueAt } from "../fields";
import { SECRETS, settingName } from "../names";

/** The settings that lead to each interface. */
export const SETTINGS_FOR = {
  management: { address: "baseUrl", credentials: ["keyId", "keySecret"] },
  observability: { address: "observabilityUrl", credentials: ["accessToken"] },
} as const;

/** The message of an error. */
export function messageOf(error: unknown): Message {
  return error instanceof CodedError ? error.coded : coded("CDB9004", `unexpected error: ${error}`);
}

/** The message about an operation that failed with an error: what failed, what is true now, what to do. */
export function describeFailure(operation: string, error: unknown, ...sentences: readonly string[]): Message {
  const { code, text } = messageOf(error);
  // Without the period that ends a sentence of our own.
  const failure = `${operation}: ${text.replace(/\.$/, "")}.`;
  return coded(code, [failure, ...sentences, adviceFor(error)].filter((sentence) => sentence !== "").join(" "));
}

/** Advice for an error; empty for a `UserError`, whose message contains it. */
function adviceFor(error: unknown): string {
  if (error instanceof UserError) return "";
  const request = error instanceof ApiError ? error.request : undefined;
  const keyOrigin = request?.keyOrigin;
  const { address, credentials } = SETTINGS_FOR[request?.api ?? "management"];
  const names = credentials.map(settingName).join(" and ");
  const { code } = messageOf(error);
  const origin = keyOrigin?.name ?? names;
  const advice = adviceOn(code, { address: settingName(address), credentials: names, origin });
  const isRefused = code === "CDB3401" || code === "CDB3403";
  if (!isRefused || !keyOrigin?.isStored) return advice;
  return `${advice} \`pulumi refresh\` and \`pulumi destroy\` use the keys of the last \`pulumi up\`: after a change of keys, run \`pulumi up\` first or add --run-program.`;
}

/** The warning about unusable parts of a response, if any. */
export function describeInvalidFields(object: string, [first, ...others]: readonly string[]): Message | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  const text = `The API's response for ${object} has a value of an undocumented type in ${first}${more}; it was ignored.`;
  return coded("CDB3011", text);
}

const MAX_ENTRIES = 3;
const MAX_ENTRY_LENGTH = 60;

/** The warning about entries that a list has and the program does not declare; those of a secret list are counted only. */
export function describeForeignEntries(
  object: string,
  list: string,
  keys: readonly string[],
  isSecret: boolean,
): Message {
  const count = keys.length === 1 ? "1 entry" : `${keys.length} entries`;
  const shown = keys.slice(0, MAX_ENTRIES).map((key) => toSingleLine(key, MAX_ENTRY_LENGTH));
  const more = keys.length > MAX_ENTRIES ? ` and ${keys.length - MAX_ENTRIES} more` : "";
  const entries = isSecret ? count : `${count} (${shown.join(", ")}${more})`;
  const fact = `${list} of ${object} has ${entries} that the program does not declare.`;
  const advice = "The update did not change this: `pulumi up --refresh` removes what the program does not declare.";
  return coded("CDB5008", `${fact} ${advice}`);
}

/** An error whose message is all that the user should read. */
export class UserError extends CodedError {
  override readonly name: string = "UserError";
}

/** A failed operation that has created or changed something: the object's id, and what is true of it now. */
export class PartialFailure extends UserError {
  readonly id: string;
  readonly state: Properties;

  constructor(id: string, state: Properties, message: Message, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.state = state;
  }
}

/** A difference between an object and its declaration that no update can resolve. */
export function describeDifference(
  { name, path, apiPath, field }: FieldPath,
  current: Properties,
  inputs: Properties,
): string {
  const has = displayValue(field, valueAt(current, apiPath));
  const declared = displayValue(field, valueAt(inputs, path));
  const isMarked = entriesOf(inputs[SECRETS]).includes(name);
  return has && declared && !isMarked
    ? `${name} is ${has} but the program declares ${declared}`
    : `${name} differs from what the program declares`;
}

/** The error about differences that no update can resolve; the advice, if any, continues that sentence. */
export function contradictionError(operation: string, differences: string, advice = ""): UserError {
  const text = `${operation}: ${differences}. An update cannot change this${advice}. Nothing was changed.`;
  return new UserError(coded("CDB4004", text));
}
