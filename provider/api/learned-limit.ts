/** What a rate limit lets pass. */
export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

/** What a process keeps to, once it was refused. */
export interface LearnedLimit extends Limit {
  /** Until then, requests keep an even distance: what others have sent before is not known. */
  readonly spacedUntil: number;
  /** How many windows without a refusal it takes to try one request more. */
  readonly patience: number;
  /** Nobody knows yet whether the last one more is allowed. */
  readonly isTrial: boolean;
}

/** A refusal, as it looks when the pause after it is over. */
export interface Refusal {
  readonly at: number;
  /** When requests may be sent again. */
  readonly until: number;
  /** How many requests of the process have not been refused in the window that counts here, and when the first was sent. */
  readonly passed: number;
  readonly firstAt: number;
  /** When the process sent its first request. */
  readonly firstSentAt: number;
}

/** What is published of the API: stands in where its responses do not tell. */
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
/** What requests take on their way may differ by this much, or by this part of a short window. */
const MAX_MARGIN_MS = 250;
const MARGIN = 0.05;
/** The shortest pause after a refusal, whatever it asks for. It doubles with each further refusal in a row. */
const SHORTEST_PAUSE_MS = 100;

/** The shortest pause after so many refusals in a row, so that a server that asks for next to none is not flooded. */
export function shortestPauseMs(refusalsInRow: number): number {
  return Math.min(PUBLISHED_LIMIT.windowMs, SHORTEST_PAUSE_MS * 2 ** (refusalsInRow - 1));
}

/** What to keep to after a refusal. */
export function learnLimit(known: LearnedLimit | undefined, refusal: Refusal): LearnedLimit {
  const { at, until, passed, firstAt, firstSentAt } = refusal;
  const observed = { requests: passed, windowMs: Math.min(MAX_WINDOW_MS, until - firstAt) };
  const start = { spacedUntil: 0, patience: 1, isTrial: false };
  if (known === undefined) return { ...start, ...(isPlausible(observed) ? observed : PUBLISHED_LIMIT) };
  const spacedUntil = until + known.windowMs;
  // What an earlier process has sent may still count against this one.
  if (at < firstSentAt + 2 * known.windowMs) return { ...known, spacedUntil };
  return { ...lowerLimit(known, observed), spacedUntil, patience: 2 * known.patience, isTrial: false };
}

/** Whether a first refusal tells the limit: few may have passed because an earlier process has used up the rest. */
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

/** How long to go without a refusal before more is tried. */
export function patienceMs(limit: LearnedLimit): number {
  return isBelow(limit, LOW_RATE) ? limit.windowMs : limit.patience * limit.windowMs;
}

/** After such a time: more, where others may have left, and soon as much again as a process that starts. */
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

/** Whether a rate is lower than a share of the published one. */
function isBelow(limit: Limit, share: number): boolean {
  return rateOf(limit) < share * rateOf(PUBLISHED_LIMIT);
}

function rateOf({ requests, windowMs }: Limit): number {
  return requests / windowMs;
}

/** When the next request may be sent, after those that were sent at these times. */
export function nextSendTime(limit: LearnedLimit, sent: readonly { readonly at: number }[], now: number): number {
  const windowMs = limit.windowMs + Math.min(MAX_MARGIN_MS, MARGIN * limit.windowMs);
  const isSpaced = now < limit.spacedUntil;
  const before = sent.at(isSpaced ? -1 : -limit.requests);
  if (before === undefined) return now;
  return before.at + (isSpaced ? windowMs / limit.requests : windowMs);
}
