/** What a rate limit lets pass. */
export interface Limit {
  readonly requests: number;
  readonly windowMs: number;
}

/** What a process keeps to, once it was refused. */
export interface LearnedLimit extends Limit {
  /** Until then, requests keep an even distance: what others have sent before is not known. */
  readonly spacedUntil: number;
  /** How many windows without a refusal it takes to ask for one request more. */
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

/** What is published of the API: stands in where its answers do not tell. */
export const PUBLISHED_LIMIT: Limit = { requests: 10, windowMs: 10_000 };
/** Less than this share of the published rate says that others use the key, too: then it is worth asking for more. */
const SHARE = 0.5;
/** Below this share, more is asked for at every window. */
const LOW_SHARE = 0.2;
const LONGEST_WINDOW_MS = 10 * 60_000;
/** A single request is not held up for longer than this, unless the API asks for it. */
const LONGEST_GAP_MS = 40_000;
/** What requests take on their way may differ by this much, or by this part of a short window. */
const LARGEST_MARGIN_MS = 250;
const MARGIN = 0.05;

/** What to keep to after a refusal. */
export function learnLimit(known: LearnedLimit | undefined, hit: Refusal): LearnedLimit {
  const seen = { requests: hit.passed, windowMs: Math.min(LONGEST_WINDOW_MS, hit.until - hit.firstAt) };
  const settled = { spacedUntil: 0, patience: 1, isTrial: false };
  // Few may have passed because an earlier process has used up the rest.
  const isTelling = seen.requests >= SHARE * PUBLISHED_LIMIT.requests && rateOf(seen) >= rateOf(PUBLISHED_LIMIT);
  if (known === undefined) return { ...settled, ...(isTelling ? seen : PUBLISHED_LIMIT) };
  const spaced = { spacedUntil: hit.until + known.windowMs };
  if (hit.at < hit.firstSentAt + 2 * known.windowMs) return { ...known, ...spaced };
  return { ...settled, ...spaced, ...lowerLimit(known, seen), patience: 2 * known.patience };
}

function lowerLimit({ isTrial, requests, windowMs }: LearnedLimit, seen: Limit): Limit {
  if (isTrial) return { requests: requests - 1, windowMs };
  const longerMs = Math.max(windowMs, seen.windowMs);
  if (requests === 1) return { requests, windowMs: Math.min(LONGEST_GAP_MS, Math.max(longerMs, 2 * windowMs)) };
  const fewer = seen.requests < requests ? seen.requests : Math.ceil(requests / 2);
  return { requests: Math.max(1, fewer), windowMs: longerMs };
}

/** How long to go without a refusal before more is asked for. */
export function patienceMs(limit: LearnedLimit): number {
  return isBelow(limit, LOW_SHARE) ? limit.windowMs : limit.patience * limit.windowMs;
}

/** After such a time: more, where others may have left, and soon as much again as a process that starts. */
export function relaxLimit(limit: LearnedLimit): LearnedLimit {
  if (isBelow(limit, LOW_SHARE)) return { ...limit, requests: 2 * limit.requests, patience: 1, isTrial: false };
  return isBelow(limit, SHARE)
    ? { ...limit, requests: limit.requests + 1, isTrial: true }
    : { ...limit, isTrial: false };
}

function isBelow(limit: Limit, share: number): boolean {
  return rateOf(limit) < share * rateOf(PUBLISHED_LIMIT);
}

/** When the next request may be sent, after those that were sent at these times. */
export function nextSendTime(limit: LearnedLimit, sent: readonly { readonly at: number }[], now: number): number {
  const windowMs = limit.windowMs + Math.min(LARGEST_MARGIN_MS, MARGIN * limit.windowMs);
  const isSpaced = now < limit.spacedUntil;
  const before = sent.at(isSpaced ? -1 : -limit.requests);
  return before === undefined ? now : before.at + (isSpaced ? windowMs / limit.requests : windowMs);
}

function rateOf({ requests, windowMs }: Limit): number {
  return requests / windowMs;
}
