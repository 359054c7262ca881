import { toSingleLine } from "pulumi-clouddb-facts";
import { ApiError, AuthenticationError, PermissionError } from "../api/errors";
import { adviceOn, codeOf, type Message, message, textOf, withCode } from "../errors";
import { displayValue, type FieldPath, type Properties, valueAt } from "../fields";
import { settingName } from "../names";

/** The settings that lead to each interface. */
export const SETTINGS_FOR = {
  management: { address: "baseUrl", credentials: ["keyId", "keySecret"] },
  observability: { address: "observabilityUrl", credentials: ["accessToken"] },
} as const;

/** The message of an error. */
export function messageOf(error: unknown): Message {
  if (error instanceof UserError || error instanceof ApiError) return error.message;
  return message("CDB9004.unexpected", { error: String(error) });
}

/** The message about an operation that failed with an error: what failed, what is true now, what to do. */
export function describeFailure(operation: string, error: unknown, ...sentences: readonly string[]): Message {
  const reason = messageOf(error);
  // Without the period that ends a sentence of our own.
  const failure = `${operation}: ${textOf(reason).replace(/\.$/, "")}.`;
  return withCode(codeOf(reason), joinSentences(failure, ...sentences, adviceFor(error)));
}

/** Advice for an error; empty for a `UserError`, whose message contains it. */
function adviceFor(error: unknown): string {
  if (error instanceof UserError) return "";
  const { address, credentials } = SETTINGS_FOR[error instanceof ApiError ? error.api : "management"];
  const names = credentials.map(settingName).join(" and ");
  const origin = error instanceof ApiError ? error.keyOrigin : undefined;
  const advice = adviceOn(codeOf(messageOf(error)), {
    address: settingName(address),
    credentials: names,
    origin: origin?.name ?? names,
  });
  const isRefused = error instanceof AuthenticationError || error instanceof PermissionError;
  return isRefused && origin?.isStored ? joinSentences(advice, textOf(message("CDB3401.stored"))) : advice;
}

/** The warning about unusable parts of a response, if any. */
export function describeInvalidFields(object: string, [first, ...others]: readonly string[]): Message | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return message("CDB3011.ignored", { object, places: `${first}${more}` });
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
  return message("CDB5008.foreign", {
    object,
    list,
    entries: isSecret ? count : `${count} (${shown.join(", ")}${more})`,
  });
}

/** Sentences in a row. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** An error whose message is all that the user should read. */
export class UserError extends Error {
  override readonly name: string = "UserError";
  declare readonly message: Message;

  constructor(text: Message, options?: ErrorOptions) {
    super(text, options);
  }
}

/** A failed operation that has created or changed something: the object's id, and what is true of it now. */
export class PartialFailure extends UserError {
  readonly id: string;
  readonly state: Properties;

  constructor(id: string, state: Properties, text: Message) {
    super(text);
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
  return has && declared
    ? `${name} is ${has} but the program declares ${declared}`
    : `${name} differs from what the program declares`;
}
