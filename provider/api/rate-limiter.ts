import {
  type LearnedLimit,
  type Limit,
  learnLimit,
  nextSendTime,
  PUBLISHED_LIMIT,
  patienceMs,
  relaxLimit,
  shortestPauseMs,
} from "./learned-limit";
import { LOG_INTERVAL_MS, MIN_LOGGED_WAIT_MS, pauseMessage, throttlingMessage } from "./limit-messages";

/** Time as the client uses it, so that tests can have their own. */
export interface Clock {
  readonly now: () => number;
  /** Ends early when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface PermitOptions {
  /** Since when the request waits, also through refusals: who came first goes first. */
  readonly since: number;
  /** A longer wait is not begun. */
  readonly maxWaitMs: number;
  /** Takes precedence over new operations. */
  readonly isUrgent: boolean;
}

/** Permission to send one request. */
export interface Permit {
  readonly waitedMs: number;
  /** A response came, or none will; may be called more than once. Without a request, the permit is returned. */
  readonly release: (wasSent?: boolean) => void;
  /** The rate limit refused it; `waitMs` is what the response asked for, if it did. */
  readonly reportRefusal: (waitMs: number | undefined) => void;
}

/** Paces all requests of the process. */
export interface RateLimiter {
  /** Waits until a request may be sent; nothing where the wait would be too long, or was canceled. */
  readonly acquire: (options: PermitOptions) => Promise<Permit | undefined>;
}

/** Paces requests by what this process learns alone; another limiter can use it in the meantime. */
export interface LocalRateLimiter extends RateLimiter {
  /** Takes over requests that have waited elsewhere, in their order. */
  readonly enqueue: (waiters: readonly Waiter[]) => void;
  /** Gives up all requests that wait. */
  readonly takeQueue: () => readonly Waiter[];
  /** How many requests wait. */
  readonly waiting: () => number;
  /** What it has permitted since a time and was not refused, and for how long nothing may be sent. */
  readonly reportSince: (time: number) => { readonly sent: number; readonly closedMs: number };
  /** Learns from the refusal of a request that another limiter has permitted. */
  readonly recordRefusal: (sentAt: number, waitMs: number | undefined) => void;
  /** Permits nothing before a time. */
  readonly close: (until: number) => void;
  /** Starts from a limit that was learned elsewhere, as if the last request had been sent at this time. */
  readonly adoptLimit: (limit: Limit, lastSentAt: number) => void;
}

/** Under a limit such as the published one, more at once could only be refused. */
export const MAX_CONCURRENT = PUBLISHED_LIMIT.requests;
/** For so many windows, the others with whom a limit was learned are likely to need their parts. */
const ADOPTED_PATIENCE = 10;

export interface Waiter {
  readonly options: PermitOptions;
  readonly from: number;
  readonly resolve: (permit: Permit | undefined) => void;
}

/**
 * One rate limit serves all requests of a process. When one is refused, all wait; what had passed until then tells
 * how many pass in which time, and from there on no more are sent. Cancellation ends the waits that are not urgent.
 */
