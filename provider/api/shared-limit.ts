import {
  type LearnedLimit,
  type Limit,
  learnLimit,
  PUBLISHED_LIMIT,
  patienceMs,
  relaxLimit,
  shortestPauseMs,
} from "./learned-limit";
import type { Answer, Ending, Message, Question, SharedState, WaitingProcess } from "./shared-state";

/*
 * The rate limit that many processes keep to together: who may send when. Pure, because it runs in two places: tests
 * run it here, and the build compiles it to the script that Redis runs (provider/core/script.ts). So it uses only
 * what means the same in Lua: no null, no hole in a list, no text as a number.
 */

/** After so long without a refusal the limit is learned anew: it may have been raised. */
export const FORGET_MS = 60 * 60_000;

/** Whoever waits asks again at least that often: processes in front of it may have ended. */
export const MAX_WAIT_MS = 5000;
/** The delay after which a process that has not asked again loses its place. */
const GRACE_MS = 3000;
/** While the limit is unknown, permits depend on responses, which come at any moment. */
const UNKNOWN_WAIT_MS = 20;
const UNKNOWN_WAIT_PER_PLACE_MS = 10;
/** A request counts when its response comes, but no later than this, or this part of a window, after its permit. */
const MAX_UNDER_WAY_MS = 1000;
const UNDER_WAY = 0.25;
/** One wrong wait must not close a key for good. */
const MAX_CLOSED_MS = 10 * 60_000;
/** The time for which all others wait for the outcome of a single request. */
const PROBE_MS = 10_000;
/** More would make the shared state large. */
const MAX_SENT = 200;

export function newState(): SharedState {
  return {
    now: 0,
    offsetMs: 0,
    permits: 0,
    unrefusedSince: 0,
    refusedAt: -1,
    refusalsInRow: 0,
    closedUntil: 0,
    needsProbe: false,
    sent: [],
    waiting: [],
  };
}

/** Answers a message, and changes the state. */
export function respond(state: SharedState, message: Message, clockMs: number): Answer {
  advance(state, clockMs);
  if (message.known !== undefined && state.firstSentAt === undefined) adoptLimit(state, message.known);
  if (message.alone !== undefined) addAlone(state, message.process, message.alone.sent, message.alone.closedMs);
  for (const { permit, outcome } of message.ended) end(state, message.process, permit, outcome);
  return message.ask === undefined ? answer(state, 0, 0) : ask(state, message.process, message.ask);
}

/** Requests before the loss of the state are unknown, so the next ones keep a distance for a window. */
function adoptLimit(state: SharedState, { requests, windowMs }: Limit): void {
  const { now } = state;
  state.limit = { requests, windowMs, spacedUntil: now + windowMs, patience: 1, isTrial: false };
  state.unrefusedSince = now;
  state.refusedAt = now;
}

function advance(state: SharedState, clockMs: number): void {
  if (clockMs + state.offsetMs < state.now) state.offsetMs = state.now - clockMs;
  state.now = clockMs + state.offsetMs;
  const { now } = state;
  state.waiting = state.waiting.filter((ticket) => ticket.until > now);
  if (now >= state.closedUntil) updateLimit(state);
  const since = Math.min(now - 2 * windowOf(state), state.refusal === undefined ? now : state.refusal.firstAt);
  const recent = state.sent.filter((entry) => entry.permittedAt >= since);
  state.sent = state.isAlone ? recent : recent.slice(-MAX_SENT);
}

function updateLimit(state: SharedState): void {
  const { now, refusal, limit, sent } = state;
  if (refusal !== undefined) {
    const { at, until } = refusal;
    const passed = sent.filter((entry) => entry.permittedAt >= refusal.firstAt && entry.permittedAt <= at).length;
    const firstAt = until - inWholeSeconds(until - refusal.firstAt, refusal.uncertainMs);
    state.limit = learnLimit(limit, { at, until, passed, firstAt, firstSentAt: state.firstSentAt ?? at });
    state.refusal = undefined;
    state.unrefusedSince = now;
  } else if (limit !== undefined && now - state.refusedAt >= FORGET_MS && !state.isAlone) {
    state.limit = undefined;
  } else if (limit !== undefined && now - state.unrefusedSince >= patienceMs(limit)) {
    state.limit = relaxLimit(limit);
    state.unrefusedSince = now;
  }
}

