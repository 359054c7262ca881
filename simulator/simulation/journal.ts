import { redact } from "./redact";

/** A request to the API and the status of its response. */
export interface JournalEntry {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** The redacted body. Only the length of a long body is kept. */
  readonly body: unknown;
  /** The status of the response; 0 for a broken connection. */
  readonly status: number;
  /** The service that the request created or changed. */
  readonly serviceId?: string;
  readonly at: string;
  readonly milliseconds: number;
  /** The kind of the injected fault. */
  readonly fault?: string;
}

const MAX_ENTRIES = 10_000;
const MAX_BODY_LENGTH = 10_000;

/** Stores the latest requests, oldest first. */
export function createJournal() {
  const entries: JournalEntry[] = [];
  return {
    add({ body, ...values }: JournalEntry): void {
      const redacted = redact(body);
      const { length } = JSON.stringify(redacted) ?? "";
      const shown = length > MAX_BODY_LENGTH ? `(${length} characters)` : redacted;
      entries.push({ ...values, body: shown });
      if (entries.length > MAX_ENTRIES) entries.shift();
    },
    list: (): readonly JournalEntry[] => entries,
    clear(): void {
      entries.length = 0;
    },
  };
}
