import { CodedError, coded, type Message, withSentence } from "../errors";
import { CanceledError, type RequestFacts } from "./errors";

/** Signals that end the waits of calls. A request that has been sent is waited for. */
export interface WaitLimits {
  /** Ends the waits of calls that are not urgent. */
  readonly cancellation?: AbortSignal | undefined;
  /** Ends all waits, for the coded error that it was aborted with. */
  readonly deadline?: AbortSignal | undefined;
}

/** Why waits have ended: at a deadline, or because the command was canceled. */
export function messageOfEnd({ reason }: AbortSignal): Message {
  return reason instanceof CodedError ? reason.coded : coded("CDB3006", "the command was canceled");
}

export function canceledError(
  end: AbortSignal,
  lastFailure: number | string | undefined,
  facts: RequestFacts,
): CanceledError {
  const again = lastFailure === undefined ? "" : ` again after ${lastFailure}`;
  return new CanceledError(withSentence(messageOfEnd(end), `while the request waited to be sent${again}`), facts);
}
