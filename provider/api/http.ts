import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { TLSSocket } from "node:tls";
import {
  bracketed,
  environmentProxy,
  type HttpProxy,
  INVALID_PROXY,
  isLoopback,
} from "pulumi-clouddb-facts";
import { coded } from "../errors";
import {
  ApiError,
  INTERRUPTED,
  type KeyOrigin,
  PROXY_LOGIN,
  PROXY_SETTING,
  type RequestFacts,
  UNREACHABLE,
} from "./errors";
import type { Clock } from "./rate-limiter";
import {
  type Outcome,
  outcomeOf,
  parseResponse,
  type RawResponse,
  type RequestedObject,
} from "./response";

/** The address and credentials of an interface. */
export interface ClientSettings {
  readonly baseUrl: string;
  /** The `Authorization` header. */
  readonly authorization: string;
  /** The timeout of one attempt. */
  readonly requestTimeoutSeconds: number;
  /** The maximum number of retries after failures. Refusals by the rate limit do not count. */
  readonly maxRetries: number;
  readonly userAgent: string;
  readonly keyOrigin?: KeyOrigin;
}

export type Body = Readonly<Record<string, unknown>>;

/** A request that is ready to be sent. */
export interface ApiRequest<Result> extends RequestedObject<Result> {
  readonly body: Body | undefined;
  /** Default: the client's. */
  readonly userAgent: string | undefined;
}

const MAX_RESPONSE_MB = 20;

/** The `Authorization` header of the observability interface. */
export function bearer(accessToken: string): string {
  return `Bearer ${accessToken}`;
}

/** Returns a function that sends a request once. */
export function createTransport(
  { baseUrl, authorization, requestTimeoutSeconds, userAgent: clientAgent }: ClientSettings,
  { clock, redact }: { readonly clock: Clock; readonly redact: (text: string) => string },
) {
  // Loaded on use: a preview without changes sends nothing.
  const axios = require("axios") as typeof import("axios");
  const timeoutMs = requestTimeoutSeconds * 1000;
  const instance = axios.create({
    baseURL: baseUrl,
    timeout: timeoutMs,
    headers: {
      Authorization: authorization,
      "User-Agent": clientAgent,
      Accept: "application/json",
    },
    maxRedirects: 0,
    // Without a proxy, so that the key does not leave this machine.
    ...(isLoopback(baseUrl) && { proxy: false }),
    maxContentLength: MAX_RESPONSE_MB * 1024 * 1024,
    responseType: "text",
    // Left to the client, since the text may not be JSON.
    transformResponse: (data) => data,
    validateStatus: () => true,
  });

  return async <Result>(request: ApiRequest<Result>): Promise<Outcome<Result>> => {
    const { operation, facts, body, userAgent } = request;
    let raw: RawResponse;
    // The HTTP library's timeout only counts silence, which a server could avoid with a byte now and
    // then.
    const timeout = AbortSignal.timeout(timeoutMs);
    const { connection, config } = connectionFor(baseUrl, operation.method, timeout);
    try {
      const response = await instance.request<string>({
        method: operation.method,
        url: facts.path,
        ...config,
        ...(body !== undefined && { data: JSON.stringify(body) }),
        headers: {
          ...(userAgent !== undefined && { "User-Agent": userAgent }),
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
      });
      raw = {
        status: response.status,
        headers: response.headers,
        body: String(response.data ?? ""),
      };
    } catch (error) {
      return createTransportError(error, facts, connection);
    }
    return outcomeOf(request, raw, parseResponse(raw, clock.now(), redact, facts.api));
  };
}

const KEEP_ALIVE = {
  httpAgent: new http.Agent({ keepAlive: true }),
  httpsAgent: new https.Agent({ keepAlive: true }),
};
/**
 * New connections for creations: a reused connection that the server closes is indistinguishable
 * from a lost request.
 */
const FRESH = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() };

interface Connection {
  /** The proxy from the environment. NO_PROXY may exclude the host. */
  readonly proxy: HttpProxy;
  isProxied: boolean;
  /** Absent before the connection. No part of the request is sent before `open`. */
  stage?: "TLS handshake" | "open" | undefined;
}

/** The HTTP library's settings for one request, and the progress of its connection. */
function connectionFor(baseUrl: string, method: string, signal: AbortSignal) {
  const { protocol } = new URL(baseUrl);
  const agents = method === "POST" ? FRESH : KEEP_ALIVE;
  const proxy = environmentProxy(protocol, agents.httpsAgent, signal);
  const connection: Connection = { proxy, isProxied: false };
  const transport = {
    request(options: https.RequestOptions, onResponse: (response: IncomingMessage) => void) {
      connection.isProxied = proxy.apply(options);
      const sent = (options.protocol === "https:" ? https : http).request(options, onResponse);
      const reach = (stage: Connection["stage"]) => () => {
        connection.stage = stage;
      };
      const isTunneled = connection.isProxied && protocol === "https:";
      if (isTunneled) sent.once("socket", reach("TLS handshake"));
      return sent.once("socket", (socket: TLSSocket) => {
        if (sent.reusedSocket) connection.stage = "open";
        else
          socket
            .once("connect", reach(socket.encrypted ? "TLS handshake" : "open"))
            .once("secureConnect", reach("open"));
      });
    },
  };
  return { connection, config: { ...agents, transport, signal } };
}

const TIMED_OUT = new Set(["ERR_CANCELED", "ECONNABORTED", "ETIMEDOUT"]);
/** The HTTP library's message for a response that is too large. */
const TOO_LARGE = /^maxContentLength/;
const UNTRUSTED = /CERT|UNABLE_TO_VERIFY|^INVALID_(CA|PURPOSE)$/;

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
