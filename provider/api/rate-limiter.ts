import type { CodedError, Message as LogLine } from "../errors";
import { type Limit, PUBLISHED_LIMIT, shareOf } from "./learned-limit";
import { LOG_INTERVAL_MS, MIN_LOGGED_WAIT_MS, pauseMessage, throttlingMessage } from "./limit-messages";
import { FORGET_MS, newState, respond } from "./shared-limit";
import type { Answer, EndedPermit, Ending, Message, SharedState } from "./shared-state";

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
  /** Ends the wait. */
  readonly cancellation?: AbortSignal | undefined;
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

/** A process's connection to a shared rate limit. */
export interface Sharing {
  /** A name for this process that no other has. */
  readonly process: string;
  /** Send a message to the shared state. Fails soon, with a message for the user. */
  readonly exchange: (message: Message) => Promise<Answer>;
}

/** A limiter's dependencies on its process. */
export interface LimiterDependencies {
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (line: LogLine) => void;
}

/** The limit, and when it was last heard of. */
interface KnownLimit extends Limit {
  readonly at: number;
}

/** A process that does not share, by its own state. */
interface Alone {
  readonly state: SharedState;
  readonly since: number;
  triedAt: number;
  /** Set while the limit is a guess: until then, others may be there that nobody has counted. */
  readonly guessedUntil?: number;
}

interface Waiter {
  readonly options: PermitOptions;
  readonly from: number;
  readonly resolve: (permit: Permit | undefined) => void;
}

/** Under a limit such as the published one, more at once could only be refused. */
const MAX_CONCURRENT = PUBLISHED_LIMIT.requests;
/** The time for which a process goes on alone before it tries to share again. */
const RETRY_MS = 1000;
/** For so many windows, the others with whom a limit was learned are likely to need their parts. */
const ADOPTED_PATIENCE = 10;
/** The number of processes while nobody has counted them, and how long that guess holds without a refusal. */
const GUESSED_SHARERS = 2;
const GUESS_MS = 2 * PUBLISHED_LIMIT.windowMs;
/** A permit of another state has no number in this one. */
const UNKNOWN_PERMIT = 0;

/**
 * One limiter paces all requests of a process: by a state that the process keeps alone, or that it shares with others,
 * one place in the queue for each. While sharing fails, the process goes on alone, from its share of the limit.
 */