/** Limits are for whole seconds; what was measured may be longer, by the time that messages were under way. */
function inWholeSeconds(ms: number, uncertainMs: number): number {
  const whole = Math.floor(ms / 1000) * 1000;
  return whole > 0 && ms - whole <= uncertainMs ? whole : ms;
}

function ask(state: SharedState, process: string, { isUrgent, wanted }: Question): Answer {
  const place = placeOf(state, process, isUrgent);
  const open = openNow(state);
  const ticket = state.waiting[place] as WaitingProcess;
  if (place >= open) {
    const waitMs = Math.ceil(Math.min(MAX_WAIT_MS, Math.max(1, nextOpening(state, place) - state.now)));
    ticket.until = state.now + waitMs + GRACE_MS;
    return answer(state, 0, waitMs);
  }
  // More than one, where enough is left for everybody else who waits. Under an unknown limit, which responses open
  // again within moments, only for those in front.
  const others = state.limit === undefined ? place + 1 : state.waiting.length;
  const granted = 1 + Math.max(0, Math.min(wanted - 1, open - others));
  state.waiting = state.waiting.filter((other) => other !== ticket);
  for (let count = 0; count < granted; count += 1) addSent(state, process);
  state.firstSentAt = state.firstSentAt ?? state.now;
  if (state.needsProbe) {
    state.closedUntil = state.now + PROBE_MS;
    state.hopelessUntil = undefined;
  }
  return answer(state, granted, 0);
}

function addAlone(state: SharedState, process: string, sent: number, closedMs: number): void {
  for (let count = 0; count < sent; count += 1) addSent(state, process, state.now);
  state.closedUntil = Math.max(state.closedUntil, state.now + Math.min(MAX_CLOSED_MS, Math.ceil(closedMs)));
}

function addSent(state: SharedState, process: string, countedAt?: number): void {
  state.permits += 1;
  state.sent.push({ permit: state.permits, process, permittedAt: state.now, countedAt });
}

/** The place of a process in the queue, in which it stands from now on. */
function placeOf(state: SharedState, process: string, isUrgent: boolean): number {
  const { waiting } = state;
  const known = waiting.findIndex((ticket) => ticket.process === process && ticket.isUrgent === isUrgent);
  if (known >= 0) return known;
  const others = waiting.filter((ticket) => ticket.process !== process);
  const urgent = others.filter((ticket) => ticket.isUrgent);
  const patient = others.filter((ticket) => !ticket.isUrgent);
  const own: WaitingProcess = { process, isUrgent, until: state.now + GRACE_MS };
  state.waiting = isUrgent ? [...urgent, own, ...patient] : [...others, own];
  return isUrgent ? urgent.length : others.length;
}

/** The number of requests that may be sent now. */
function openNow(state: SharedState): number {
  const { now, limit, sent } = state;
  if (now < state.closedUntil) return 0;
  if (state.needsProbe) return 1;
  if (state.isAlone && limit === undefined) return PUBLISHED_LIMIT.requests;
  const counted = countedTimes(state, underWayMs(state)).filter((at) => at > now - windowOf(state));
  if (limit !== undefined) {
    if (now >= limit.spacedUntil) return limit.requests - counted.length;
    const last = counted[counted.length - 1];
    return last === undefined || now >= last + limit.windowMs / limit.requests ? 1 : 0;
  }
  if (counted.length < PUBLISHED_LIMIT.requests) return PUBLISHED_LIMIT.requests - counted.length;
  // Beyond the published limit, first one request, and then as many at once as have passed: few are refused.
  const underWay = sent.filter((entry) => entry.countedAt === undefined && entry.permittedAt > now - windowOf(state));
  return counted.length - underWay.length - PUBLISHED_LIMIT.requests + 1 - underWay.length;
}

/** When the turn of a place is likely to come. */
function nextOpening(state: SharedState, place: number): number {
  const { now, limit, closedUntil } = state;
  if (limit === undefined) return Math.max(closedUntil, now + UNKNOWN_WAIT_MS + place * UNKNOWN_WAIT_PER_PLACE_MS);
  // Requests under way are likely to be over by then.
  const likely = openingIn(countedTimes(state, 0), limit, place, now);
  const opening = likely > now ? likely : openingIn(countedTimes(state, underWayMs(state)), limit, place, now);
  return Math.max(closedUntil, opening);
}

