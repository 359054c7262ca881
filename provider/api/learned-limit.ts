import { type Clock, type Limit, MAX_PAUSE_MS, type Quota } from "./rate-limiter";

interface SentRequest {
  readonly sentAt: number;
  respondedAt?: number;
}

const PUBLISHED_LIMIT: Limit = { requests: 10, windowMs: 10_000 };
/** A rate below this share of the expected one means that other processes use the key, and may end soon. */
const SHARED_KEY_RATE = 0.5;
/** Below this share, each window without a refusal tries twice as many requests. */
const LOW_RATE = 0.2;
/** A single request is not held up for longer than this, unless the API asks for it. */
const MAX_GAP_MS = 40_000;
/** The shortest pause after a refusal, whatever it asks for. It doubles with each further refusal in a row. */
const SHORTEST_PAUSE_MS = 100;
/** A request counts when its response comes, but no later than this, or this part of a window, after it was sent. */
const MAX_UNDER_WAY_MS = 1000;
const UNDER_WAY = 0.25;

/** A quota that a process learns from refusals. */
export function learnedQuota(clock: Clock, set?: Limit): Quota {
  const state = newState(set);
  return {
    async take() {
      const now = clock.now();
      if (now >= state.closedUntil) updateLimit(state, now);
      const opensAt = nextOpening(state, now);
      if (now < opensAt) {
        const { closedUntil, pausedUntil, limit } = state;
        const pauseMs = now < closedUntil ? Math.max(closedUntil, pausedUntil) - now : 0;
        return { waitMs: opensAt - now, pauseMs, limit };
      }
      const request = recordStart(state, now);
      return {
        release: (wasSent = true) => recordEnd(state, request, wasSent, clock.now()),
        reportRefusal: (requestedMs = 0) => recordRefusal(state, request, requestedMs, clock.now()),
      };
    },
  };
}

/** A process's knowledge about the rate limit of its key. Times are milliseconds of one clock. */
type State = ReturnType<typeof newState>;

function newState(set: Limit | undefined) {
  return {
    /** The limit that is set, or else the published one, which applies only after a refusal. */
    expected: set ?? PUBLISHED_LIMIT,
    limit: set ?? PUBLISHED_LIMIT,
    isKnown: set !== undefined,
    /** Until then, requests are evenly spaced, because earlier requests of other processes are unknown. */
    spacedUntil: 0,
    /** The number of windows without a refusal before one more request is tried. */
    patience: 1,
    unrefusedSince: 0,
    refusedAt: -1,
    refusalsInRow: 0,
    closedUntil: 0,
    /** The end of the pause that the API asked for, which may be too long to be believed. */
    pausedUntil: 0,
    /** The limit is derived from it when the pause is over. */
    refusal: undefined as undefined | { at: number; until: number; firstAt: number },
    firstSentAt: Number.POSITIVE_INFINITY,
    sent: [] as readonly SentRequest[],
  };
}

function nextOpening(state: State, now: number): number {
  const { limit, isKnown, closedUntil, spacedUntil, sent } = state;
  if (!isKnown) return closedUntil;
  const { requests, windowMs } = limit;
  // Until a response comes, it is unknown when the API counts a request.
  const latestMs = Math.min(MAX_UNDER_WAY_MS, UNDER_WAY * windowMs);
  const times = sent.map(({ sentAt, respondedAt = Infinity }) => Math.min(respondedAt, sentAt + latestMs));
  times.sort((one, other) => one - other);
  const [before, gapMs] = now < spacedUntil ? [times.at(-1), windowMs / requests] : [times.at(-requests), windowMs];
  return Math.max(closedUntil, (before ?? -gapMs) + gapMs);
}

function recordStart(state: State, now: number): SentRequest {
  const since = Math.min(now - 2 * state.limit.windowMs, state.refusal?.firstAt ?? now);
  const request = { sentAt: now };
  state.sent = [...state.sent.filter(({ sentAt }) => sentAt >= since), request];
  state.firstSentAt = Math.min(state.firstSentAt, now);
  return request;
}

