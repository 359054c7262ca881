/** Requests that may pass per window. */
export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

/** The limit that a process observes after a refusal. */
export interface LearnedLimit extends Limit {
  /** Until then, requests are evenly spaced, because earlier requests of others are unknown. */
  readonly spacedUntil: number;
  /** The number of windows without a refusal before one more request is tried. */
  readonly patience: number;
  /** True until the latest increase has proved to be allowed. */
  readonly isTrial: boolean;
}

/** A refusal, as known at the end of the pause after it. */
export interface Refusal {
  readonly at: number;
  /** When requests may be sent again. */
  readonly until: number;
  /** The process's requests that passed in the relevant window, and the time of the first. */
  readonly passed: number;
  readonly firstAt: number;
  /** When the process sent its first request. */
  readonly firstSentAt: number;
}

/** The API's published limit, used until responses show the real one. */
export const PUBLISHED_LIMIT: Limit = { requests: 10, windowMs: 10_000 };
/** A rate below this share of the published one says that others use the key, too: then it is worth trying more. */
const SHARED_KEY_RATE = 0.5;
/** Below this share, more is tried at every window. */
const LOW_RATE = 0.2;
const MAX_WINDOW_MS = 10 * 60_000;
/** A single request is not held up for longer than this, unless the API asks for it. */
const MAX_GAP_MS = 40_000;
/** So much of a limit can be divided: processes that do not hear of each other send too much at times. */
const DIVISIBLE = 0.8;
/** The shortest pause after a refusal, whatever it asks for. It doubles with each further refusal in a row. */
const SHORTEST_PAUSE_MS = 100;

/** The shortest pause after so many refusals in a row, so that a server that asks for next to none is not flooded. */
export function shortestPauseMs(refusalsInRow: number): number {
  return Math.min(PUBLISHED_LIMIT.windowMs, SHORTEST_PAUSE_MS * 2 ** (refusalsInRow - 1));
}

/** Derive the limit after a refusal. */
export function learnLimit(known: LearnedLimit | undefined, refusal: Refusal): LearnedLimit {
  const { at, until, passed, firstAt, firstSentAt } = refusal;
  const observed = { requests: passed, windowMs: Math.min(MAX_WINDOW_MS, until - firstAt) };
  const start = { spacedUntil: 0, patience: 1, isTrial: false };
  if (known === undefined) return { ...start, ...(isPlausible(observed) ? observed : PUBLISHED_LIMIT) };
  const spacedUntil = until + known.windowMs;
  // Requests of an earlier process may still count against this one.
  if (at < firstSentAt + 2 * known.windowMs) return { ...known, spacedUntil };
  return { ...lowerLimit(known, observed), spacedUntil, patience: 2 * known.patience, isTrial: false };
}

/** True if a first refusal shows the limit: few may have passed because an earlier process has used up the rest. */
function isPlausible(observed: Limit): boolean {
  return observed.requests >= SHARED_KEY_RATE * PUBLISHED_LIMIT.requests && !isBelow(observed, 1);
}

function lowerLimit({ isTrial, requests, windowMs }: LearnedLimit, observed: Limit): Limit {
  if (isTrial) return { requests: requests - 1, windowMs };
  const longerMs = Math.max(windowMs, observed.windowMs);
  if (requests === 1) return { requests, windowMs: Math.min(MAX_GAP_MS, Math.max(longerMs, 2 * windowMs)) };
  const fewer = observed.requests < requests ? observed.requests : Math.ceil(requests / 2);
  return { requests: Math.max(1, fewer), windowMs: longerMs };
}

/** The time without a refusal before more is tried. */
export function patienceMs(limit: LearnedLimit): number {
  return isBelow(limit, LOW_RATE) ? limit.windowMs : limit.patience * limit.windowMs;
}

/** Raise the limit after a quiet period: other processes may have ended. */
export function relaxLimit(limit: LearnedLimit): LearnedLimit {
  if (isBelow(limit, LOW_RATE)) return { ...limit, requests: 2 * limit.requests, patience: 1, isTrial: false };
  if (isBelow(limit, SHARED_KEY_RATE)) return { ...limit, requests: limit.requests + 1, isTrial: true };
  return { ...limit, isTrial: false };
}

/** A part of a limit for each of so many processes that do not hear of each other. */
export function shareOf({ requests, windowMs }: Limit, processes: number): Limit {
  const share = (DIVISIBLE * requests) / processes;
  if (share >= 1) return { requests: Math.floor(share), windowMs };
  return { requests: 1, windowMs: Math.min(Math.max(windowMs, MAX_GAP_MS), windowMs / share) };
}

/** True for a rate lower than a share of the published one. */
function isBelow(limit: Limit, share: number): boolean {
  return rateOf(limit) < share * rateOf(PUBLISHED_LIMIT);
}

function rateOf({ requests, windowMs }: Limit): number {
  return requests / windowMs;
}
