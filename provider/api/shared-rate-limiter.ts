import {
  byPriority,
  type Clock,
  LOG_INTERVAL_MS,
  MAX_CONCURRENT,
  MIN_LOGGED_WAIT_MS,
  type Permit,
  pauseMessage,
  type RateLimiter,
  throttlingMessage,
  type Waiter,
} from "./rate-limiter";
import type { Answer, Ending, Message } from "./shared-limit";

/** A process's connection to a shared rate limit. */
export interface Sharing {
  /** A unique name of this process. */
  readonly process: string;
  /** Send a message to the shared state. Fails soon, with a message for the user. */
  readonly exchange: (message: Message) => Promise<Answer>;
}

/** The time for which a process throttles on its own before it tries to share again. */
const RETRY_MS = 10_000;

/**
 * Takes turns with all processes that share the limit, one place in the queue for each. While sharing fails, the
 * process paces itself with the local limiter.
 */
export function createSharedRateLimiter(
  { process, exchange }: Sharing,
  local: RateLimiter,
  clock: Clock,
  log: (line: string) => void,
): RateLimiter {
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  let isAsking = false;
  /** Ends the wait for the next question. */
  let wake = () => {};
  let failedAt: number | undefined;
  let hasReportedFailure = false;
  let loggedPauseUntil = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  /** Asks for permits as long as requests wait. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    for (let next = queue[0]; next !== undefined && inFlight < MAX_CONCURRENT; next = queue[0]) {
      const wanted = Math.min(queue.length, MAX_CONCURRENT - inFlight);
      const answer = await send({ ask: { process, isUrgent: next.options.isUrgent, wanted } });
      if (answer === undefined) break;
      rejectTooLong(answer);
      for (let count = 0; count < answer.granted; count += 1) grantNext(answer.permit + count);
      if (answer.granted > 0 || queue.length === 0) continue;
      logThrottling(answer);
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      await Promise.race([clock.sleep(answer.waitMs), woken]);
    }
    isAsking = false;
  }

  /** The answer; nothing where sharing fails, and all requests are left to the local limiter. */
  async function send(message: Message): Promise<Answer | undefined> {
    try {
      const answer = await exchange(message);
      logPause(answer.closedMs);
      return answer;
    } catch (error) {
      failedAt = clock.now();
      if (!hasReportedFailure) log((error as Error).message);
      hasReportedFailure = true;
      const waiting = queue;
      queue = [];
      for (const waiter of waiting) void acquireLocally(waiter);
      wake();
      return undefined;
    }
  }

  async function acquireLocally({ options, from, resolve }: Waiter): Promise<void> {
    const before = clock.now() - from;
    const permit = await local.acquire(options);
    resolve(permit && { ...permit, waitedMs: before + permit.waitedMs });
  }

  function retryLater(since: number): void {
    if (clock.now() - since < RETRY_MS) return;
    failedAt = clock.now();
    // No permit has this number; any answer shows that sharing works again.
    void exchange({ end: { process, permit: 0, outcome: {} } }).then(
      () => {
        failedAt = undefined;
      },
      () => {},
    );
  }

  function rejectTooLong({ closedMs }: Answer): void {
    const rejected = queue.filter(({ options }) => closedMs > options.maxWaitMs);
    queue = queue.filter((each) => !rejected.includes(each));
    for (const { resolve } of rejected) resolve(undefined);
  }

  function grantNext(number: number): void {
    const [next, ...others] = queue;
    const permit = grant(number, clock.now() - (next?.from ?? 0));
    queue = others;
    if (next === undefined) permit.end({ isUnused: true });
    else next.resolve(permit);
  }

  function grant(number: number, waitedMs: number): Permit & { readonly end: (outcome: Ending) => void } {
    inFlight += 1;
    let hasEnded = false;
    const end = (outcome: Ending) => {
      if (hasEnded) return;
      hasEnded = true;
      inFlight -= 1;
      if (failedAt !== undefined) return;
      // Only after it has arrived the answer to a question shows a pause.
      void send({ end: { process, permit: number, outcome } }).then(() => outcome.refusedMs !== undefined && wake());
      void ask();
    };
    return {
      waitedMs,
      end,
      release: (wasSent = true) => end(wasSent ? {} : { isUnused: true }),
      reportRefusal: (waitMs) => end({ refusedMs: waitMs ?? 0 }),
    };
  }

  function logPause(closedMs: number): void {
    const now = clock.now();
    if (closedMs < MIN_LOGGED_WAIT_MS || now < loggedPauseUntil) return;
    loggedPauseUntil = now + closedMs;
    loggedAt = now;
    log(pauseMessage(closedMs));
  }

  function logThrottling({ closedMs, waiting, requests, windowMs }: Answer): void {
    const now = clock.now();
    if (requests === undefined || windowMs === undefined || closedMs > 0 || now - loggedAt < LOG_INTERVAL_MS) return;
    if (((queue.length * waiting) / requests) * windowMs < MIN_LOGGED_WAIT_MS) return;
    loggedAt = now;
    const others = waiting === 2 ? "another process" : `${waiting - 1} other processes`;
    log(throttlingMessage({ requests, windowMs }, queue.length, waiting > 1 ? `, shared with ${others}` : ""));
  }

  return {
    acquire(options) {
      if (failedAt !== undefined) {
        retryLater(failedAt);
        return local.acquire(options);
      }
      return new Promise((resolve) => {
        const isFirstUrgent = options.isUrgent && !queue.some((each) => each.options.isUrgent);
        queue = [...queue, { options, from: clock.now(), resolve }].sort(byPriority);
        if (isFirstUrgent) wake();
        void ask();
      });
    },
  };
}
