import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { TLSSocket } from "node:tls";
import type { AxiosInstance } from "axios";
import { environmentProxy, type HttpProxy, isLoopback } from "pulumi-clouddb-facts";

/** The address and the credentials of one interface of the API. */
export interface ClientSettings {
  readonly baseUrl: string;
  /** The `Authorization` header. */
  readonly authorization: string;
  /** The timeout of one attempt. */
  readonly requestTimeoutSeconds: number;
  /** The most retries after failures; refusals by the rate limit do not count. */
  readonly maxRetries: number;
  readonly userAgent: string;
  readonly keyOrigin?: KeyOrigin;
}

/** The place that the key was read from. */
export interface KeyOrigin {
  /** The place in sentences: `CLOUDDB_KEY_ID and CLOUDDB_KEY_SECRET of the environment`. */
  readonly name: string;
  /** True if the state stores the key, for commands that do not run the program. */
  readonly isStored: boolean;
}

export const MAX_RESPONSE_MB = 20;

const KEEP_ALIVE = {
  httpAgent: new http.Agent({ keepAlive: true }),
  httpsAgent: new https.Agent({ keepAlive: true }),
};
/**
 * New connections for creations: a reused connection that the server closes looks just like a lost
 * request.
 */
const FRESH = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() };

/** The progress of one request's connection. */
export interface Connection {
  /** The proxy of the environment, which NO_PROXY may exclude. */
  readonly proxy: HttpProxy;
  isProxied: boolean;
  /** Absent before there is a connection. No part of the request is sent before it is open. */
  stage?: "TLS handshake" | "open" | undefined;
}

/** Settings of the HTTP library for one request, and the connection that it makes with them. */
export function connectionFor(baseUrl: string, method: string, signal: AbortSignal) {
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

/** The connection to one address. */
export function httpFor({
  baseUrl,
  authorization,
  requestTimeoutSeconds,
  userAgent,
}: ClientSettings): AxiosInstance {
  // Loaded here, because a preview without changes sends nothing.
  const axios = require("axios") as typeof import("axios");
  return axios.create({
    baseURL: baseUrl,
    timeout: requestTimeoutSeconds * 1000,
    headers: { Authorization: authorization, "User-Agent": userAgent, Accept: "application/json" },
    maxRedirects: 0,
    // No proxy of the environment: the key must not leave this machine.
    ...(isLoopback(baseUrl) && { proxy: false }),
    maxContentLength: MAX_RESPONSE_MB * 1024 * 1024,
    responseType: "text",
    // The client parses the text, which may not be JSON.
    transformResponse: (data) => data,
    validateStatus: () => true,
  });
}

/** The authorization of the management interface. */
export function basic(keyId: string, keySecret: string): string {
  return `Basic ${encodedKey(keyId, keySecret)}`;
}

/** The key as requests carry it, which is as secret as the key itself. */
export function encodedKey(keyId: string, keySecret: string): string {
  return Buffer.from(`${keyId}:${keySecret}`).toString("base64");
}

/** The authorization of the observability interface. */
export function bearer(accessToken: string): string {
  return `Bearer ${accessToken}`;
}
