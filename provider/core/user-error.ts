import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  InvalidResponseError,
  NotFoundError,
  NotReadyError,
  PermissionError,
  RateLimitError,
  UnexpectedResponseError,
  UnreachableError,
} from "../api/errors";
import type { Properties } from "../fields";
import { settingName } from "../names";

/** The settings that lead to each interface. */
export const SETTINGS_FOR = {
  management: { address: "baseUrl", credentials: ["keyId", "keySecret"] },
  observability: { address: "observabilityUrl", credentials: ["accessToken"] },
} as const;

const OTHER_KEYS =
  "`pulumi refresh` and `pulumi destroy` use the keys of the last `pulumi up`: after a change of keys, run `pulumi up` first or add --run-program.";

/** Advice for each class of error; the first match applies. */
const ADVICE: readonly (readonly [
  new (...args: never[]) => ApiError,
  (address: string, credentials: string) => string,
])[] = [
  [UnreachableError, (address) => `Check ${address} and the network, then run the same command again.`],
  [UnexpectedResponseError, (address) => `Check that ${address} is the base URL of the API, without its version.`],
  [InvalidResponseError, (address) => `Check that ${address} is the base URL of the API, then run \`pulumi refresh\`.`],
  [AuthenticationError, (_, credentials) => `Check ${credentials}. ${OTHER_KEYS}`],
  [PermissionError, () => `Grant the key the missing permission, or use another key. ${OTHER_KEYS}`],
  [NotFoundError, () => "Check the ids; `pulumi refresh` shows what still exists."],
  [BadRequestError, () => "Fix the problem named in the API's response."],
  [NotReadyError, () => "It is not ready for changes yet: wait a moment, then run `pulumi up` again."],
  [RateLimitError, () => "Wait until the rate limit resets, then run the same command again."],
];
const RETRY_ADVICE = "Run the same command again; it sends only what still differs.";

/** Advice for an error; empty for a `UserError`, whose message contains it. */
export function adviceFor(error: unknown): string {
  if (error instanceof UserError) return "";
  const advice = ADVICE.find(([errorClass]) => error instanceof errorClass)?.[1];
  if (advice === undefined || !(error instanceof ApiError)) return RETRY_ADVICE;
  const { address, credentials } = SETTINGS_FOR[error.api];
  return advice(settingName(address), credentials.map(settingName).join(" and "));
}

/** The error as the middle of a sentence: without the period that ends one of our own. */
export function describeError(error: unknown): string {
  if (error instanceof UserError) return error.message.replace(/\.$/, "");
  return error instanceof ApiError ? error.message : `unexpected error: ${error}`;
}

/** The warning about unusable parts of a response, if any. */
export function describeInvalidFields(displayName: string, [first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `The API's response for ${displayName} has a value of an undocumented type in ${first}${more}; it was ignored.`;
}

/** Sentences in a row. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** An error whose message is all that the user should read. */
export class UserError extends Error {
  override readonly name: string = "UserError";
}

/** A failed operation that has created or changed something: the object's id, and what is true of it now. */
export class PartialFailure extends UserError {
  readonly id: string;
  readonly state: Properties;

  constructor(id: string, state: Properties, message: string) {
    super(message);
    this.id = id;
    this.state = state;
  }
}
