import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import querystring from "node:querystring";
import tls, { type TLSSocket } from "node:tls";
import type { AxiosInstance } from "axios";

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
  const proxy = proxyFor(protocol);
  const connection: Connection = { proxy, isProxied: false };
  const agents = method === "POST" ? FRESH : KEEP_ALIVE;
  const transport = {
    /**
     * Gets the options after the HTTP library has applied NO_PROXY, which shows in the agent or the
     * path.
     */
    request(options: https.RequestOptions, onResponse: (response: IncomingMessage) => void) {
      const isTunneled = protocol === "https:" && options.agent !== agents.httpsAgent;
      connection.isProxied = isTunneled || !options.path?.startsWith("/");
      if (connection.isProxied && !proxy.isUsable)
        throw Object.assign(new Error(), { code: INVALID_URL });
      if (isTunneled) options.agent = tunnelThrough(proxy, signal);
      else if (connection.isProxied) Object.assign(options.headers ?? {}, loginFor(proxy));
      const sent = (options.protocol === "https:" ? https : http).request(options, onResponse);
      const reach = (stage: Connection["stage"]) => () => {
        connection.stage = stage;
      };
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

/** A proxy of the environment. */
export interface HttpProxy {
  readonly variable: string;
  /** Absent if the variable does not hold a URL. */
  readonly url?: URL;
  readonly isUsable: boolean;
}

/** The code for a proxy variable without the URL of an HTTP proxy: also the HTTP library's. */
export const INVALID_URL = "ERR_INVALID_URL";

/**
 * The proxy that the HTTP library chooses for a scheme. As for other tools, one without a scheme is
 * an HTTP proxy.
 */
function proxyFor(protocol: string): HttpProxy {
  // biome-ignore lint/style/noProcessEnv: the HTTP library reads the proxy without mappings, too
  const env = process.env;
  const names = [protocol.replace(":", "_proxy"), "all_proxy"];
  const variable =
    names.flatMap((name) => [name, name.toUpperCase()]).find((name) => env[name]) ?? "";
  const value = env[variable] ?? "";
  const address = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(address)) return { variable, isUsable: false };
  const url = new URL(address);
  return { variable, url, isUsable: /^https?:$/.test(url.protocol) };
}

/**
 * An agent whose connections are tunnels through a proxy. Unlike the HTTP library's own, it notices
 * that a proxy hangs up, and ends with the request.
 */
function tunnelThrough(proxy: HttpProxy, signal: AbortSignal): https.Agent {
  const agent = new https.Agent();
  const { protocol, hostname = "", port } = proxy.url ?? {};
  const host = hostname.replace(/^\[|\]$/g, "");
  agent.createConnection = (options, onCreate) => {
    const target = `${bracketed(options.host)}:${options.port}`;
    const request = (protocol === "https:" ? https : http).request({
      method: "CONNECT",
      host,
      // Not the name in the Host header.
      servername: isIP(host) ? "" : host,
      port,
      path: target,
      headers: { Host: target, ...loginFor(proxy) },
      agent: false,
      signal,
    });
    const fail = onCreate as (error: Error) => void;
    request.on("error", fail);
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200)
        return onCreate?.(null, tls.connect({ ...(options as tls.ConnectionOptions), socket }));
      socket.destroy();
      fail(Object.assign(new Error(), { code: `the proxy returned ${statusCode}` }));
    });
    request.end();
    return undefined;
  };
  return agent;
}

/**
 * The header with user name and password. Other tools decode them, too; the HTTP library does not.
 */
function loginFor({ url }: HttpProxy) {
  if (!url?.username) return {};
  const [name = "", password = ""] = [url.username, url.password].map((text) =>
    querystring.unescape(text),
  );
  return { "Proxy-Authorization": basic(name, password) };
}

/** A host as URLs write it. */
export function bracketed(host: string | null | undefined): string {
  return host?.includes(":") ? `[${host}]` : `${host}`;
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

/** True for an address of this machine alone. URL has normalized other spellings. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, "");
  return /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(
    host,
  );
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
