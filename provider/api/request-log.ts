import { ApiError, type RequestFacts } from "./errors";
import type { Outcome } from "./send";

/** The reasons for which a call takes time. */
export type Activity = "rateLimit" | "retry" | "response";

/** The wait for the next attempt of a call: the time that a response requested, or the client's own. */
export type RetryWait = { readonly retryAfterMs?: number; readonly backOffMs?: number };

/** One attempt of a request. It holds no body, no header and no query. */
export interface LoggedRequest extends RetryWait {
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  /** Of the response; absent where there was none. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The code of the failure, if any: of the network's, or else of the provider's message. */
  readonly error?: string | undefined;
  readonly sentAt: number;
  readonly durationMs: number;
  readonly rateLimitMs: number;
}

/** An observer of all requests. */
export interface RequestLog {
  readonly add: (request: LoggedRequest) => void;
  /** Measures the time that work takes. */
  readonly measure: <Result>(activity: Activity, work: Promise<Result>) => Promise<Result>;
}

export const NO_LOG: RequestLog = { add: () => {}, measure: (_, work) => work };

/** The parts of a logged request that its outcome tells. */
export function describeOutcome(
  { method, path, attempts }: RequestFacts,
  outcome: Outcome<unknown>,
): Pick<LoggedRequest, "method" | "path" | "attempt" | "status" | "requestId" | "error"> {
  const { status, requestId } = outcome;
  const error = outcome instanceof ApiError ? (outcome.networkCode ?? outcome.code) : undefined;
  return { method, path, attempt: attempts, status, requestId, error };
}
