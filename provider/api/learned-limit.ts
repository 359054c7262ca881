import { type Clock, type Limit, MAX_PAUSE_MS, type Quota } from "./rate-limiter";

interface SentRequest {
  readonly sentAt: number;
  respondedAt?: number;
}

const PUBLISHED_LIMIT: Limit = { requests: 10, windowMs: 10_000 };
/** A rate below this share of the expected one means that other processes use the key, and may end soon. */
const SHARED_KEY_RATE = 0.5;
/** Below this share of the expected rate, each window without a refusal doubles the limit. */
const LOW_RATE = 0.2;
/** A single request is not held up for longer than this, unless the API asks for it. */
const MAX_GAP_MS = 40_000;
/** The shortest pause after a refusal, whatever it asks for. It doubles with each further refusal in a row. */
const SHORTEST_PAUSE_MS = 100;
/** A request counts when its response comes, but no later than this, or this part of a window, after it was sent. */
const MAX_UNDER_WAY_MS = 1000;
const UNDER_WAY = 0.25;

/** The limit, as far as it is known. */
interface Estimate {
  /** The limit that is set, or else the published one. */
  readonly expected: Limit;
  readonly limit: Limit;
  /** False until the first refusal: the published limit does not apply before. */
  readonly isKnown: boolean;
  /** Until this time, requests are evenly spaced, because earlier requests of other processes are unknown. */
  readonly spacedUntil: number;
  /** The number of windows without a refusal before one more request is tried. */
  readonly patience: number;
  /** The time of the last refusal or attempt to raise the limit. */
  readonly revisedAt: number;
}

/** The last refusal, and the pause after it. Refusals of requests that were sent earlier belong to the same pause. */
interface Pause {
  readonly refusedAt: number;
  readonly refusalsInRow: number;
  readonly closedUntil: number;
  /** The end of the pause that the API asked for, which may be too long to be believed. */
  readonly pausedUntil: number;
  /** The window that was full. The limit is derived from it when the pause is over. */
  readonly fullWindow?: FullWindow | undefined;
}

type FullWindow = Readonly<Record<"firstAt" | "until", number>>;

interface History {
  readonly firstSentAt: number;
  /** The requests of two windows, without refused requests. */
  readonly sent: readonly SentRequest[];
}

/** A quota that a process learns from refusals. Times are milliseconds of one clock. */
export function learnedQuota(clock: Clock, set?: Limit): Quota {
  const [expected, isKnown] = [set ?? PUBLISHED_LIMIT, set !== undefined];
  let estimate: Estimate = {
    expected,
    limit: expected,
    isKnown,
    spacedUntil: 0,
    patience: 1,
    revisedAt: 0,
  };
  let pause: Pause = { refusedAt: -1, refusalsInRow: 0, closedUntil: 0, pausedUntil: 0 };
  let history: History = { firstSentAt: Number.POSITIVE_INFINITY, sent: [] };

  function release(request: SentRequest, wasSent: boolean): void {
    request.respondedAt = clock.now();
    if (!wasSent) history = withoutRequest(history, request);
    else if (request.sentAt > pause.refusedAt) pause = { ...pause, refusalsInRow: 0 };
  }

  function reportRefusal(request: SentRequest, requestedMs: number): void {
    history = withoutRequest(history, request);
    const isNew = request.sentAt > pause.refusedAt;
    pause = prolong(pause, isNew, requestedMs, clock.now());
    // A request that was sent before the last refusal tells nothing new.
    if (!isNew) return;
    // After a pause that is not believed, a single request tests whether the API accepts requests again.
    if (requestedMs > MAX_PAUSE_MS) estimate = spaced(estimate, pause.closedUntil);
    else pause = withFullWindow(pause, estimate, history, requestedMs);
  }

  return {
    async take() {
      const now = clock.now();
      if (now >= pause.closedUntil) {
        estimate = revise(estimate, pause, history, now);
        pause = { ...pause, fullWindow: undefined };
      }
      const opensAt = Math.max(
        pause.closedUntil,
        estimate.isKnown ? nextOpening(estimate, history, now) : 0,
      );
      if (now < opensAt) {
        const pauseMs =
          now < pause.closedUntil ? Math.max(pause.closedUntil, pause.pausedUntil) - now : 0;
        return { waitMs: opensAt - now, pauseMs, limit: estimate.limit };
      }
      const request = { sentAt: now };
      history = withRequest(history, request, estimate.limit.windowMs);
      return {
        release: (wasSent = true) => release(request, wasSent),
        reportRefusal: (requestedMs = 0) => reportRefusal(request, requestedMs),
      };
    },
  };
}

function nextOpening({ limit, spacedUntil }: Estimate, { sent }: History, now: number): number {
  const { requests, windowMs } = limit;
  // Until a response comes, it is unknown when the API counts a request.
  const latestMs = Math.min(MAX_UNDER_WAY_MS, UNDER_WAY * windowMs);
  const times = sent.map(({ sentAt, respondedAt = Infinity }) =>
    Math.min(respondedAt, sentAt + latestMs),
  );
  times.sort((one, other) => one - other);
  const [before, gapMs] =
    now < spacedUntil ? [times.at(-1), windowMs / requests] : [times.at(-requests), windowMs];
  return (before ?? -gapMs) + gapMs;
}