function openingIn(times: readonly number[], limit: LearnedLimit, place: number, now: number): number {
  const { requests, windowMs } = limit;
  if (now < limit.spacedUntil) return (times[times.length - 1] ?? now) + ((place + 1) * windowMs) / requests;
  const rounds = Math.floor(place / requests);
  const before = times[times.length - requests + (place - rounds * requests)];
  return (before === undefined ? now : before + windowMs) + rounds * windowMs;
}

/** When the API has counted requests, in order. For those under way that is not known: so long after their permits. */
function countedTimes({ sent }: SharedState, underWay: number): number[] {
  return sent.map((entry) => entry.countedAt ?? entry.permittedAt + underWay).sort((one, other) => one - other);
}

function end(state: SharedState, process: string, permit: number, outcome: Ending): void {
  const { now } = state;
  const entry = state.sent.find((candidate) => candidate.permit === permit && candidate.process === process);
  // An unknown permit has expired, or Redis has lost it.
  if (entry !== undefined) entry.countedAt = Math.min(now, entry.permittedAt + underWayMs(state));
  if (outcome.refusedMs === undefined && !outcome.isUnused) {
    if (entry !== undefined && entry.permittedAt > state.refusedAt) recordSuccess(state);
    return;
  }
  state.sent = state.sent.filter((other) => other !== entry);
  if (outcome.refusedMs !== undefined)
    recordRefusal(state, entry?.permittedAt ?? now - underWayMs(state), outcome.refusedMs);
}

function recordSuccess(state: SharedState): void {
  state.refusalsInRow = 0;
  if (!state.needsProbe) return;
  state.needsProbe = false;
  state.closedUntil = state.now;
}

function recordRefusal(state: SharedState, sentAt: number, requestedMs: number): void {
  const { now, limit } = state;
  const isTooLong = requestedMs > MAX_CLOSED_MS && !state.isAlone;
  const waitMs = isTooLong ? MAX_CLOSED_MS : Math.ceil(requestedMs);
  if (waitMs > 0) state.closedUntil = Math.max(state.closedUntil, now + waitMs);
  // Requests sent before a refusal tell nothing new.
  if (sentAt <= state.refusedAt) {
    state.needsProbe = state.needsProbe || isTooLong;
    return;
  }
  state.refusedAt = now;
  state.refusalsInRow += 1;
  state.closedUntil = Math.max(state.closedUntil, now + shortestPauseMs(state.refusalsInRow));
  state.hopelessUntil = state.needsProbe && isTooLong ? now + requestedMs : undefined;
  state.needsProbe = isTooLong;
  // A pause that was cut tells nothing of the limit.
  if (isTooLong) return;
  const first = state.sent.find((entry) => entry.permittedAt > now - windowOf(state));
  const firstAt = first?.permittedAt ?? now;
  if (waitMs === 0) {
    const known = limit === undefined ? 0 : now + limit.windowMs;
    state.closedUntil = Math.max(state.closedUntil, firstAt + PUBLISHED_LIMIT.windowMs, known);
  }
  // A guessed pause says nothing about the window.
  const until = waitMs > 0 || limit === undefined ? state.closedUntil : firstAt + limit.windowMs;
  // The first request was counted before its response came, and the refusal arrived here as late as that.
  const responseMs = (first?.countedAt ?? firstAt) - firstAt;
  const roundedMs = waitMs > 0 && waitMs % 1000 === 0 ? 999 : 0;
  state.refusal = { at: now, until, firstAt, uncertainMs: 2 * responseMs + roundedMs };
}

function windowOf({ limit }: SharedState): number {
  return limit?.windowMs ?? PUBLISHED_LIMIT.windowMs;
}

function underWayMs(state: SharedState): number {
  return Math.min(MAX_UNDER_WAY_MS, Math.ceil(UNDER_WAY * windowOf(state)));
}

function answer(state: SharedState, granted: number, waitMs: number): Answer {
  return {
    granted,
    permit: state.permits - granted + 1,
    waitMs,
    closedMs: Math.max(0, state.closedUntil - state.now, (state.hopelessUntil ?? 0) - state.now),
    processes: activeProcesses(state),
    requests: state.limit?.requests,
    windowMs: state.limit?.windowMs,
  };
}

/** The number of processes that wait, or have sent something in the last window. */
function activeProcesses(state: SharedState): number {
  if (state.isAlone) return 1;
  const since = state.now - windowOf(state);
  const recent = state.sent.filter((entry) => entry.permittedAt > since);
  const names = [...state.waiting, ...recent].map((entry) => entry.process).sort();
  return names.filter((name, index) => name !== names[index - 1]).length;
}
