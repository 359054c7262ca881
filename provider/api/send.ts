import type { AxiosInstance } from "axios";
import { bracketed, INVALID_PROXY } from "pulumi-clouddb-facts";
import { coded } from "../errors";
import {
  ApiError,
  INTERRUPTED,
  PROXY_LOGIN,
  PROXY_SETTING,
  type RequestFacts,
  UNREACHABLE,
} from "./errors";
import { type Connection, connectionFor, MAX_RESPONSE_MB } from "./http";
import type { Clock } from "./rate-limiter";
import {
  type Outcome,
  outcomeOf,
  parseResponse,
  type RawResponse,
  type RequestedObject,
} from "./response";

export type Body = Readonly<Record<string, unknown>>;

/** A request that is ready to be sent. */
export interface ApiRequest<Result> extends RequestedObject<Result> {
  readonly body: Body | undefined;
  /** Default: the client's. */
  readonly userAgent: string | undefined;
}

const TIMED_OUT = new Set(["ERR_CANCELED", "ECONNABORTED", "ETIMEDOUT"]);
/** The HTTP library's message for a response that is too large. */
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
  // The HTTP library's timeout only counts silence, which a server could avoid with a byte now and
  // then.
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
  return outcomeOf(request, raw, parseResponse(raw, clock.now(), redact, facts.api));
}

/** An operating system's error, as passed on by the HTTP library. */
interface SystemError {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly cause?: SystemError;
  /** An error for each address, if the host has several. */
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
  if (reason === INVALID_PROXY) return new ApiError(coded(PROXY_SETTING, proxy.problem), request);
  const networkCode = TIMED_OUT.has(reason) ? "ETIMEDOUT" : reason;
  const facts = { ...request, networkCode, ...(isProxied && { proxyVariable: proxy.variable }) };
  const path = isProxied ? ` through the proxy ${proxy.place} (${proxy.variable})` : "";
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
