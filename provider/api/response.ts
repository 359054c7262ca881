import { cut, parseDate, parseDelayMs, toSingleLine } from "pulumi-clouddb-facts";
import type { Api } from "./endpoints";
import type { ResponseFacts } from "./errors";
import { wellFormed } from "./text";

const MAX_TEXT_LENGTH = 400;
/** The longest text that is read: enough for a line, and quick to search for secrets. */
const MAX_READ_LENGTH = 4000;

const BINARY = /[\0\ufffd]/;
/** Recognizes a page; in other texts, `<` stands for itself. */
const PAGE = /<(?:\/[a-z]|!doctype|html\b)/i;

/** Recognizes a body that may hold null or half a surrogate pair. */
const UNUSUAL = /null|\\u[Dd]/;

/** The parts of an HTTP response that the client reads. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Cached, because the facts about a long response and its result need the same JSON. */
const parsed = new WeakMap<RawResponse, unknown>();

/**
 * The body as JSON in well-formed Unicode, or undefined where it is not valid JSON. A member that
 * is null is absent.
 */
export function parseJson(raw: RawResponse): unknown {
  if (!parsed.has(raw)) parsed.set(raw, parse(raw.body));
  return parsed.get(raw);
}

function parse(body: string): unknown {
  try {
    if (!UNUSUAL.test(body) && body.isWellFormed()) return JSON.parse(body);
    return wellFormed(JSON.parse(body, (_, value) => value ?? undefined));
  } catch {
    return undefined;
  }
}

/** A member that only error responses of an interface have. */
const ERROR_MEMBERS: Readonly<Record<Api, readonly string[]>> = {
  management: ["requestId", "error", "status"],
  observability: ["requestId", "error", "status", "message"],
};

/**
 * Parse an error response in any form: the API's JSON, a gateway's JSON, an empty body, or a
 * proxy's page.
 */
export function parseResponse(
  raw: RawResponse,
  now: number,
  redact: (text: string) => string,
  api: Api = "management",
): ResponseFacts {
  const json = parseJson(raw);
  const body = (typeof json === "object" && json !== null ? json : {}) as Record<string, unknown>;
  // Secrets go first: neither white space nor a cut may hide a part of one.
  const line = (text: unknown) =>
    (typeof text === "string" &&
      toSingleLine(redact(cut(text, MAX_READ_LENGTH)), MAX_TEXT_LENGTH)) ||
    undefined;
  const requestId = line(body.requestId);
  // Of a gateway's page, nothing is shown: the status and the address are enough.
  const shown = (text: unknown) =>
    requestId === undefined && typeof text === "string" && PAGE.test(text) ? undefined : line(text);
  const isText = json === undefined && raw.body.trim() !== "null" && !BINARY.test(raw.body);
  const error = shown(body.error) ?? shown(body.message) ?? (isText ? shown(raw.body) : undefined);
  const [, apiCode, text] = /^([A-Z][A-Z0-9_]+)(?:: *(.*))?$/s.exec(error ?? "") ?? [];
  return {
    status: raw.status,
    requestId,
    redirect: raw.status < 400 ? line(hostOf(raw.headers.location)) : undefined,
    apiCode,
    text: apiCode === undefined ? error : text,
    isApi: ERROR_MEMBERS[api].some((name) => Object.hasOwn(body, name)),
    waitMs: requestedWaitMs(raw, now),
  };
}

/** The host of an address, whose path and query may hold a key. */
function hostOf(location: unknown): string | undefined {
  return typeof location === "string" && URL.canParse(location)
    ? new URL(location).host
    : undefined;
}

/**
 * The requested wait: `Retry-After` as seconds or a date, else, after a refusal, a rate limit's
 * reset.
 */
function requestedWaitMs({ status, headers }: RawResponse, now: number): number | undefined {
  // Servers also send these headers with other responses.
  const resets = status === 429 ? [headers["x-ratelimit-reset"], headers["ratelimit-reset"]] : [];
  const sentAt = parseDate(String(headers.date));
  const clocks = sentAt === undefined ? [now] : [sentAt, now];
  return [headers["retry-after"], ...resets]
    .map((header) => parseDelayMs(header, clocks))
    .find((ms) => ms !== undefined);
}
