import { withSentence } from "../errors";
import {
  ApiError,
  asUncertain,
  createStatusError,
  messageOfEnd,
  RATE_LIMITED,
  type RequestFacts,
} from "./errors";
import type { PermitOptions } from "./rate-limiter";

/** The attempts of a call so far. */
export interface Attempts {
  readonly count: number;
  /** The failed attempts that the rate limit did not refuse. */
  readonly failures: number;
  /** The time that the call has waited for permits. */
  readonly waitedMs: number;
  /** The wait since the last response other than a refusal. */
  readonly refusedMs: number;
  readonly lastError?: ApiError;
  /** Stays true once an attempt may have succeeded. */
  readonly mayHaveSucceeded: boolean;
}

export const NO_ATTEMPTS: Attempts = {
  count: 0,
  failures: 0,
  waitedMs: 0,
  refusedMs: 0,
  mayHaveSucceeded: false,
};

/** The limits of a call's waits. */
type Limits = Omit<PermitOptions, "since">;

const MAX_RATE_LIMIT_WAIT_MS = 10 * 60_000;
const MAX_URGENT_WAIT_MS = 60_000;

/**
 * A call is urgent once something has changed that is not stored yet: then only a deadline ends its
 * waits.
 */
export function waitLimits(
  { mayHaveSucceeded, refusedMs }: Attempts,
  isUrgent: boolean,
  ends: Record<"deadline" | "cancellation", AbortSignal | undefined>,
): Limits {
  const isHurried = isUrgent || mayHaveSucceeded;
  return {
    isUrgent: isHurried,
    maxWaitMs: (isHurried ? MAX_URGENT_WAIT_MS : MAX_RATE_LIMIT_WAIT_MS) - refusedMs,
    cancellation: isHurried ? ends.deadline : ends.cancellation,
  };
}

/** Adds an attempt that has waited for its permit. */
export function withAttempt(attempts: Attempts, waitedMs: number): Attempts {
  return {
    ...attempts,
    count: attempts.count + 1,
    waitedMs: attempts.waitedMs + waitedMs,
    refusedMs: attempts.refusedMs + (refusalOf(attempts) === undefined ? 0 : waitedMs),
  };
}

/** Adds a failure other than a refusal. */
export function withFailure(attempts: Attempts, error: ApiError, isWrite: boolean): Attempts {
  return {
    ...attempts,
    failures: attempts.failures + 1,
    refusedMs: 0,
    lastError: error,
    mayHaveSucceeded: attempts.mayHaveSucceeded || (isWrite && error.mayHaveSucceeded),
  };
}

/**
 * The error of a call that gets no permit: the command was canceled, or the wait would be too long.
 */
export function permitError(
  attempts: Attempts,
  facts: RequestFacts,
  { maxWaitMs, cancellation }: Limits,
): ApiError {
  const error = cancellation?.aborted
    ? canceledError(attempts, facts, cancellation)
    : (refusalOf(attempts) ??
      createStatusError(facts, { status: 429, text: tooLong(maxWaitMs), isApi: true }));
  return attempts.mayHaveSucceeded ? asUncertain(error) : error;
}

function canceledError({ lastError }: Attempts, facts: RequestFacts, end: AbortSignal): ApiError {
  const failure = lastError?.response.status ?? lastError?.request.networkCode;
  const again = failure === undefined ? "" : ` again after ${failure}`;
  return new ApiError(
    withSentence(messageOfEnd(end), `while the request waited to be sent${again}`),
    facts,
  );
}

const tooLong = (maxWaitMs: number) =>
  `the rate limit requires a wait of more than ${maxWaitMs / 1000} s`;

function refusalOf({ lastError }: Attempts): ApiError | undefined {
  return lastError?.code === RATE_LIMITED ? lastError : undefined;
}
