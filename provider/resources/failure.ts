import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ForeignAnswerError,
  NotFoundError,
  NotReadyError,
  PermissionError,
  RateLimitError,
  UnreachableError,
  UnusableAnswerError,
} from "../api";
import { type Properties, settingName } from "../fields";

const OTHER_KEYS =
  "A refresh or destroy uses the settings of the last `pulumi up`: after a change of keys run `pulumi up` first, or add --run-program.";

/** What a user can do about each kind of error. The first that fits holds. */
const ADVICE: readonly (readonly [new (...args: never[]) => ApiError, string])[] = [
  [UnreachableError, `Check ${settingName("baseUrl")} and the network, then run the same command again.`],
  [ForeignAnswerError, `Check that ${settingName("baseUrl")} is the API's own address, without /v1.`],
  [UnusableAnswerError, `Check that ${settingName("baseUrl")} is the API's own address, then run \`pulumi refresh\`.`],
  [AuthenticationError, `Check ${settingName("keyId")} and ${settingName("keySecret")}. ${OTHER_KEYS}`],
  [PermissionError, `Give the key the permission it lacks, or use another. ${OTHER_KEYS}`],
  [NotFoundError, `Check the ids and ${settingName("organizationId")}; \`pulumi refresh\` shows what still exists.`],
  [BadRequestError, "Correct what the API names."],
  [NotReadyError, "It is busy with something else: wait a little, then run `pulumi up` again."],
  [RateLimitError, "Wait until the limit has passed, then run the same command again."],
];
const AGAIN = "Run the same command again: it sends only what still differs.";

/** What to do about an error. A complaint says it itself. */
export function adviceFor(error: unknown): string {
  if (error instanceof Complaint) return "";
  return ADVICE.find(([kind]) => error instanceof kind)?.[1] ?? AGAIN;
}

/** The error as the middle of a sentence. */
export function said(error: unknown): string {
  return error instanceof ApiError || error instanceof Complaint ? error.message : `an unexpected failure, ${error}`;
}

/** Sentences in a row. */
export function paragraph(...sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

/** An error whose message is all that the user should read. */
export class Complaint extends Error {
  override readonly name: string = "Complaint";
}

/** What a failed operation leaves behind, in the form in which the engine stores it. */
export class PartialFailure extends Complaint {
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
