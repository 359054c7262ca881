import { type Limit, PUBLISHED_LIMIT, shareOf } from "./learned-limit";
import { LOG_INTERVAL_MS, MIN_LOGGED_WAIT_MS, pauseMessage, throttlingMessage } from "./limit-messages";
import {
  byPriority,
  type Clock,
  type LocalRateLimiter,
  MAX_CONCURRENT,
  type Permit,
  type RateLimiter,
  rejectHopeless,
  type Waiter,
} from "./rate-limiter";
import { FORGET_MS } from "./shared-limit";
import type { Answer, EndedPermit, Ending, Message } from "./shared-state";

/** A process's connection to a shared rate limit. */
export interface Sharing {
  /** A name for this process that no other has. */
  readonly process: string;
  /** Send a message to the shared state. Fails soon, with a message for the user. */
  readonly exchange: (message: Message) => Promise<Answer>;
}

/** What a shared limiter needs from the process around it. */
export interface SharingDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: string) => void;
  readonly cancellation?: AbortSignal | undefined;
}

/** The limit, and how many processes shared it when it was last heard of. */
interface KnownLimit extends Limit {
  readonly at: number;
  readonly processes: number;
}

/** How long a process goes on by itself before it tries to share again. */
const RETRY_MS = 1000;

/**
 * Takes turns with all processes that share the limit, one place in the queue for each. While sharing fails, the
 * process paces itself with the local limiter, which starts from its share of the limit.
 */
export function createSharedRateLimiter(
  { process, exchange }: Sharing,
  local: LocalRateLimiter,
  { clock, random, log, cancellation }: SharingDependencies,
): RateLimiter {
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  /** Permits that are over, which the others do not know yet. */
  let ended: readonly EndedPermit[] = [];
  let known: KnownLimit | undefined;
  let closedUntil = 0;
  let isTalking = false;
  /** Something has happened since the last message was sent. */
  let hasNews = false;
  let timer = new AbortController();
  let failedAt: number | undefined;
  let leftAt = 0;
  let isReturning = false;
  let hasReportedFailure = false;
  let loggedPauseUntil = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  /** Sends one message after the other, as long as there is something to say. */
  async function talk(): Promise<void> {
    hasNews = true;
    timer.abort();
    if (isTalking) return;
    isTalking = true;
    while (failedAt === undefined && (ended.length > 0 || wantsPermit())) {
      hasNews = false;
      const answer = await send();
      if (answer === undefined) break;
      for (let count = 0; count < answer.granted; count += 1) grantNext(answer.permit + count);
      queue = rejectHopeless(queue, answer.closedMs, cancellation);
      if (answer.granted > 0 || hasNews || !wantsPermit()) continue;
      logThrottling(answer);
      timer = new AbortController();
      await clock.sleep(answer.waitMs, timer.signal);
    }
    isTalking = false;
  }

  function wantsPermit(): boolean {
    return queue.length > 0 && inFlight < MAX_CONCURRENT;
  }

  /** Says what there is to say. Returns nothing where sharing fails, and all requests are left to the local limiter. */
  async function send(): Promise<Answer | undefined> {
    const [next] = queue;
    const message = {
      process,
      ended,
      ...lastKnown(),
      ...(next !== undefined &&
        wantsPermit() && {
          ask: { isUrgent: next.options.isUrgent, wanted: Math.min(queue.length, MAX_CONCURRENT - inFlight) },
        }),
    };
    ended = [];
    try {
      const answer = await exchange(message);
      learn(answer);
      logPause(answer.closedMs);
      return answer;
    } catch (error) {
      if (!hasReportedFailure) log((error as Error).message);
      hasReportedFailure = true;
      leave(clock.now());
      return undefined;
    }
  }

  function lastKnown(): Pick<Message, "known"> {
    if (known === undefined || clock.now() - known.at >= FORGET_MS) return {};
    const { requests, windowMs } = known;
    return { known: { requests, windowMs } };
  }

  function learn({ requests, windowMs, processes, closedMs }: Answer): void {
    closedUntil = clock.now() + closedMs;
    const isKnown = requests !== undefined && windowMs !== undefined;
    known = isKnown ? { requests, windowMs, processes, at: clock.now() } : undefined;
  }

  /** Leaves all requests to the local limiter. */
  function leave(now: number): void {
    failedAt = now;
    leftAt = now;
    ended = [];
    local.close(closedUntil);
    if (known !== undefined) {
      const share = shareOf(known, known.processes);
      // All processes leave at the same moment, and must not all send at once.
      local.adoptLimit(share, now - (random() * share.windowMs) / share.requests);
    }
    local.enqueue(queue);
    queue = [];
    void tryToReturn();
  }

  /** Shares again as soon as that is possible: tries while requests wait, and with the next one afterwards. */
  async function tryToReturn(): Promise<void> {
    if (isReturning) return;
    isReturning = true;
    while (failedAt !== undefined) {
      const waitMs = failedAt + RETRY_MS - clock.now();
      if (waitMs > 0 && local.waiting() === 0) break;
      await clock.sleep(Math.max(0, waitMs));
      try {
        const since = Math.max(leftAt, clock.now() - (known ?? PUBLISHED_LIMIT).windowMs);
        await exchange({ process, ended: [], ...lastKnown(), alone: local.reportSince(since) });
        failedAt = undefined;
        queue = local.takeQueue();
        void talk();
      } catch {
        failedAt = clock.now();
      }
    }
    isReturning = false;
  }

  function grantNext(number: number): void {
    const [next, ...others] = queue;
    const permit = grant(number, clock.now() - (next?.from ?? 0));
    queue = others;
    if (next === undefined) permit.release(false);
    else next.resolve(permit);
  }

  function grant(number: number, waitedMs: number): Permit {
    const grantedAt = clock.now();
    inFlight += 1;
    let hasEnded = false;
    const end = (outcome: Ending) => {
      if (hasEnded) return;
      hasEnded = true;
      inFlight -= 1;
      const { refusedMs } = outcome;
      if (failedAt === undefined) ended = [...ended, { permit: number, outcome }];
      else if (refusedMs !== undefined) local.recordRefusal(grantedAt, refusedMs);
      // The message with it may be lost.
      closedUntil = Math.max(closedUntil, clock.now() + (refusedMs ?? 0));
      void talk();
    };
    return {
      waitedMs,
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

  function logThrottling({ closedMs, processes, requests, windowMs }: Answer): void {
    const now = clock.now();
    if (requests === undefined || windowMs === undefined || closedMs > 0 || now - loggedAt < LOG_INTERVAL_MS) return;
    if (((queue.length * processes) / requests) * windowMs < MIN_LOGGED_WAIT_MS) return;
    loggedAt = now;
    const others = processes === 2 ? "another process" : `${processes - 1} other processes`;
    log(throttlingMessage({ requests, windowMs }, queue.length, processes > 1 ? `, shared with ${others}` : ""));
  }

  cancellation?.addEventListener("abort", () => {
    queue = rejectHopeless(queue, 0, cancellation);
    void talk();
  });
  return {
    acquire: (options) =>
      new Promise((resolve) => {
        const waiter = { options, from: clock.now(), resolve };
        if (failedAt !== undefined) {
          local.enqueue([waiter]);
          void tryToReturn();
          return;
        }
        const isNews = queue.length === 0 || (options.isUrgent && !queue.some((each) => each.options.isUrgent));
        queue = [...queue, waiter].sort(byPriority);
        if (isNews) void talk();
      }),
  };
}
