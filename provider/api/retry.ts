import { type ApiError, INTERRUPTED, PROXY_LOGIN, UNREACHABLE } from "./errors";

/** The effect of sending a request twice. */
export type Idempotency =
  /** No effect: the request only reads. */
  | "read"
  /** No effect: the request sets the same values again. */
  | "set"
  /** A repeated list change: the effect of the first change must be read before the second. */
  | "list"
  /** A second object, which costs money. */
  | "create";

export interface RetryState {
  readonly idempotency: Idempotency;
  /** True if earlier changes are not stored yet. */
  readonly isUrgent: boolean;
  readonly error: Pick<ApiError, "code" | "response">;
  /** Failures of this request, including the current failure, except refusals by the rate limit. */
  readonly failures: number;
  readonly maxRetries: number;
  /** Time since the first attempt, without waits for a rate limit. */
  readonly elapsedMs: number;
  /** A number from 0 to 1. */
  readonly random: number;
}

export interface Retry {
  readonly waitMs: number;
  /** True where the server has to be read first, because the request may have been carried out. */
  readonly readFirst: boolean;
}

const INITIAL_WAIT_MS = 500;
const MAX_WAIT_MS = 15_000;
/** The time for retries of a write: short enough to finish after the first Ctrl-C. */
const WRITE_BUDGET_MS = 60_000;
const NOT_READY_BUDGET_MS = 120_000;
/** The total wait that a server may request of a read. */
const READ_BUDGET_MS = 10 * 60_000;
const NOT_READY = new Set([409, 423, 424, 425]);
const TRANSIENT = new Set([408, 500, 502, 503, 504]);

/** Decide if and when to retry after a failure other than a rate limit. */
export function decideRetry(state: RetryState): Retry | undefined {
  const { idempotency, isUrgent, error, failures, maxRetries, elapsedMs, random } = state;
  const { status = 0, waitMs: requestedMs = 0 } = error.response;
  const backoffMs = Math.round(
    random * Math.min(MAX_WAIT_MS, INITIAL_WAIT_MS * 2 ** (failures - 1)),
  );
  const waitMs = Math.max(requestedMs, backoffMs);
  const fits = (budgetMs: number) => elapsedMs + waitMs <= budgetMs;
  const retry = { waitMs, readFirst: false };

  if (NOT_READY.has(status)) {
    const isUpdate = idempotency === "set" || idempotency === "list";
    return maxRetries > 0 && isUpdate && fits(NOT_READY_BUDGET_MS) ? retry : undefined;
  }
  // The effect of a list change is read once, no matter how long the first attempt took.
  const isFirstRead = idempotency === "list" && failures === 1 && requestedMs === 0;
  const isPatientRead =
    idempotency === "read" && !isUrgent && (requestedMs === 0 || fits(READ_BUDGET_MS));
  if (failures > maxRetries || !(isPatientRead || isFirstRead || fits(WRITE_BUDGET_MS)))
    return undefined;
  if (error.code === UNREACHABLE || error.code === PROXY_LOGIN) return retry;
  const isTransient = error.code === INTERRUPTED || TRANSIENT.has(status);
  if (!isTransient || idempotency === "create") return undefined;
  return { waitMs, readFirst: idempotency === "list" };
}
