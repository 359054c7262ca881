import { redact } from "./redact";

/** A request to the API and the status of its response. */
export interface JournalEntry {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Redacted. */
  readonly body: unknown;
  /** 0 for a broken connection. */
  readonly status: number;
  /** The service that the request created or changed. */
  readonly serviceId?: string;
  readonly at: string;
  readonly milliseconds: number;
  /** The kind of the fault that was injected. */
  readonly fault?: string;
}

/** Matches the entries that satisfy all of its members. */
export interface JournalQuery {
  readonly method?: string;
  /** A part of the path. */
  readonly path?: string;
  /** `429`, or `4xx` for any status from 400 to 499. */
  readonly status?: string;
  readonly since?: string;
  readonly until?: string;
}

const MAX_ENTRIES = 10_000;
const SPARE_ENTRIES = 1000;
const MAX_BODY_LENGTH = 10_000;

/** The latest requests, oldest first. */
export function createJournal() {
  let entries: JournalEntry[] = [];
  return {
    add({ body, ...values }: JournalEntry): void {
      entries.push({ ...values, body: summarize(body) });
      // Trimmed rarely: copying the array for each request would cost more than the request.
      if (entries.length >= MAX_ENTRIES + SPARE_ENTRIES) entries = entries.slice(-MAX_ENTRIES);
    },
    find: (query: JournalQuery = {}) => entries.slice(-MAX_ENTRIES).filter((entry) => matches(entry, query)),
    clear(): void {
      entries = [];
    },
  };
}

function summarize(value: unknown): unknown {
  const redacted = redact(value);
  const { length } = JSON.stringify(redacted) ?? "";
  return length > MAX_BODY_LENGTH ? `(${length} characters)` : redacted;
}

function matches(entry: JournalEntry, { method, path = "", status, since, until }: JournalQuery): boolean {
  const pattern = status && new RegExp(`^${status.replaceAll("x", "\\d")}$`);
  return (
    (method ?? entry.method) === entry.method &&
    entry.path.includes(path) &&
    (!pattern || pattern.test(String(entry.status))) &&
    (!since || Date.parse(entry.at) >= Date.parse(since)) &&
    (!until || Date.parse(entry.at) <= Date.parse(until))
  );
}