function withRequest(
  { firstSentAt, sent }: History,
  request: SentRequest,
  windowMs: number,
): History {
  const kept = sent.filter(({ sentAt }) => sentAt >= request.sentAt - 2 * windowMs);
  return { firstSentAt: Math.min(firstSentAt, request.sentAt), sent: [...kept, request] };
}

function withoutRequest({ firstSentAt, sent }: History, request: SentRequest): History {
  return { firstSentAt, sent: sent.filter((other) => other !== request) };
}

/** Adds a refusal, which is new if its request was sent after the last refusal. */
function prolong(pause: Pause, isNew: boolean, requestedMs: number, now: number): Pause {
  const closedUntil = Math.max(
    pause.closedUntil,
    now + Math.ceil(Math.min(MAX_PAUSE_MS, requestedMs)),
  );
  const pausedUntil = now + requestedMs;
  if (!isNew)
    return { ...pause, closedUntil, pausedUntil: Math.max(pause.pausedUntil, pausedUntil) };
  const shortest =
    now + Math.min(PUBLISHED_LIMIT.windowMs, SHORTEST_PAUSE_MS * 2 ** pause.refusalsInRow);
  const refusalsInRow = pause.refusalsInRow + 1;
  return {
    refusedAt: now,
    refusalsInRow,
    closedUntil: Math.max(closedUntil, shortest),
    pausedUntil,
  };
}

/** Without a requested wait, the pause lasts until the window must have passed. */
function withFullWindow(
  pause: Pause,
  estimate: Estimate,
  { sent }: History,
  requestedMs: number,
): Pause {
  const { expected, limit, isKnown } = estimate;
  const { refusedAt } = pause;
  const firstAt =
    sent.find(({ sentAt }) => sentAt > refusedAt - limit.windowMs)?.sentAt ?? refusedAt;
  const guess = Math.max(firstAt + expected.windowMs, isKnown ? refusedAt + limit.windowMs : 0);
  const closedUntil = requestedMs > 0 ? pause.closedUntil : Math.max(pause.closedUntil, guess);
  // A guessed pause says nothing about the window.
  const until = requestedMs > 0 || !isKnown ? closedUntil : firstAt + limit.windowMs;
  return { ...pause, closedUntil, fullWindow: { firstAt, until } };
}

/** Lowers the limit after a refusal, and raises it after a quiet period: other processes may have ended. */
function revise(estimate: Estimate, pause: Pause, history: History, now: number): Estimate {
  const { expected, limit, patience, revisedAt } = estimate;
  if (pause.fullWindow !== undefined)
    return { ...lower(estimate, pause, pause.fullWindow, history), revisedAt: now };
  const share = rateOf(limit) / rateOf(expected);
  const isLow = share < LOW_RATE;
  if (now - revisedAt < (isLow ? 1 : patience) * limit.windowMs) return estimate;
  const raised =
    share < SHARED_KEY_RATE ? (isLow ? 2 * limit.requests : limit.requests + 1) : limit.requests;
  return {
    ...estimate,
    limit: { ...limit, requests: raised },
    patience: isLow ? 1 : patience,
    revisedAt: now,
  };
}

function lower(
  estimate: Estimate,
  { refusedAt }: Pause,
  { firstAt, until }: FullWindow,
  history: History,
): Estimate {
  const { expected, limit, isKnown, patience } = estimate;
  const { firstSentAt, sent } = history;
  const passed = sent.filter(({ sentAt }) => sentAt >= firstAt && sentAt <= refusedAt).length;
  // Limits are for whole seconds; a measured window is longer by the time that messages were under way.
  const ms = Math.min(MAX_PAUSE_MS, until - firstAt);
  const windowMs = ms < 1000 ? ms : 1000 * Math.floor(ms / 1000);
  if (!isKnown) {
    // An earlier process may have used up a part of the limit.
    const isLimit =
      passed >= SHARED_KEY_RATE * expected.requests && passed / windowMs >= rateOf(expected);
    return {
      ...estimate,
      isKnown: true,
      ...(isLimit && { limit: { requests: passed, windowMs } }),
    };
  }
  const careful = spaced(estimate, until);
  // Requests of an earlier process may still count against this one.
  if (refusedAt < firstSentAt + 2 * limit.windowMs) return careful;
  return {
    ...careful,
    patience: 2 * patience,
    limit: lowered(limit, passed, Math.max(limit.windowMs, windowMs)),
  };
}

function lowered(limit: Limit, passed: number, windowMs: number): Limit {
  const fewer = passed < limit.requests ? passed : Math.ceil(limit.requests / 2);
  if (limit.requests > 1) return { requests: Math.max(1, fewer), windowMs };
  return { requests: 1, windowMs: Math.min(MAX_GAP_MS, Math.max(windowMs, 2 * limit.windowMs)) };
}

/** Spaces requests evenly for a window after a pause. */
function spaced(estimate: Estimate, pauseEndsAt: number): Estimate {
  return { ...estimate, isKnown: true, spacedUntil: pauseEndsAt + estimate.limit.windowMs };
}

function rateOf({ requests, windowMs }: Limit): number {
  return requests / windowMs;
}
