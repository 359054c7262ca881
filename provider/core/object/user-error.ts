import { ApiError, NOT_FOUND } from "../../api/errors";
import { adviceOn, CodedError, coded, type ErrorCode, type Message } from "../../errors";
import type { Properties } from "../../fields";
import { settingName } from "../../names";

/** The address and credentials settings of each interface. */
export const SETTINGS_FOR = {
  management: { address: "baseUrl", credentials: ["keyId", "keySecret"] },
  observability: { address: "observabilityUrl", credentials: ["accessToken"] },
} as const;

export function messageOf(error: unknown): Message {
  return error instanceof CodedError ? error.coded : coded("CDB9004", `unexpected error: ${error}`);
}

/**
 * The message about a failed operation: what failed, what is true now, what to do. `ids` are the
 * arguments that locate an object outside of the state.
 */
export function describeFailure(
  operation: string,
  error: unknown,
  sentences: readonly string[],
  ids?: readonly string[],
): Message {
  const { code, text } = messageOf(error);
  // Avoids a second period.
  const failure = `${operation}: ${text.replace(/\.$/, "")}.`;
  const advice = code === NOT_FOUND && ids ? adviceOnIds(ids, error) : adviceFor(error);
  return coded(
    code,
    [failure, ...sentences, advice].filter((sentence) => sentence !== "").join(" "),
  );
}

const LIST = new Intl.ListFormat("en");

/** Advice for a 404: an id may be wrong, or belong to another account or server. */
function adviceOnIds(ids: readonly string[], error: unknown): string {
  const { baseUrl, keyOrigin } = (error as ApiError).request;
  const names = ids.map((id) => (id === "organizationId" ? `${id} or ${settingName(id)}` : id));
  const check = names.length > 0 ? `Check ${LIST.format(names)}. ` : "";
  return `${check}The request went to ${baseUrl} with the key from ${keyOrigin?.name}; to use another account, pass \`provider\`, or \`parent\` in a component.`;
}

/** Advice for an error. A `UserError` already contains its advice. */
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
  const keys = "`pulumi refresh` and `pulumi destroy` use the keys of the last `pulumi up`";
  return `${advice} ${keys}: after a change of keys, run \`pulumi up\` first or add --run-program.`;
}

/** An error whose message is written for users, with advice. */
export class UserError extends CodedError {
  override readonly name: string = "UserError";
}

export function userError(code: ErrorCode, ...parts: readonly string[]): UserError {
  return new UserError(coded(code, ...parts));
}

/** The error of an operation that failed before it changed anything. */
export function unchangedError(
  operation: string,
  error: unknown,
  ids?: readonly string[],
): UserError {
  const text = describeFailure(operation, error, ["Nothing was changed."], ids);
  return new UserError(text, { cause: error });
}

/** A failed operation with an effect. Has the object's id and state. */
export class PartialFailure extends UserError {
  readonly id: string;
  readonly state: Properties;

  constructor(id: string, state: Properties, message: Message, options?: ErrorOptions) {
    super(message, options);
    this.id = id;
    this.state = state;
  }
}
