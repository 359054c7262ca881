import type { LearnedLimit, Limit } from "./learned-limit";

/* What processes that share a rate limit know together, and what they say to each other: see shared-limit.ts. */

/** The knowledge of one API key. All times are milliseconds of the one clock that all processes share. */
export interface SharedState {
  now: number;
  /** An addition to the clock, so that time does not run backwards when the clock is set. */
  offsetMs: number;
  /** The number of the latest permit. */
  permits: number;
  firstSentAt?: number | undefined;
  limit?: LearnedLimit | undefined;
  unrefusedSince: number;
  refusedAt: number;
  refusalsInRow: number;
  closedUntil: number;
  /** A refusal asked for more than the longest pause. After the pause, one request is sent to find out. */
  needsProbe: boolean;
  /** True where one process keeps it for itself: it hears of each response at once. */
  isAlone?: boolean;
  /** The end of the wait that the refusal of such a request asked for: nobody waits for that. */
  hopelessUntil?: number | undefined;
  /** The latest refusal. The limit is derived from it when the pause is over. */
  refusal?: { at: number; until: number; firstAt: number; uncertainMs: number } | undefined;
  /** Requests that were not refused, in the order of their permits. */
  sent: SentRequest[];
  /** One place for each process, whoever is first in front: so they take turns. */
  waiting: WaitingProcess[];
}

export interface SentRequest {
  permit: number;
  process: string;
  permittedAt: number;
  /** By then the API has counted it: when its response came. */
  countedAt?: number | undefined;
}

export interface WaitingProcess {
  process: string;
  isUrgent: boolean;
  /** Whoever has not asked again by then is gone. */
  until: number;
}

/** A message of a process: which of its permits are over, and that it wants more. */
export interface Message {
  readonly process: string;
  readonly ended: readonly EndedPermit[];
  readonly ask?: Question;
  /** The limit as it was when the process last heard of it: a state that was lost starts with it. */
  readonly known?: Limit;
  /** The requests that the process sent in the last window while it could not share, and the wait that was asked of it. */
  readonly alone?: { readonly sent: number; readonly closedMs: number };
}

export interface EndedPermit {
  readonly permit: number;
  readonly outcome: Ending;
}

export interface Question {
  readonly isUrgent: boolean;
  readonly wanted: number;
}

/** The outcome of a permit: `refusedMs` is the wait that a refusal asked for, 0 where it named none. */
export interface Ending {
  readonly refusedMs?: number;
  readonly isUnused?: boolean;
}

export interface Answer {
  /** Permits that were given, and the number of the first. */
  readonly granted: number;
  readonly permit: number;
  /** When to ask again. */
  readonly waitMs: number;
  /** The time during which nobody may send. */
  readonly closedMs: number;
  /** The number of processes that share the limit at the moment. */
  readonly processes: number;
  /** The limit, once it is known. */
  readonly requests?: number | undefined;
  readonly windowMs?: number | undefined;
}
