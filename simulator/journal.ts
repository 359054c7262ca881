/** One request that the API has answered. */
export interface JournalEntry {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly at: string;
}

export interface Journal {
  readonly add: (entry: JournalEntry) => void;
  readonly entries: () => readonly JournalEntry[];
  readonly clear: () => void;
}

const MOST_ENTRIES = 10_000;
const SECRET_NAMES = /password|secret|accesskey|encryptionkey$|connectionstring|credentials/i;

export function createJournal(): Journal {
  let kept: JournalEntry[] = [];
  return {
    add(entry) {
      kept.push({ ...entry, body: redacted(entry.body) });
      if (kept.length > MOST_ENTRIES) kept = kept.slice(-MOST_ENTRIES);
    },
    entries: () => kept,
    clear() {
      kept = [];
    },
  };
}

function redacted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redacted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, SECRET_NAMES.test(name) ? "[secret]" : redacted(inner)]),
  );
}
