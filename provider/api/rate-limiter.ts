import { type LearnedLimit, learnLimit, nextSendTime, PUBLISHED_LIMIT, patienceMs, relaxLimit } from "./learned-limit";

/** Time as the client uses it, so that tests can have their own. */
export interface Clock {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
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
  /** A response came, or none will; may be called more than once. Without a request, others may use the permit. */
  readonly release: (wasSent?: boolean) => void;
  /** The rate limit refused it; `waitMs` is what the response asked for, if it did. */
  readonly reportRefusal: (waitMs: number | undefined) => void;
}

/** Paces all requests of the process. */
export interface RateLimiter {
  /** Waits until a request may be sent; nothing where the wait would be too long. */
  readonly acquire: (options: PermitOptions) => Promise<Permit | undefined>;
}

/** Under a limit such as the published one, more at once could only be refused. */
export const MAX_CONCURRENT = PUBLISHED_LIMIT.requests;
/** A shorter wait is not worth a line. */
export const MIN_LOGGED_WAIT_MS = 3000;
export const LOG_INTERVAL_MS = 30_000;

export interface Waiter {
  readonly options: PermitOptions;
  readonly from: number;
  readonly resolve: (permit: Permit | undefined) => void;
}

/**
 * One rate limit serves all requests of a process. When one is refused, all wait; what had passed until then tells
 * how many pass in which time, and from there on no more are sent.
 */
export function createRateLimiter(clock: Clock, log: (line: string) => void): RateLimiter {
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  /** When requests were sent that were not refused, the oldest first. */
  let sent: readonly { readonly at: number }[] = [];
  let firstSentAt: number | undefined;
  let limit: LearnedLimit | undefined;
  /** When the limit was last hit: a refusal of what was sent before tells nothing new. */
  let refusedAt = Number.NEGATIVE_INFINITY;
  let closedUntil = 0;
  /** Deferred to the end of the pause, when all requests under way have their responses. */
  let learnPending: (() => LearnedLimit) | undefined;
  let unrefusedSince = 0;
  let wakeUpAt = Number.POSITIVE_INFINITY;
  let loggedAt = Number.NEGATIVE_INFINITY;

  function grantNext(): void {
    queue = queue.filter((waiter) => !rejectIfTooLong(waiter));
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
  }

  function rejectIfTooLong({ options, resolve }: Waiter): boolean {
    if (closedUntil - clock.now() <= options.maxWaitMs) return false;
    resolve(undefined);
    return true;
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
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      inFlight -= 1;
      grantNext();
    };
    return {
      waitedMs,
      release,
      reportRefusal(waitMs) {
        sent = sent.filter((each) => each !== entry);
        recordRefusal(at, waitMs);
        release();
      },
    };
  }

  function recordRefusal(sentAt: number, waitMs: number | undefined): void {
    const now = clock.now();
    // A response that asks for no wait at all has not said how long to wait.
    if (waitMs) closedUntil = Math.max(closedUntil, now + waitMs);
    if (sentAt <= refusedAt) return;
    refusedAt = now;
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
    if (wakeUpAt <= at) return;
    wakeUpAt = at;
    void clock.sleep(at - now).then(() => {
      if (wakeUpAt === at) wakeUpAt = Number.POSITIVE_INFINITY;
      grantNext();
    });
  }

  return {
    acquire: (options) =>
      new Promise((resolve) => {
        queue = [...queue, { options, from: clock.now(), resolve }].sort(byPriority);
        grantNext();
      }),
  };
}

/** Urgent requests first, and then those that came first. */
export function byPriority({ options: one }: Waiter, { options: other }: Waiter): number {
  return Number(other.isUrgent) - Number(one.isUrgent) || one.since - other.since;
}

export function pauseMessage(ms: number): string {
  return `The API's rate limit was reached; all requests are paused for ${inSeconds(ms)}.`;
}

export function throttlingMessage(
  { requests, windowMs }: Pick<LearnedLimit, "requests" | "windowMs">,
  queued: number,
  sharedWith = "",
): string {
  return `Throttling to about ${requests} requests per ${inSeconds(windowMs)}${sharedWith}; ${queued} requests queued.`;
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
