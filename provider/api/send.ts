import type { AxiosInstance } from "axios";
import { canonicalId } from "pulumi-clouddb-facts";
import { coded } from "../errors";
import type { Operation } from "./endpoints";
import {
  ApiError,
  createStatusError,
  INTERRUPTED,
  PROXY_LOGIN,
  PROXY_SETTING,
  type RequestFacts,
  type ResponseFacts,
  UNREACHABLE,
} from "./errors";
import {
  bracketed,
  type Connection,
  connectionFor,
  type HttpProxy,
  INVALID_URL,
  MAX_RESPONSE_MB,
} from "./http";
import type { Clock } from "./rate-limiter";
import { parseJson, parseResponse, type RawResponse } from "./response";

export type PathParameters = Readonly<Record<string, string>>;
export type Body = Readonly<Record<string, unknown>>;

/** One request as it is sent. */
export interface ApiRequest<Result> {
  readonly operation: Operation<Result>;
  readonly parameters: PathParameters;
  readonly body: Body | undefined;
  /** Default: that of the client. */
  readonly userAgent: string | undefined;
  readonly facts: RequestFacts;
}

/** The outcome of one request: its result or its error. */
export type Outcome<Result> =
  | { readonly result: Result; readonly response: Partial<ResponseFacts> }
  | ApiError;

const TIMED_OUT = new Set(["ERR_CANCELED", "ECONNABORTED", "ETIMEDOUT"]);
/** The HTTP library's only sign of a response that is larger than allowed. */
const TOO_LARGE = /^maxContentLength/;
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY|^INVALID_(CA|PURPOSE)$/;

/** Sends a request once. */
export async function sendOnce<Result>(
  http: AxiosInstance,
  request: ApiRequest<Result>,
  { clock, redact }: { readonly clock: Clock; readonly redact: (text: string) => string },
): Promise<Outcome<Result>> {
  const { operation, facts, body, userAgent } = request;
  let raw: RawResponse;
  // The HTTP library's timeout counts only silence: a server that sends a byte now and then would
  // never reach it.
  const timeout = AbortSignal.timeout(Number(http.defaults.timeout));
  const { baseURL = "" } = http.defaults;
  const { connection, config } = connectionFor(baseURL, operation.method, timeout);
  try {
    const response = await http.request<string>({
      method: operation.method,
      url: facts.path,
      ...config,
      ...(body !== undefined && { data: JSON.stringify(body) }),
      headers: {
        ...(userAgent !== undefined && { "User-Agent": userAgent }),
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
    });
    raw = { status: response.status, headers: response.headers, body: String(response.data ?? "") };
  } catch (error) {
    return createTransportError(error, facts, connection);
  }
  const response = parseResponse(raw, clock.now(), redact, facts.api);
  const { status, requestId } = response;
  if (status < 200 || status > 299) return createStatusError(facts, response);
  return parseResult(request, raw, { status, requestId });
}

/** The member of a response that holds the result. */
const RESULT_IN = { management: "result", observability: "data" } as const;

function parseResult<Result>(
  { operation, parameters, facts }: ApiRequest<Result>,
  raw: RawResponse,
  response: Partial<ResponseFacts>,
): Outcome<Result> {
  // The write may have succeeded.
  const invalid = (problem: string) =>
    new ApiError(
      coded("CDB3010", `the API returned ${raw.status} ${problem}`),
      facts,
      response,
      true,
      json?.[member],
    );
  const json = parseJson(raw) as { result?: unknown; data?: unknown } | undefined;
  const member = RESULT_IN[operation.api];
  if (json === undefined) return invalid("with a body that is not valid JSON");
  const { data: result, error } = operation.result.safeParse(json[member]);
  if (error !== undefined)
    return invalid(`without a valid ${[member, ...(error.issues[0]?.path ?? [])].join(".")}`);
  const requestedId = operation.idParameter && parameters[operation.idParameter];
  const { id } = result as { id?: string };
  const isOther = requestedId !== undefined && canonicalId(requestedId) !== canonicalId(id);
  return isOther
    ? invalid("with a different object than requested")
    : { result: result as Result, response };
}

/** An error of the operating system, as the HTTP library passes it on. */
interface SystemError {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cause?: SystemError;
  /** A host of several addresses fails with an error for each. */
  readonly errors?: readonly SystemError[];
}

function createTransportError(
  error: unknown,
  request: RequestFacts,
  { proxy, isProxied, stage }: Connection,
): ApiError {
  const { code: reason = "unknown failure", cause, message: text } = error as Error & SystemError;
  if (TOO_LARGE.test(text)) {
    return new ApiError(
      coded("CDB3010", `the server returned more than ${MAX_RESPONSE_MB} MB`),
      request,
      {},
      true,
    );
  }
  if (reason === INVALID_URL)
    return new ApiError(coded(PROXY_SETTING, describeUnusable(proxy)), request);
  const networkCode = TIMED_OUT.has(reason) ? "ETIMEDOUT" : reason;
  const facts = { ...request, networkCode, ...(isProxied && { proxyVariable: proxy.variable }) };
  const path = isProxied ? ` through the proxy ${placeOf(proxy)} (${proxy.variable})` : "";
  if (stage === "open") {
    const interruption = TIMED_OUT.has(reason)
      ? `the request${path} timed out`
      : `the connection${path} was lost: ${reason}`;
    return new ApiError(coded(INTERRUPTED, interruption), facts, {}, true);
  }
  if (UNTRUSTED.test(reason)) {
    const owner = isProxied && stage === undefined ? "proxy" : "server";
    return new ApiError(
      coded("CDB3002", `the ${owner}'s certificate is not trusted: ${reason}`),
      facts,
    );
  }
  const { address, port } = cause?.errors?.[0] ?? cause ?? {};
  const place = address === undefined ? "" : ` ${bracketed(address)}:${port}`;
  const when = stage === undefined ? "" : ` in the ${stage}`;
  const code = reason === "the proxy returned 407" ? PROXY_LOGIN : UNREACHABLE;
  return new ApiError(
    coded(code, `could not connect to the server${path}: ${networkCode}${place}${when}`),
    facts,
  );
}

/** The proxy without its login. */
const placeOf = ({ url }: HttpProxy) => url && `${url.protocol}//${url.host}`;

function describeUnusable(proxy: HttpProxy): string {
  const problem = proxy.url ? `names ${placeOf(proxy)}` : "is not a URL";
  return `${proxy.variable} ${problem}: only HTTP proxies, such as http://host:port, are supported`;
}