export function createRateLimiter(
  clock: Clock,
  log: (line: string) => void,
  cancellation?: AbortSignal,
): LocalRateLimiter {
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  /** When requests were sent that were not refused, the oldest first. */
  let sent: readonly { readonly at: number }[] = [];
  let firstSentAt: number | undefined;
  let limit: LearnedLimit | undefined;
  /** When the limit was last hit: a refusal of what was sent before tells nothing new. */
  let refusedAt = Number.NEGATIVE_INFINITY;
  let refusalsInRow = 0;
  let closedUntil = 0;
  /** Deferred to the end of the pause, when all requests under way have their responses. */
  let learnPending: (() => LearnedLimit) | undefined;
  let unrefusedSince = 0;
  /** The timer for the next permit. */
  let wakeUp = { at: Number.POSITIVE_INFINITY, timer: new AbortController() };
  let loggedAt = Number.NEGATIVE_INFINITY;

  function grantNext(): void {
    queue = rejectHopeless(queue, closedUntil - clock.now(), cancellation);
    for (let next = queue[0]; next !== undefined && inFlight < MAX_CONCURRENT; next = queue[0]) {
      const now = clock.now();
      const opensAt = nextOpening(now);
      if (opensAt > now) {
        wakeAt(opensAt, now);
        logThrottling(now);
        return;
      }
      queue = queue.slice(1);
      next.resolve(grant(now, now - next.from));
    }
    if (queue.length === 0) stopTimer();
  }

  /** When the next request may be sent. */
  function nextOpening(now: number): number {
    if (now < closedUntil) return closedUntil;
    if (learnPending !== undefined) {
      limit = learnPending();
      learnPending = undefined;
      unrefusedSince = now;
    }
    if (limit !== undefined && now - unrefusedSince >= patienceMs(limit)) {
      limit = relaxLimit(limit);
      unrefusedSince = now;
    }
    const { windowMs } = limit ?? PUBLISHED_LIMIT;
    sent = sent.filter(({ at }) => at > now - 2 * windowMs);
    return limit === undefined ? now : nextSendTime(limit, sent, now);
  }

  function grant(at: number, waitedMs: number): Permit {
    const entry = { at };
    firstSentAt ??= at;
    sent = [...sent, entry];
    inFlight += 1;
    let isReleased = false;
    const end = (outcome: () => void) => {
      if (isReleased) return;
      isReleased = true;
      inFlight -= 1;
      outcome();
      grantNext();
    };
    const takeBack = () => {
      sent = sent.filter((each) => each !== entry);
    };
    return {
      waitedMs,
      release: (wasSent = true) =>
        end(() => {
          if (!wasSent) takeBack();
          else if (at > refusedAt) refusalsInRow = 0;
        }),
      reportRefusal: (waitMs) =>
        end(() => {
          takeBack();
          recordRefusal(at, waitMs);
        }),
    };
  }

  function recordRefusal(sentAt: number, waitMs: number | undefined): void {
    const now = clock.now();
    // A response that asks for no wait at all has not said how long to wait.
    if (waitMs) closedUntil = Math.max(closedUntil, now + waitMs);
    if (sentAt <= refusedAt) return;
    refusedAt = now;
    refusalsInRow += 1;
    closedUntil = Math.max(closedUntil, now + shortestPauseMs(refusalsInRow));
    const known = limit;
    const { windowMs } = known ?? PUBLISHED_LIMIT;
    const firstAt = sent.find(({ at }) => at > now - windowMs)?.at ?? now;
    if (!waitMs) closedUntil = Math.max(closedUntil, firstAt + PUBLISHED_LIMIT.windowMs, known ? now + windowMs : 0);
    // A pause that was only a guess tells nothing of the window.
    const until = waitMs || known === undefined ? closedUntil : firstAt + windowMs;
    learnPending = () => {
      const passed = sent.filter(({ at }) => at >= firstAt && at <= now).length;
      return learnLimit(known, { at: now, until, passed, firstAt, firstSentAt: firstSentAt ?? now });
    };
    if (closedUntil - now < MIN_LOGGED_WAIT_MS) return;
    loggedAt = now;
    log(pauseMessage(closedUntil - now));
  }

  function logThrottling(now: number): void {
    if (limit === undefined || now < closedUntil || now - loggedAt < LOG_INTERVAL_MS) return;
    const { requests, windowMs } = limit;
    const leftMs = (queue.length / requests) * windowMs;
    if (leftMs < MIN_LOGGED_WAIT_MS) return;
    loggedAt = now;
    log(throttlingMessage({ requests, windowMs }, queue.length));
  }

  /** One timer is enough: the earliest. */
  function wakeAt(at: number, now: number): void {
    if (wakeUp.at <= at) return;
    stopTimer();
    const timer = new AbortController();
    wakeUp = { at, timer };
    void clock.sleep(at - now, timer.signal).then(() => {
      if (wakeUp.timer !== timer) return;
      stopTimer();
      grantNext();
    });
  }

  /** A timer that nobody waits for would keep the process alive. */
  function stopTimer(): void {
    wakeUp.timer.abort();
    wakeUp = { ...wakeUp, at: Number.POSITIVE_INFINITY };
  }

  function enqueue(waiters: readonly Waiter[]): void {
    queue = [...queue, ...waiters].sort(byPriority);
    grantNext();
  }

  cancellation?.addEventListener("abort", grantNext);
  return {
    acquire: (options) => new Promise((resolve) => enqueue([{ options, from: clock.now(), resolve }])),
    enqueue,
    recordRefusal,
    waiting: () => queue.length,
    reportSince: (time) => ({
      sent: sent.filter(({ at }) => at > time).length,
      closedMs: Math.max(0, closedUntil - clock.now()),
    }),
    takeQueue() {
      const waiters = queue;
      queue = [];
      stopTimer();
      return waiters;
    },
    close(until) {
      closedUntil = Math.max(closedUntil, until);
    },
    adoptLimit(learned, lastSentAt) {
      const now = clock.now();
      limit = { ...learned, spacedUntil: now + 2 * learned.windowMs, patience: 1, isTrial: false };
      learnPending = undefined;
      unrefusedSince = now + ADOPTED_PATIENCE * learned.windowMs;
      sent = [{ at: lastSentAt }];
    },
  };
}

/** Ends the waits that would take too long, and after a cancellation all but the urgent ones; returns the others. */
export function rejectHopeless(
  queue: readonly Waiter[],
  closedMs: number,
  cancellation: AbortSignal | undefined,
): readonly Waiter[] {
  const isHopeless = ({ options }: Waiter) =>
    closedMs > options.maxWaitMs || (cancellation?.aborted === true && !options.isUrgent);
  const hopeless = queue.filter(isHopeless);
  for (const { resolve } of hopeless) resolve(undefined);
  return queue.filter((waiter) => !hopeless.includes(waiter));
}

/** Urgent requests first, and then those that came first. */
export function byPriority({ options: one }: Waiter, { options: other }: Waiter): number {
  return Number(other.isUrgent) - Number(one.isUrgent) || one.since - other.since;
}
