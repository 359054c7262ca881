import { type Message, message, withSentence } from "../errors";
import { CanceledError, type RequestFacts } from "./errors";

/** Signals that end the waits of calls. A request that has been sent is waited for. */
export interface WaitLimits {
  /** Ends the waits of calls that are not urgent. */
  readonly cancellation?: AbortSignal | undefined;
  /** Ends all waits, for the reason that it was aborted with. */
  readonly deadline?: AbortSignal | undefined;
}

/** Why waits have ended: at a deadline, or because the command was canceled. */
export function messageOfEnd({ reason }: AbortSignal): Message {
  return typeof reason === "string" ? (reason as Message) : message("CDB3006.canceled");
}

export function canceledError(
  end: AbortSignal,
  lastFailure: number | string | undefined,
  facts: RequestFacts,
): CanceledError {
  const again = lastFailure === undefined ? "" : ` again after ${lastFailure}`;
  return new CanceledError(withSentence(messageOfEnd(end), `while the request waited to be sent${again}`), facts);
}
