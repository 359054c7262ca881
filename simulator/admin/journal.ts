import { redacted } from "./redacted";

/** One request that the API has answered. */
export interface JournalEntry {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Without its secrets. */
  readonly body: unknown;
  /** 0 where the connection broke. */
  readonly status: number;
  readonly at: string;
  readonly milliseconds: number;
  /** The kind of the fault that a rule asked for. */
  readonly fault?: string;
}

/** Which entries are meant: all of these hold. */
export interface JournalQuery {
  readonly method?: string;
  /** A part of the path. */
  readonly path?: string;
  /** `429`, or `4xx` for all of a hundred. */
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
}

export interface Journal {
  readonly add: (entry: JournalEntry) => JournalEntry;
  readonly find: (query?: JournalQuery) => readonly JournalEntry[];
  readonly clear: () => void;
}

const MOST_ENTRIES = 10_000;
const SPARE_ENTRIES = 1000;
const LONGEST_BODY = 10_000;

/** The latest requests, oldest first. */
export function createJournal(): Journal {
  let kept: JournalEntry[] = [];
  return {
    add(entry) {
      const safe = { ...entry, body: shownBody(entry.body) };
      kept.push(safe);
      // Cut seldom: a copy for each request would cost more than the request.
      if (kept.length >= MOST_ENTRIES + SPARE_ENTRIES) kept = kept.slice(-MOST_ENTRIES);
      return safe;
    },
    find: (query = {}) => kept.slice(-MOST_ENTRIES).filter((entry) => fits(entry, query)),
    clear() {
      kept = [];
    },
  };
}

function shownBody(body: unknown): unknown {
  const safe = redacted(body);
  const { length } = JSON.stringify(safe) ?? "";
  return length > LONGEST_BODY ? `(${length} characters)` : safe;
}

function fits(entry: JournalEntry, { method, path = "", status, since, until }: JournalQuery): boolean {
  const wanted = status && new RegExp(`^${status.replaceAll("x", "\\d")}$`);
  return (
    (method ?? entry.method) === entry.method &&
    entry.path.includes(path) &&
    (!wanted || wanted.test(String(entry.status))) &&
    (!since || Date.parse(entry.at) >= Date.parse(since)) &&
    (!until || Date.parse(entry.at) <= Date.parse(until))
  );
}
