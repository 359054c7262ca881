import { coded, type Message } from "../errors";

/** The client's clock, replaceable in tests. */
export interface Clock {
  readonly now: () => number;
  /** Waits. An aborted signal ends the wait early. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface PermitOptions {
  /** The start of the wait, including refusals. The oldest request goes first. */
  readonly since: number;
  /** The longest acceptable pause. */
  readonly maxWaitMs: number;
  /** Takes precedence over new operations. */
  readonly isUrgent: boolean;
  readonly cancellation?: AbortSignal | undefined;
}

/** Permission to send one request. */
export interface Permit {
  readonly waitedMs: number;
  /**
   * Call it after the response, or if none will come. Further calls have no effect. An unused
   * permit is returned.
   */
  readonly release: (wasSent?: boolean) => void;
  /** Call it after a refusal by the rate limit. `waitMs` is the requested wait, if any. */
  readonly reportRefusal: (waitMs: number | undefined) => void;
}

/** Throttles all requests of a process. */
export interface RateLimiter {
  /** Waits for a permit; undefined if the wait is too long or was canceled. */
  readonly acquire: (options: PermitOptions) => Promise<Permit | undefined>;
}

/** A number of requests per window. */
export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

export interface Quota {
  /** Takes one request if the limit permits it now. */
  readonly take: (isUrgent: boolean) => Promise<Grant | Delay>;
  /** The maximum number of concurrent requests, for a quota shared by all processes. */
  readonly maxConcurrent?: number;
}

type Grant = Omit<Permit, "waitedMs">;

export interface Delay {
  /** The time until the quota can be asked again. */
  readonly waitMs: number;
  /** The pause that the API requested. */
  readonly pauseMs: number;
  readonly limit: Limit;
}

interface Waiter {
  readonly options: PermitOptions;
  readonly from: number;
  readonly resolve: (permit: Permit | undefined) => void;
}

/** The API refuses more concurrent requests under a limit such as the published one. */
export const MAX_CONCURRENT = 10;
/** The longest pause, so that a wrong response does not block a key forever. */
export const MAX_PAUSE_MS = 10 * 60_000;
/** Shorter waits are not logged. */
export const MIN_LOGGED_WAIT_MS = 3000;
export const LOG_INTERVAL_MS = 30_000;

/** Queues the requests of a process: urgent ones first, then the oldest. */
export function createRateLimiter(
  clock: Clock,
  log: (line: Message) => void,
  quota: Quota,
): RateLimiter {
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  /** Present while the queue is served. Aborted after a change, to ask the quota again. */
  let news: AbortController | undefined;
  const logDelay = delayLog(clock, log);
  const { maxConcurrent = MAX_CONCURRENT } = quota;

  async function serve(): Promise<void> {
    reject(({ cancellation }) => cancellation?.aborted === true);
    news?.abort();
    if (news !== undefined) return;
    for (let next = queue[0]; next !== undefined && inFlight < maxConcurrent; next = queue[0]) {
      news = new AbortController();
      const answer = await quota.take(next.options.isUrgent);
      if ("release" in answer) grantNext(answer);
      else await delay(answer, news.signal);
    }
    news = undefined;
  }

  /** Ends the waits of requests that are canceled, or would wait too long. */
  function reject(isHopeless: (options: PermitOptions) => boolean): void {
    for (const { options, resolve } of queue) if (isHopeless(options)) resolve(undefined);
    queue = queue.filter(({ options }) => !isHopeless(options));
  }

  function grantNext({ release, reportRefusal }: Grant): void {
    const [next, ...others] = queue;
    queue = others;
    inFlight += 1;
    let hasEnded = false;
    const endOnce = (end: () => void) => {
      if (hasEnded) return;
      hasEnded = true;
      inFlight -= 1;
      end();
      void serve();
    };
    const permit: Permit = {
      waitedMs: clock.now() - (next?.from ?? 0),
      release: (wasSent) => endOnce(() => release(wasSent)),
      reportRefusal: (waitMs) => endOnce(() => reportRefusal(waitMs)),
    };
    // The request may have been canceled meanwhile.
    if (next === undefined) permit.release(false);
    else next.resolve(permit);
  }

  async function delay(answer: Delay, signal: AbortSignal): Promise<void> {
    reject(({ maxWaitMs }) => answer.pauseMs > maxWaitMs);
    logDelay(answer, queue);
    if (queue.length > 0) await clock.sleep(answer.waitMs, signal);
  }

  const onAbort = () => void serve();
  return {
    acquire: (options) =>
      new Promise((resolve) => {
        queue = [...queue, { options, from: clock.now(), resolve }].sort(byPriority);
        // A shared signal gets this listener only once.
        options.cancellation?.addEventListener("abort", onAbort);
        void serve();
      }),
  };
}

/** Logs long waits of a queue without repetition. */
function delayLog(clock: Clock, log: (line: Message) => void) {
  let loggedPauseUntil = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  return ({ waitMs, pauseMs, limit }: Delay, queue: readonly Waiter[]): void => {
    const now = clock.now();
    if (pauseMs > 0) {
      const seconds = Math.ceil(pauseMs / 1000);
      if (seconds * 1000 < MIN_LOGGED_WAIT_MS || now < loggedPauseUntil) return;
      [loggedPauseUntil, loggedAt] = [now + pauseMs, now];
      log(
        coded(
          "CDB3008",
          `The API's rate limit was reached; all requests are paused for ${seconds} s.`,
        ),
      );
      return;
    }
    const longestMs = Math.max(waitMs, ...queue.map(({ from }) => now - from));
    if (queue.length === 0 || longestMs < MIN_LOGGED_WAIT_MS || now - loggedAt < LOG_INTERVAL_MS)
      return;
    loggedAt = now;
    const rate = `${limit.requests} requests per ${limit.windowMs / 1000} s`;
    log(coded("CDB3008", `Throttling to about ${rate}; ${queue.length} requests queued.`));
  };
}

function byPriority({ options: one }: Waiter, { options: other }: Waiter): number {
  return Number(other.isUrgent) - Number(one.isUrgent) || one.since - other.since;
}
