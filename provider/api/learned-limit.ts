import { type Clock, type Limit, MAX_PAUSE_MS, type Quota } from "./rate-limiter";

interface SentRequest {
  readonly sentAt: number;
  respondedAt?: number;
}

type FullWindow = Readonly<Record<"firstAt" | "windowMs", number>>;

/** The state of a process that learns its limit. Times are milliseconds of one clock. */
export interface Learned {
  /** The configured limit, or else the published one. */
  readonly expected: Limit;
  /** Absent until the first refusal: before, nothing is limited. */
  readonly limit?: Limit | undefined;
  /** The number of windows without a refusal before the limit is raised. */
  readonly patience: number;
  /** The last time that the limit was lowered, raised or confirmed. */
  readonly revisedAt: number;
  /** The requests of the last two windows, except refused ones. */
  readonly sent: readonly SentRequest[];
  readonly firstSentAt: number;
  readonly refusedAt: number;
  readonly refusalsInRow: number;
  /** The end of the pause after the last refusal. It may be implausibly late. */
  readonly pausedUntil: number;
  /** Requests are evenly spaced until this time, since other processes' requests are unknown. */
  readonly spacedUntil: number;
  /** The full window before the last refusal. The limit is lowered after the pause. */
  readonly fullWindow?: FullWindow | undefined;
}

const PUBLISHED_LIMIT: Limit = { requests: 10, windowMs: 10_000 };
/**
 * Below this share of the expected rate, other processes probably use the key, and may end soon.
 */
const SHARED_KEY_RATE = 0.5;
/** Below this share of the expected rate, each window without a refusal doubles the limit. */
const LOW_RATE = 0.2;
/** The longest gap between requests, unless the API requests a longer one. */
const MAX_GAP_MS = 40_000;
/** The shortest pause after a refusal, doubled after each further refusal in a row. */
const SHORTEST_PAUSE_MS = 100;
/**
 * A request counts when its response arrives, but at most this time, or this part of a window,
 * after it was sent.
 */
const MAX_UNDER_WAY_MS = 1000;
const UNDER_WAY = 0.25;

/** A quota that a process learns from refusals: additive increase, multiplicative decrease. */
export function learnedQuota(clock: Clock, set?: Limit): Quota {
  let learned: Learned = {
    expected: set ?? PUBLISHED_LIMIT,
    limit: set,
    patience: 1,
    revisedAt: 0,
    sent: [],
    firstSentAt: Number.POSITIVE_INFINITY,
    refusedAt: -1,
    refusalsInRow: 0,
    pausedUntil: 0,
    spacedUntil: 0,
  };
  return {
    async take() {
      const now = clock.now();
      const isPaused = now < closedUntil(learned);
      if (!isPaused) learned = revise(learned, now);
      const { limit = learned.expected, pausedUntil } = learned;
      const waitMs = (isPaused ? closedUntil(learned) : nextOpening(learned, now)) - now;
      if (waitMs > 0) return { waitMs, pauseMs: isPaused ? pausedUntil - now : 0, limit };
      const request = { sentAt: now };
      learned = withRequest(learned, request);
      return {
        release: (wasSent = true) => {
          learned = afterResponse(learned, request, wasSent, clock.now());
        },
        reportRefusal: (requestedMs = 0) => {
          learned = afterRefusal(learned, request, requestedMs, clock.now());
        },
      };
    },
  };
}

/** The end of the pause, limited to ten minutes. */
function closedUntil({ refusedAt, pausedUntil }: Learned): number {
  return Math.min(pausedUntil, refusedAt + MAX_PAUSE_MS);
}

/** The time when the limit permits the next request. */
function nextOpening({ limit, spacedUntil, sent }: Learned, now: number): number {
  if (limit === undefined) return now;
  const { requests, windowMs } = limit;
  // The API counts a request at an unknown time before its response.
  const latestMs = Math.min(MAX_UNDER_WAY_MS, UNDER_WAY * windowMs);
  const times = sent.map(({ sentAt, respondedAt = Infinity }) =>
    Math.min(respondedAt, sentAt + latestMs),
  );
  times.sort((one, other) => one - other);
  const [before, gapMs] =
    now < spacedUntil ? [times.at(-1), windowMs / requests] : [times.at(-requests), windowMs];
  return (before ?? -gapMs) + gapMs;
}

function withRequest(learned: Learned, request: SentRequest): Learned {
  const { limit = learned.expected, firstSentAt } = learned;
  const sent = learned.sent.filter(({ sentAt }) => sentAt >= request.sentAt - 2 * limit.windowMs);
  return {
    ...learned,
    firstSentAt: Math.min(firstSentAt, request.sentAt),
    sent: [...sent, request],
  };
}

function withoutRequest(learned: Learned, request: SentRequest): Learned {
  return { ...learned, sent: learned.sent.filter((other) => other !== request) };
}