export function createRateLimiter({ clock, random, log }: LimiterDependencies, sharing?: Sharing): RateLimiter {
  const { process } = sharing ?? { process: "alone" };
  let queue: readonly Waiter[] = [];
  let inFlight = 0;
  /** Permits that are over, which the state does not know yet. */
  let ended: readonly EndedPermit[] = [];
  /** The limit that is shared, as it was last heard of. */
  let known: KnownLimit | undefined;
  /** The number of processes that shared when that was last heard; undefined if it has never been. */
  let sharers: number | undefined;
  let closedUntil = 0;
  let isTalking = false;
  /** Something has happened since the last message was sent. */
  let hasNews = false;
  let timer = new AbortController();
  /** The state of a process that does not share: since when, and when it last tried to. */
  let alone: Alone | undefined = sharing === undefined ? { state: stateAlone(), since: 0, triedAt: 0 } : undefined;
  /** The state with which the process goes on alone if the limit is still unknown then. */
  let lastAlone = stateAlone();
  let isReturning = false;
  let hasReportedFailure = false;
  let loggedPauseUntil = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;

  /** Sends one message after the other, as long as there is something to say. */
  async function talk(): Promise<void> {
    queue = rejectHopeless(queue, 0);
    hasNews = true;
    timer.abort();
    if (isTalking) return;
    isTalking = true;
    while (ended.length > 0 || wantsPermit()) {
      hasNews = false;
      const answer = await send();
      if (answer === undefined) continue;
      for (let count = 0; count < answer.granted; count += 1) grantNext(answer.permit + count);
      queue = rejectHopeless(queue, answer.closedMs);
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

  /** Says what there is to say. Returns nothing where sharing fails: from then on, the process goes on alone. */
  async function send(): Promise<Answer | undefined> {
    const [next] = queue;
    const message = {
      process,
      ended,
      ...(alone === undefined && lastKnown()),
      ...(next !== undefined &&
        wantsPermit() && {
          ask: { isUrgent: next.options.isUrgent, wanted: Math.min(queue.length, MAX_CONCURRENT - inFlight) },
        }),
    };
    ended = [];
    try {
      const answer = await exchange(message);
      logPause(answer.closedMs);
      return answer;
    } catch (error) {
      if (!hasReportedFailure) log((error as CodedError).coded);
      hasReportedFailure = true;
      leave(clock.now());
      return undefined;
    }
  }

  async function exchange(message: Message): Promise<Answer> {
    if (alone !== undefined) {
      const { state, since, guessedUntil } = alone;
      if (guessedUntil !== undefined && clock.now() >= guessedUntil && state.refusedAt <= since)
        state.limit = undefined;
      return respond(state, message, clock.now());
    }
    const answer = await (sharing as Sharing).exchange(message);
    const { requests, windowMs, processes, closedMs } = answer;
    const at = clock.now();
    closedUntil = at + closedMs;
    sharers = processes;
    known = requests === undefined || windowMs === undefined ? undefined : { requests, windowMs, at };
    return answer;
  }

  function lastKnown(): Pick<Message, "known"> {
    if (known === undefined || clock.now() - known.at >= FORGET_MS) return {};
    const { requests, windowMs } = known;
    return { known: { requests, windowMs } };
  }

  function leave(now: number): void {
    ended = [];
    const isGuess = known === undefined && sharers === 1;
    const state =
      sharers === undefined ? lastAlone : stateAfterSharing(known, isGuess ? GUESSED_SHARERS : sharers, now, random());
    state.closedUntil = Math.max(state.closedUntil, closedUntil);
    alone = { state, since: now, triedAt: now, ...(isGuess && { guessedUntil: now + GUESS_MS }) };
    void tryToReturn();
  }

  /** Shares again as soon as that is possible: tries while requests wait, and with the next one afterwards. */
  async function tryToReturn(): Promise<void> {
    if (isReturning || sharing === undefined) return;
    isReturning = true;
    while (alone !== undefined) {
      const current = alone;
      const waitMs = current.triedAt + RETRY_MS - clock.now();
      if (waitMs > 0 && queue.length === 0) break;
      await clock.sleep(Math.max(0, waitMs));
      try {
        const now = clock.now();
        const since = Math.max(current.since, now - (known ?? PUBLISHED_LIMIT).windowMs);
        const sent = current.state.sent.filter(({ permittedAt }) => permittedAt > since).length;
        const closedMs = Math.max(0, current.state.closedUntil - now);
        await sharing.exchange({ process, ended: [], ...lastKnown(), alone: { sent, closedMs } });
        lastAlone = current.state;
        alone = undefined;
        ended = ended.map(({ outcome }) => ({ permit: UNKNOWN_PERMIT, outcome }));
        void talk();
      } catch {
        current.triedAt = clock.now();
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
    const grantedBy = alone;
    inFlight += 1;
    let hasEnded = false;
    const end = (outcome: Ending) => {
      if (hasEnded) return;
      hasEnded = true;
      inFlight -= 1;
      ended = [...ended, { permit: grantedBy === alone ? number : UNKNOWN_PERMIT, outcome }];
      // The message with it may be lost.
      closedUntil = Math.max(closedUntil, clock.now() + (outcome.refusedMs ?? 0));
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

  const onAbort = () => void talk();
  return {
    acquire: (options) =>
      new Promise((resolve) => {
        const isNews = queue.length === 0 || (options.isUrgent && !queue.some((waiter) => waiter.options.isUrgent));
        queue = [...queue, { options, from: clock.now(), resolve }].sort(byPriority);
        // A signal has this listener once, whatever the number of its requests.
        options.cancellation?.addEventListener("abort", onAbort);
        if (alone !== undefined) void tryToReturn();
        if (isNews || options.cancellation?.aborted) void talk();
      }),
  };
}

function stateAlone(): SharedState {
  return { ...newState(), isAlone: true };
}

/**
 * The state of a process that has shared a limit: its part, as if its last request had just been sent. Before they have
 * learned a limit, it is the published one, and more is tried at once.
 */
function stateAfterSharing(known: KnownLimit | undefined, processes: number, now: number, random: number): SharedState {
  const share = shareOf(known ?? PUBLISHED_LIMIT, processes);
  const { requests, windowMs } = share;
  // All processes leave at the same moment, and must not all send at once.
  const lastSentAt = now - (random * windowMs) / requests;
  return {
    ...stateAlone(),
    limit: { ...share, spacedUntil: now + 2 * windowMs, patience: 1, isTrial: false },
    unrefusedSince: known === undefined ? now : now + ADOPTED_PATIENCE * windowMs,
    refusedAt: now,
    sent: [{ permit: UNKNOWN_PERMIT, process: "", permittedAt: lastSentAt, countedAt: lastSentAt }],
  };
}

/** Ends the waits that would take too long or are canceled; returns the others. */
function rejectHopeless(queue: readonly Waiter[], closedMs: number): readonly Waiter[] {
  const isHopeless = ({ options: { maxWaitMs, cancellation } }: Waiter) =>
    closedMs > maxWaitMs || cancellation?.aborted === true;
  for (const waiter of queue) if (isHopeless(waiter)) waiter.resolve(undefined);
  return queue.filter((waiter) => !isHopeless(waiter));
}

/** Urgent requests first, and then those that came first. */
function byPriority({ options: one }: Waiter, { options: other }: Waiter): number {
  return Number(other.isUrgent) - Number(one.isUrgent) || one.since - other.since;
}
