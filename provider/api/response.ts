import { cut, toSingleLine } from "pulumi-clouddb-facts";
import type { ResponseFacts } from "./errors";
import { parseHttpDate } from "./http-date";
import { pageText } from "./page-text";
import { wellFormed } from "./text";

const MAX_TEXT_LENGTH = 400;
/** Enough to fill a line, and little enough to be searched for secrets. */
const MAX_READ_LENGTH = 4000;
/** A wait of more than a day, forwards or backwards, says that the clock is wrong. */
const MAX_PLAUSIBLE_WAIT_MS = 24 * 60 * 60_000;
/** Later than the year 9999: not a moment. */
const MAX_MOMENT_MS = Date.UTC(10_000, 0);

const BINARY = /[\0\ufffd]/;

/** The parts of an HTTP response that matter here. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The body as JSON in well-formed Unicode, or undefined where it is not valid JSON. A member that is null is absent. */
export function parseJson({ body }: RawResponse): unknown {
  try {
    return wellFormed(JSON.parse(body, (_, value) => value ?? undefined));
  } catch {
    return undefined;
  }
}

/** Parse an error response in any form: the API's JSON, a gateway's JSON, an empty body, or a proxy's page. */
export function parseResponse(raw: RawResponse, now: number, redact: (text: string) => string): ResponseFacts {
  const json = parseJson(raw);
  const body = (typeof json === "object" && json !== null ? json : {}) as Record<string, unknown>;
  // Secrets go first: neither white space nor a cut may hide a part of one.
  const line = (text: unknown, read = (redacted: string) => redacted) =>
    (typeof text === "string" && toSingleLine(read(redact(cut(text, MAX_READ_LENGTH))), MAX_TEXT_LENGTH)) || undefined;
  const requestId = line(body.requestId);
  // A gateway's text may be HTML.
  const readPage = requestId === undefined ? pageText : undefined;
  const isPage = json === undefined && raw.body.trim() !== "null" && !BINARY.test(raw.body);
  const error =
    line(body.error, readPage) ?? line(body.message, readPage) ?? (isPage ? line(raw.body, readPage) : undefined);
  const [, apiCode, text] = /^([A-Z][A-Z0-9_]+)(?:: *(.*))?$/s.exec(error ?? "") ?? [];
  return {
    status: raw.status,
    requestId,
    redirect: raw.status < 400 ? line(hostOf(raw.headers.location)) : undefined,
    apiCode,
    text: apiCode === undefined ? error : text,
    isApi: ["requestId", "error", "status"].some((name) => Object.hasOwn(body, name)),
    waitMs: requestedWaitMs(raw, now),
  };
}

/** Without path and query, which may hold a key. */
function hostOf(location: unknown): string | undefined {
  return typeof location === "string" && URL.canParse(location) ? new URL(location).host : undefined;
}

/** The requested wait: `Retry-After` as seconds or a date, else, after a refusal, a rate limit's reset. */
function requestedWaitMs({ status, headers }: RawResponse, now: number): number | undefined {
  // Servers also send these headers with other responses.
  const resets = status === 429 ? [headers["x-ratelimit-reset"], headers["ratelimit-reset"]] : [];
  const sentAt = parseHttpDate(String(headers.date), now);
  const clocks: [number, ...number[]] = sentAt === undefined ? [now] : [sentAt, now];
  return [headers["retry-after"], ...resets]
    .map((header) => parseDelayMs(header, clocks))
    .find((ms) => ms !== undefined);
}

/** Seconds to wait, or a moment as a date or in seconds or milliseconds since 1970, by the first clock that makes sense of it. */
function parseDelayMs(header: unknown, clocks: readonly [number, ...number[]]): number | undefined {
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  const seconds = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  if (seconds !== undefined && seconds <= 1_000_000_000) return Math.max(0, seconds * 1000);
  const moment =
    seconds === undefined ? parseHttpDate(text, clocks[0]) : seconds * (seconds > 1_000_000_000_000 ? 1 : 1000);
  if (moment === undefined || moment > MAX_MOMENT_MS) return undefined;
  const waits = clocks.map((now) => moment - now);
  return Math.max(0, waits.find((ms) => Math.abs(ms) <= MAX_PLAUSIBLE_WAIT_MS) ?? waits[0] ?? 0);
}