function afterResponse(
  learned: Learned,
  request: SentRequest,
  wasSent: boolean,
  now: number,
): Learned {
  request.respondedAt = now;
  if (!wasSent) return withoutRequest(learned, request);
  return request.sentAt > learned.refusedAt ? { ...learned, refusalsInRow: 0 } : learned;
}

function afterRefusal(
  before: Learned,
  request: SentRequest,
  requestedMs: number,
  now: number,
): Learned {
  const learned = withoutRequest(before, request);
  const requestedUntil = now + Math.ceil(requestedMs);
  // A request sent before the last refusal belongs to the same pause.
  if (request.sentAt <= before.refusedAt)
    return { ...learned, pausedUntil: Math.max(before.pausedUntil, requestedUntil) };

  const { expected, limit, sent, refusalsInRow } = learned;
  const { windowMs } = limit ?? expected;
  const shortestMs = Math.min(PUBLISHED_LIMIT.windowMs, SHORTEST_PAUSE_MS * 2 ** refusalsInRow);
  const firstAt = sent.find(({ sentAt }) => sentAt > now - windowMs)?.sentAt ?? now;
  // Without a requested wait, the pause lasts until the window has passed.
  const guess = Math.max(firstAt + expected.windowMs, limit === undefined ? 0 : now + windowMs);
  const paused = {
    ...learned,
    refusedAt: now,
    refusalsInRow: refusalsInRow + 1,
    fullWindow: undefined,
    pausedUntil: Math.max(
      closedUntil(before),
      now + shortestMs,
      requestedMs > 0 ? requestedUntil : guess,
    ),
  };
  const opensAt = closedUntil(paused);
  // After an implausibly long pause, a single request tests the API.
  if (requestedMs > MAX_PAUSE_MS)
    return { ...paused, limit: limit ?? expected, spacedUntil: opensAt + windowMs };
  // A guessed pause does not measure the window.
  const isMeasured = requestedMs > 0 || limit === undefined;
  const measuredMs = isMeasured ? opensAt - firstAt : windowMs;
  return {
    ...paused,
    spacedUntil: limit === undefined ? 0 : firstAt + measuredMs + windowMs,
    fullWindow: { firstAt, windowMs: wholeSeconds(measuredMs) },
  };
}

/** Limits have whole seconds. A measured window is too long by the latency of messages. */
function wholeSeconds(ms: number): number {
  return ms < 1000 ? ms : 1000 * Math.floor(Math.min(MAX_PAUSE_MS, ms) / 1000);
}

/**
 * Lowers the limit after a pause, and raises it after a quiet period, since other processes may
 * have ended.
 */
export function revise(learned: Learned, now: number): Learned {
  const { expected, limit, patience, revisedAt, fullWindow } = learned;
  if (fullWindow !== undefined)
    return { ...learned, ...decrease(learned, fullWindow), revisedAt: now, fullWindow: undefined };
  if (limit === undefined) return learned;
  const share = rateOf(limit) / rateOf(expected);
  const isLow = share < LOW_RATE;
  if (now - revisedAt < (isLow ? 1 : patience) * limit.windowMs) return learned;
  const more = isLow ? limit.requests : 1;
  const requests = share < SHARED_KEY_RATE ? limit.requests + more : limit.requests;
  return {
    ...learned,
    limit: { ...limit, requests },
    patience: isLow ? 1 : patience,
    revisedAt: now,
  };
}

/** Lowers the limit to the number of requests that passed in the window before a refusal. */
function decrease(
  { expected, limit, patience, sent, firstSentAt, refusedAt }: Learned,
  { firstAt, windowMs }: FullWindow,
): Partial<Learned> {
  const passed = sent.filter(({ sentAt }) => sentAt >= firstAt && sentAt <= refusedAt).length;
  if (limit === undefined) {
    // An earlier process may have used a part of the limit.
    const isLimit =
      passed >= SHARED_KEY_RATE * expected.requests && passed / windowMs >= rateOf(expected);
    return { limit: isLimit ? { requests: passed, windowMs } : expected };
  }
  // An earlier process's requests may still count.
  if (refusedAt < firstSentAt + 2 * limit.windowMs) return {};
  const longerMs = Math.max(limit.windowMs, windowMs);
  if (limit.requests > 1) {
    const fewer = passed < limit.requests ? passed : Math.ceil(limit.requests / 2);
    return { patience: 2 * patience, limit: { requests: Math.max(1, fewer), windowMs: longerMs } };
  }
  const gapMs = Math.min(MAX_GAP_MS, Math.max(longerMs, 2 * limit.windowMs));
  return { patience: 2 * patience, limit: { requests: 1, windowMs: gapMs } };
}

function rateOf({ requests, windowMs }: Limit): number {
  return requests / windowMs;
}
