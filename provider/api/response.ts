import { canonicalId, cut, parseDate, parseDelayMs, toSingleLine } from "pulumi-clouddb-facts";
import { coded } from "../errors";
import type { Api, Operation, PathParameters } from "./endpoints";
import { ApiError, createStatusError, type RequestFacts, type ResponseFacts } from "./errors";
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

/** The part of a request that decides what its response must hold. */
export interface RequestedObject<Result> {
  readonly operation: Operation<Result>;
  readonly parameters: PathParameters;
  readonly facts: RequestFacts;
}

/** The outcome of one request: its result or its error. */
export type Outcome<Result> =
  | { readonly result: Result; readonly response: Partial<ResponseFacts> }
  | ApiError;

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

/** The member of a response that holds the result. */
const RESULT_IN = { management: "result", observability: "data" } as const;

/** The result of a response, or its error. */
export function outcomeOf<Result>(
  { operation, parameters, facts }: RequestedObject<Result>,
  raw: RawResponse,
  responseFacts: ResponseFacts,
): Outcome<Result> {
  const { status, requestId } = responseFacts;
  if (status < 200 || status > 299) return createStatusError(facts, responseFacts);
  const response = { status, requestId };
  // The write may have succeeded.
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
