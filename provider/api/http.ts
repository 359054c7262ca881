import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { TLSSocket } from "node:tls";
import type { AxiosInstance } from "axios";
import { environmentProxy, type HttpProxy, isLoopback } from "pulumi-clouddb-facts";

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

/** The place that the key came from. */
export interface KeyOrigin {
  /** The place in sentences, such as `CLOUDDB_KEY_ID and CLOUDDB_KEY_SECRET in the environment`. */
  readonly name: string;
  /** True if the state stores the key, which commands without the program then use. */
  readonly isStored: boolean;
}

export const MAX_RESPONSE_MB = 20;

const KEEP_ALIVE = {
  httpAgent: new http.Agent({ keepAlive: true }),
  httpsAgent: new https.Agent({ keepAlive: true }),
};
/**
 * New connections for creations: a reused connection that the server closes is indistinguishable
 * from a lost request.
 */
const FRESH = { httpAgent: new http.Agent(), httpsAgent: new https.Agent() };

export interface Connection {
  /** The proxy from the environment. NO_PROXY may exclude the host. */
  readonly proxy: HttpProxy;
  isProxied: boolean;
  /** Absent before the connection. No part of the request is sent before `open`. */
  stage?: "TLS handshake" | "open" | undefined;
}

/** The HTTP library's settings for one request, and the progress of its connection. */
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
  // Loaded on use: a preview without changes sends nothing.
  const axios = require("axios") as typeof import("axios");
  return axios.create({
    baseURL: baseUrl,
    timeout: requestTimeoutSeconds * 1000,
    headers: { Authorization: authorization, "User-Agent": userAgent, Accept: "application/json" },
    maxRedirects: 0,
    // Without a proxy, so that the key does not leave this machine.
    ...(isLoopback(baseUrl) && { proxy: false }),
    maxContentLength: MAX_RESPONSE_MB * 1024 * 1024,
    responseType: "text",
    // Left to the client, since the text may not be JSON.
    transformResponse: (data) => data,
    validateStatus: () => true,
  });
}

/** The `Authorization` header of the observability interface. */
export function bearer(accessToken: string): string {
  return `Bearer ${accessToken}`;
}
