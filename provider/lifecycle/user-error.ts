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
import { type Properties, settingName } from "../fields";

/** The settings that lead to each interface. */
export const SETTINGS_FOR = {
  management: { address: "baseUrl", credentials: ["keyId", "keySecret"] },
  observability: { address: "observabilityUrl", credentials: ["accessToken"] },
} as const;

const OTHER_KEYS =
  "A refresh or destroy uses the settings of the last `pulumi up`: after a change of keys run `pulumi up` first, or add --run-program.";

/** What a user can do about each kind of error. The first that fits holds. */
const ADVICE: readonly (readonly [
  new (...args: never[]) => ApiError,
  (address: string, credentials: string) => string,
])[] = [
  [UnreachableError, (address) => `Check ${address} and the network, then run the same command again.`],
  [UnexpectedResponseError, (address) => `Check that ${address} is the API's own address, without its version.`],
  [InvalidResponseError, (address) => `Check that ${address} is the API's own address, then run \`pulumi refresh\`.`],
  [AuthenticationError, (_, credentials) => `Check ${credentials}. ${OTHER_KEYS}`],
  [PermissionError, () => `Give the key the permission it lacks, or use another. ${OTHER_KEYS}`],
  [NotFoundError, () => "Check the ids; `pulumi refresh` shows what still exists."],
  [BadRequestError, () => "Correct what the API names."],
  [NotReadyError, () => "It is busy with something else: wait a little, then run `pulumi up` again."],
  [RateLimitError, () => "Wait until the limit has passed, then run the same command again."],
];
const RETRY_ADVICE = "Run the same command again: it sends only what still differs.";

/** What to do about an error. A complaint says it itself. */
export function adviceFor(error: unknown): string {
  if (error instanceof UserError) return "";
  const advice = ADVICE.find(([kind]) => error instanceof kind)?.[1];
  if (advice === undefined || !(error instanceof ApiError)) return RETRY_ADVICE;
  const { address, credentials } = SETTINGS_FOR[error.api];
  return advice(settingName(address), credentials.map(settingName).join(" and "));
}

/** The error as the middle of a sentence. */
export function describeError(error: unknown): string {
  return error instanceof ApiError || error instanceof UserError ? error.message : `an unexpected failure, ${error}`;
}

/** What a user reads about the places of an answer that cannot be used, if there are any. */
export function describeInvalidFields(called: string, [first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  return `The API's answer about ${called} has an undocumented type in ${first}${more}; it was ignored.`;
}

/** Sentences in a row. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** An error whose message is all that the user should read. */
export class UserError extends Error {
  override readonly name: string = "Complaint";
}

/** What a failed operation leaves behind, in the form in which the engine stores it. */
export class PartialFailure extends UserError {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: string[];

  constructor(id: string, properties: Properties, message: string) {
    super(message);
    this.id = id;
    this.properties = properties;
    this.reasons = [message];
  }
}
