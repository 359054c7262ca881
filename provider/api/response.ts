import { canonicalId, cut, parseDate, parseDelayMs, toSingleLine } from "pulumi-clouddb-facts";
import { coded } from "../errors";
import type { Api, Operation, PathParameters } from "./endpoints";
import { ApiError, createStatusError, type RequestFacts, type ResponseFacts } from "./errors";

const MAX_TEXT_LENGTH = 400;
/** The maximum length of text to read: enough for a line, and fast to search for secrets. */
const MAX_READ_LENGTH = 4000;

const BINARY = /[\0\ufffd]/;
/** Recognizes an HTML page. In other texts, `<` is an ordinary character. */
const PAGE = /<(?:\/[a-z]|!doctype|html\b)/i;

/** Recognizes a body that may contain null or half a surrogate pair. */
const UNUSUAL = /null|\\u[Dd]/;

/** The parts of an HTTP response that the client reads. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** The parts of a request that its response is checked against. */
export interface RequestedObject<Result> {
  readonly operation: Operation<Result>;
  readonly parameters: PathParameters;
  readonly facts: RequestFacts;
}

export type Outcome<Result> =
  | { readonly result: Result; readonly response: Partial<ResponseFacts> }
  | ApiError;

/** Cached, because a response's facts and result parse the same JSON. */
const parsed = new WeakMap<RawResponse, unknown>();

/**
 * The body as JSON in well-formed Unicode; undefined if it is not valid JSON. null counts as
 * absent.
 */
function parseJson(raw: RawResponse): unknown {
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

/**
 * A JSON value in well-formed Unicode, names included: gRPC fails to encode half a surrogate pair.
 */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]),
  );
}

/** A member that only error responses of an interface have. */
const ERROR_MEMBERS: Readonly<Record<Api, readonly string[]>> = {
  management: ["requestId", "error", "status"],
  observability: ["requestId", "error", "status", "message"],
};

/**
 * Parses an error response in any form: the API's JSON, a gateway's JSON, an empty body, or a
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
  // Secrets are redacted first, before white space or truncation can hide a part of them.
  const line = (text: unknown) =>
    (typeof text === "string" &&
      toSingleLine(redact(cut(text, MAX_READ_LENGTH)), MAX_TEXT_LENGTH)) ||
    undefined;
  const requestId = line(body.requestId);
  // A gateway's page is not shown: status and address suffice.
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

/** The host of an address. Its path and query may contain a key. */
function hostOf(location: unknown): string | undefined {
  return typeof location === "string" && URL.canParse(location)
    ? new URL(location).host
    : undefined;
}

/**
 * The requested wait: `Retry-After` in seconds or as a date, or the reset of a rate limit after a
 * refusal.
 */
function requestedWaitMs({ status, headers }: RawResponse, now: number): number | undefined {
  // Servers send reset headers with other responses as well.
  const resets = status === 429 ? [headers["x-ratelimit-reset"], headers["ratelimit-reset"]] : [];
  const sentAt = parseDate(String(headers.date));
  const clocks = sentAt === undefined ? [now] : [sentAt, now];
  return [headers["retry-after"], ...resets]
    .map((header) => parseDelayMs(header, clocks))
    .find((ms) => ms !== undefined);
}

/** The member of a response with the result. */
const RESULT_IN = { management: "result", observability: "data" } as const;

export function outcomeOf<Result>(
  { operation, parameters, facts }: RequestedObject<Result>,
  raw: RawResponse,
  responseFacts: ResponseFacts,
): Outcome<Result> {
  const { status, requestId } = responseFacts;
  if (status < 200 || status > 299) return createStatusError(facts, responseFacts);
  const response = { status, requestId };
  // A write may have succeeded despite an invalid response.
  const invalid = (problem: string) =>
    new ApiError(
      coded("CDB3010", `the API returned ${status} ${problem}`),
      facts,
      response,
      true,
      json?.[member],
    );
  const json = parseJson(raw) as { result?: unknown; data?: unknown } | undefined;
  const member = RESULT_IN[operation.api];
  if (json === undefined) return invalid("with a body that is not valid JSON");
  const { data: result, error: invalidity } = operation.result.safeParse(json[member]);
  if (invalidity !== undefined)
    return invalid(`without a valid ${[member, ...(invalidity.issues[0]?.path ?? [])].join(".")}`);
  const requestedId = operation.idParameter && parameters[operation.idParameter];
  const { id } = result as { id?: string };
  const isOther = requestedId !== undefined && canonicalId(requestedId) !== canonicalId(id);
  return isOther
    ? invalid("with a different object than requested")
    : { result: result as Result, response };
}
