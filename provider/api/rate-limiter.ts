import { coded, type Message } from "../errors";

/** Time as the client uses it, so that tests can have their own. */
export interface Clock {
  readonly now: () => number;
  /** Waits; ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface PermitOptions {
  /** The start of the request's wait, refusals included: the oldest request goes first. */
  readonly since: number;
  /** The longest pause for which the request waits. */
  readonly maxWaitMs: number;
  /** Takes precedence over new operations. */
  readonly isUrgent: boolean;
  readonly cancellation?: AbortSignal | undefined;
}

/** Permission to send one request. */
export interface Permit {
  readonly waitedMs: number;
  /**
   * Call it after the response, or once none will come; further calls do nothing. An unused permit
   * is returned.
   */
  readonly release: (wasSent?: boolean) => void;
  /**
   * Call it if the rate limit refused the request; `waitMs` is the wait that the response
   * requested, if any.
   */
  readonly reportRefusal: (waitMs: number | undefined) => void;
}

/** Paces all requests of the process. */
export interface RateLimiter {
  /**
   * Waits until a request may be sent; undefined if the wait would be too long, or was canceled.
   */
  readonly acquire: (options: PermitOptions) => Promise<Permit | undefined>;
}

/** Requests that may pass per window. */
export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

/** The requests that may be sent under a limit. */
export interface Quota {
  /** Takes one request, if one may be sent now. */
  readonly take: (isUrgent: boolean) => Promise<Grant | Delay>;
  /** The most concurrent requests, for a quota that counts those of all processes. */
  readonly maxConcurrent?: number;
}

type Grant = Omit<Permit, "waitedMs">;

export interface Delay {
  /** The time until the quota may be asked again. */
  readonly waitMs: number;
  /** The time for which the API wants no requests. */
  readonly pauseMs: number;
  readonly limit: Limit;
}

interface Waiter {
  readonly options: PermitOptions;
  readonly from: number;
  readonly resolve: (permit: Permit | undefined) => void;
}

/** Under a limit such as the published one, the API would refuse further concurrent requests. */
export const MAX_CONCURRENT = 10;
/** The longest pause: a wrong response must not close a key for good. */
export const MAX_PAUSE_MS = 10 * 60_000;
/** Shorter waits are not logged. */
export const MIN_LOGGED_WAIT_MS = 3000;
export const LOG_INTERVAL_MS = 30_000;

/** Lines up the requests of a process: urgent ones first, then the oldest. */
export function createRateLimiter(
  clock: Clock,
  log: (line: Message) => void,
  quota: Quota,
): RateLimiter {
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  /**
   * Present while the queue is served; aborted when something has changed since the quota was
   * asked.
   */
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

  /** Ends the waits of requests without a permit. */
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
        // Requests may share a signal, which has this listener only once.
        options.cancellation?.addEventListener("abort", onAbort);
        void serve();
      }),
  };
}

/** Shows the user the waits of a queue that are long, without repeating itself. */
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

/** Urgent requests first, and then the oldest. */
function byPriority({ options: one }: Waiter, { options: other }: Waiter): number {
  return Number(other.isUrgent) - Number(one.isUrgent) || one.since - other.since;
}
