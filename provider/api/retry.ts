import { type ErrorCode, withSentence } from "../errors";
import {
  ApiError,
  asUncertain,
  createStatusError,
  INTERRUPTED,
  messageOfEnd,
  PROXY_LOGIN,
  RATE_LIMITED,
  type RequestFacts,
  UNREACHABLE,
} from "./errors";
import type { Body } from "./http";
import type { PermitOptions } from "./rate-limiter";

/** The effect of a repeated request. */
export type Idempotency =
  /** None: the request only reads. */
  | "read"
  /** None: the request sets the same values again. */
  | "set"
  /** A repeated list change. The first attempt's effect must be read before the second. */
  | "list"
  /** A second object, which costs money. */
  | "create";

type Step =
  /** Send again as soon as the rate limit permits. */
  | "send"
  /** Wait and send again. */
  | "wait"
  /** Wait, read the request's effect, and send the remaining changes. */
  | "read"
  /** Wait and send again until the object is ready, without counting retries. */
  | "poll";

interface Row extends Readonly<Partial<Record<Idempotency, Step>>> {
  /** Statuses of responses, and codes of failures without a response. */
  readonly failures: readonly (number | ErrorCode)[];
  /** The total time for polling. */
  readonly budgetMs?: number;
}

const NOT_READY_BUDGET_MS = 120_000;
/**
 * An idle service does not wake up by itself, so waiting only helps a service that is already
 * waking.
 */
const IDLE_BUDGET_MS = 20_000;

/** The steps after failures. Combinations that are not in this table fail the call. */
const STEPS: readonly Row[] = [
  // Refused by the rate limit.
  { failures: [429], read: "send", set: "send", list: "send", create: "send" },
  // Did not reach the server.
  { failures: [UNREACHABLE, PROXY_LOGIN], read: "wait", set: "wait", list: "wait", create: "wait" },
  // The object is not ready for changes.
  { failures: [409, 423, 425], set: "poll", list: "poll", budgetMs: NOT_READY_BUDGET_MS },
  // The service is idle or not provisioned yet.
  { failures: [424], read: "poll", set: "poll", list: "poll", budgetMs: IDLE_BUDGET_MS },
  // The server may have executed the request.
  { failures: [INTERRUPTED, 408, 500, 502, 503, 504], read: "wait", set: "wait", list: "read" },
];

/** The facts that decide a call's next step. */
export interface CallState {
  readonly idempotency: Idempotency;
  /** True if earlier changes are not stored yet. */
  readonly isUrgent: boolean;
  readonly maxRetries: number;
  /** The time since the first attempt, including waits for permits. */
  readonly elapsedMs: number;
  /** A number from 0 to 1. */
  readonly random: number;
  readonly readFirst?: ReadFirst | undefined;
}

/** Reads the effect of earlier attempts. Returns the remaining changes, if any. */
export type ReadFirst = () => Promise<Body | undefined>;

type Next =
  | { readonly kind: "send" }
  | { readonly kind: "wait"; readonly waitMs: number }
  | { readonly kind: "read"; readonly waitMs: number; readonly readFirst: ReadFirst }
  | { readonly kind: "fail"; readonly error: ApiError };

const INITIAL_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** The time for retries of a write, short enough to finish after the first Ctrl-C. */
const WRITE_BUDGET_MS = 60_000;
/** The total wait that a server may request from a read. */
const READ_BUDGET_MS = 10 * 60_000;

/** Adds a failed attempt and decides the next step. */
export function afterFailure(
  before: Attempts,
  error: ApiError,
  call: CallState,
): readonly [Attempts, Next] {
  const { idempotency, maxRetries, elapsedMs, random, readFirst } = call;
  const { status, waitMs: requestedMs = 0 } = error.response;
  const row = STEPS.find(({ failures }) =>
    failures.some((failure) => failure === status || failure === error.code),
  );
  const step = row?.[idempotency];
  if (step === "send") return [{ ...before, lastError: error }, { kind: "send" }];

  const attempts = withFailure(before, error, idempotency !== "read");
  const { failures, mayHaveSucceeded, waitedMs } = attempts;
  const backoffMs = Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** (failures - 1));
  const waitMs = Math.max(requestedMs, Math.round(random * backoffMs));
  const mayRetry = step === "poll" ? maxRetries > 0 : failures <= maxRetries;
  const budgetMs = (step === "poll" && row?.budgetMs) || budgetOf(call, failures, requestedMs);
  if (mayRetry && elapsedMs - waitedMs + waitMs <= budgetMs) {
    if (step === "wait" || step === "poll") return [attempts, { kind: "wait", waitMs }];
    if (step === "read" && readFirst) return [attempts, { kind: "read", waitMs, readFirst }];
  }
  return [attempts, { kind: "fail", error: mayHaveSucceeded ? asUncertain(error) : error }];
}

/** The total time for a call, except waits for permits. */
function budgetOf(
  { idempotency, isUrgent }: CallState,
  failures: number,
  requestedMs: number,
): number {
  // A list change's effect is read once, however long the first attempt took.
  if (idempotency === "list" && failures === 1 && requestedMs === 0) return Infinity;
  if (idempotency !== "read" || isUrgent) return WRITE_BUDGET_MS;
  return requestedMs === 0 ? Infinity : READ_BUDGET_MS;
}

/** The attempts of a call so far. */
export interface Attempts {
  readonly count: number;
  /** Failed attempts, except refusals by the rate limit. */
  readonly failures: number;
  /** The total wait for permits. */
  readonly waitedMs: number;
  /** The wait since the last response that was not a refusal. */
  readonly refusedMs: number;
  readonly lastError?: ApiError;
  /** Stays true after an attempt that may have succeeded. */
  readonly mayHaveSucceeded: boolean;
}

export const NO_ATTEMPTS: Attempts = {
  count: 0,
  failures: 0,
  waitedMs: 0,
  refusedMs: 0,
  mayHaveSucceeded: false,
};

type Limits = Omit<PermitOptions, "since">;

const MAX_RATE_LIMIT_WAIT_MS = 10 * 60_000;
const MAX_URGENT_WAIT_MS = 60_000;

/** A call is urgent after a change that is not stored yet. Then only a deadline ends its waits. */
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

/** Adds an attempt and its wait for a permit. */
export function withAttempt(attempts: Attempts, waitedMs: number): Attempts {
  return {
    ...attempts,
    count: attempts.count + 1,
    waitedMs: attempts.waitedMs + waitedMs,
    refusedMs: attempts.refusedMs + (refusalOf(attempts) === undefined ? 0 : waitedMs),
  };
}

/** Adds a failure other than a refusal. */
function withFailure(attempts: Attempts, error: ApiError, isWrite: boolean): Attempts {
  return {
    ...attempts,
    failures: attempts.failures + 1,
    refusedMs: 0,
    lastError: error,
    mayHaveSucceeded: attempts.mayHaveSucceeded || (isWrite && error.mayHaveSucceeded),
  };
}

/**
 * The error of a call without a permit: the command was canceled, or the wait would be too long.
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
