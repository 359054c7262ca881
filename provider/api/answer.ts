import type { AnswerFacts } from "./errors";

const LONGEST_TEXT = 400;

/** The parts of an HTTP answer that matter here. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The body as JSON, or undefined where it is none. A member that is null is absent. */
export function jsonOf({ body }: RawAnswer): unknown {
  try {
    return JSON.parse(body, (_, value) => value ?? undefined);
  } catch {
    return undefined;
  }
}

/** What an error answer says, whatever its form: the API's JSON, a bare `error`, nothing, or a proxy's page. */
export function answerFacts(raw: RawAnswer, now: number, redacted: (text: string) => string): AnswerFacts {
  const json = jsonOf(raw);
  const body = (typeof json === "object" && json !== null ? json : {}) as Record<string, unknown>;
  const error = typeof body.error === "string" ? clean(redacted(body.error)) : undefined;
  const [, code, text] = /^([A-Z][A-Z0-9_]+)(?:: *(.*))?$/s.exec(error ?? "") ?? [];
  return {
    status: raw.status,
    requestId: typeof body.requestId === "string" ? clean(body.requestId) : undefined,
    code,
    text: code === undefined ? error : text,
    isApi: ["requestId", "error", "status"].some((name) => Object.hasOwn(body, name)),
    waitMs: waitMs(raw.headers, now),
  };
}

/** Server text on its way to a terminal: one line, no control characters, cut. */
function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, " ").trim();
  return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
}

/** How long an answer asks to wait: `Retry-After` as seconds or a date, else a rate limit's reset. */
function waitMs(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const retryAfter = headers["retry-after"];
  const reset = headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"];
  const until = momentOf(retryAfter, now) ?? momentOf(reset, now);
  return until === undefined ? undefined : Math.max(0, until - now);
}

/** Seconds from now, seconds or milliseconds since 1970, or a date. */
function momentOf(header: unknown, now: number): number | undefined {
  if (typeof header !== "string" || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isNaN(seconds)) {
    const date = Date.parse(header);
    return Number.isNaN(date) ? undefined : date;
  }
  if (seconds > 1_000_000_000_000) return seconds;
  return seconds > 1_000_000_000 ? seconds * 1000 : now + seconds * 1000;
}