function recordEnd(state: State, request: SentRequest, wasSent: boolean, now: number): void {
  request.respondedAt = now;
  if (!wasSent) state.sent = state.sent.filter((other) => other !== request);
  else if (request.sentAt > state.refusedAt) state.refusalsInRow = 0;
}

function recordRefusal(state: State, request: SentRequest, requestedMs: number, now: number): void {
  const { limit, expected, isKnown, refusedAt } = state;
  state.sent = state.sent.filter((other) => other !== request);
  const pauseUntil = (time: number) => {
    state.closedUntil = Math.max(state.closedUntil, time);
  };
  pauseUntil(now + Math.ceil(Math.min(MAX_PAUSE_MS, requestedMs)));
  state.pausedUntil = Math.max(request.sentAt > refusedAt ? 0 : state.pausedUntil, now + requestedMs);
  // Requests sent before a refusal tell nothing new.
  if (request.sentAt <= refusedAt) return;
  state.refusedAt = now;
  state.refusalsInRow += 1;
  pauseUntil(now + Math.min(PUBLISHED_LIMIT.windowMs, SHORTEST_PAUSE_MS * 2 ** (state.refusalsInRow - 1)));
  if (requestedMs > MAX_PAUSE_MS) {
    // After such a pause, a single request tests whether others are allowed.
    state.spacedUntil = state.closedUntil + limit.windowMs;
    state.isKnown = true;
    return;
  }
  const firstAt = state.sent.find(({ sentAt }) => sentAt > now - limit.windowMs)?.sentAt ?? now;
  if (requestedMs === 0) pauseUntil(Math.max(firstAt + expected.windowMs, isKnown ? now + limit.windowMs : 0));
  // A guessed pause says nothing about the window.
  const until = requestedMs > 0 || !isKnown ? state.closedUntil : firstAt + limit.windowMs;
  state.refusal = { at: now, until, firstAt };
}

/** Lowers the limit after a refusal, and raises it after a quiet period: other processes may have ended. */
function updateLimit(state: State, now: number): void {
  const { refusal, limit, expected, patience } = state;
  const share = rateOf(limit) / rateOf(expected);
  const isLow = share < LOW_RATE;
  if (refusal === undefined && now - state.unrefusedSince < (isLow ? 1 : patience) * limit.windowMs) return;
  state.unrefusedSince = now;
  state.refusal = undefined;
  if (refusal !== undefined) {
    learnLimit(state, refusal);
    return;
  }
  if (isLow) state.patience = 1;
  if (share < SHARED_KEY_RATE) state.limit = { ...limit, requests: isLow ? 2 * limit.requests : limit.requests + 1 };
}

function learnLimit(state: State, { at, until, firstAt }: NonNullable<State["refusal"]>): void {
  const { limit, expected } = state;
  const passed = state.sent.filter(({ sentAt }) => sentAt >= firstAt && sentAt <= at).length;
  // Limits are for whole seconds; a measured window is longer by the time that messages were under way.
  const ms = Math.min(MAX_PAUSE_MS, until - firstAt);
  const windowMs = ms < 1000 ? ms : 1000 * Math.floor(ms / 1000);
  if (!state.isKnown) {
    state.isKnown = true;
    // Few may have passed because an earlier process has used up the rest.
    if (passed < SHARED_KEY_RATE * expected.requests || passed / windowMs < rateOf(expected)) return;
    state.limit = { requests: passed, windowMs };
    return;
  }
  state.spacedUntil = until + limit.windowMs;
  // Requests of an earlier process may still count against this one.
  if (at < state.firstSentAt + 2 * limit.windowMs) return;
  state.patience *= 2;
  const longerMs = Math.max(limit.windowMs, windowMs);
  const fewer = passed < limit.requests ? passed : Math.ceil(limit.requests / 2);
  if (limit.requests > 1) state.limit = { requests: Math.max(1, fewer), windowMs: longerMs };
  else state.limit = { requests: 1, windowMs: Math.min(MAX_GAP_MS, Math.max(longerMs, 2 * limit.windowMs)) };
}

function rateOf({ requests, windowMs }: Limit): number {
  return requests / windowMs;
}
