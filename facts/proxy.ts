import type * as https from "node:https";
import { isIP } from "node:net";
import querystring from "node:querystring";
import type { ConnectionOptions } from "node:tls";

/** The code for a proxy variable without the URL of an HTTP proxy: also axios' own. */
export const INVALID_PROXY = "ERR_INVALID_URL";

/** A proxy of the environment, which NO_PROXY may exclude. */
export type HttpProxy = Readonly<ReturnType<typeof environmentProxy>>;

/**
 * The proxy that axios chooses for a scheme, without its faults: axios does not decode the login,
 * and does not notice that a proxy hangs up. `agent` is the one for HTTPS that axios was given.
 */
export function environmentProxy(protocol: string, agent: https.Agent, signal: AbortSignal) {
  const env = process.env;
  const names = [protocol.replace(":", "_proxy"), "all_proxy"];
  const variable =
    names.flatMap((name) => [name, name.toUpperCase()]).find((name) => env[name]) ?? "";
  const value = env[variable] ?? "";
  // As for other tools, a proxy without a scheme is an HTTP proxy.
  const address = value.includes("://") ? value : `http://${value}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const place = url && `${url.protocol}//${url.host}`;
  const fault = url ? `names ${place}` : "is not a URL";
  return {
    variable,
    /** The proxy without its login. Absent if the variable does not hold a URL. */
    place,
    /** The reason for refusing an unusable proxy. */
    problem: `${variable} ${fault}: only HTTP proxies, such as http://host:port, are supported`,
    /** Directs a request to the proxy if axios has chosen one: true if so. */
    apply(options: https.RequestOptions): boolean {
      // axios has applied NO_PROXY, which shows in the agent or the path.
      const isTunneled = protocol === "https:" && options.agent !== agent;
      if (!isTunneled && options.path?.startsWith("/")) return false;
      if (url === undefined || !/^https?:$/.test(url.protocol))
        throw Object.assign(new Error(), { code: INVALID_PROXY });
      if (isTunneled) options.agent = tunnelThrough(url, signal);
      else Object.assign(options.headers ?? {}, loginOf(url));
      return true;
    },
  };
}

/** An agent whose connections are tunnels through a proxy, and end with the request. */
function tunnelThrough(proxy: URL, signal: AbortSignal): https.Agent {
  // Loaded on use: most processes with these facts send nothing through a proxy.
  const http = require("node:http") as typeof import("node:http");
  const https = require("node:https") as typeof import("node:https");
  const tls = require("node:tls") as typeof import("node:tls");
  const agent = new https.Agent();
  const host = proxy.hostname.replace(/^\[|\]$/g, "");
  agent.createConnection = (options, onCreate) => {
    const target = `${bracketed(options.host)}:${options.port}`;
    const request = (proxy.protocol === "https:" ? https : http).request({
      method: "CONNECT",
      host,
      // Not the name in the Host header.
      servername: isIP(host) ? "" : host,
      port: proxy.port,
      path: target,
      headers: { Host: target, ...loginOf(proxy) },
      agent: false,
      signal,
    });
    const fail = onCreate as (error: Error) => void;
    request.on("error", fail);
    request.once("connect", ({ statusCode }, socket) => {
      if (statusCode === 200)
        return onCreate?.(null, tls.connect({ ...(options as ConnectionOptions), socket }));
      socket.destroy();
      fail(Object.assign(new Error(), { code: `the proxy returned ${statusCode}` }));
    });
    request.end();
    return undefined;
  };
  return agent;
}

/** The header with user name and password. */
function loginOf({ username, password }: URL) {
  if (!username) return {};
  const [name = "", key = ""] = [username, password].map((text) => querystring.unescape(text));
  return { "Proxy-Authorization": basic(name, key) };
}

/** The header of basic authentication. */
export function basic(user: string, password: string): string {
  return `Basic ${encodedLogin(user, password)}`;
}

/** The encoded login in requests, as secret as the password itself. */
export function encodedLogin(user: string, password: string): string {
  return Buffer.from(`${user}:${password}`).toString("base64");
}

/** A host as URLs write it. */
export function bracketed(host: string | null | undefined): string {
  return host?.includes(":") ? `[${host}]` : `${host}`;
}

/** True for an address of this machine alone. URL has normalized other spellings. */
export function isLoopback(url: string): boolean {
  const host = new URL(url).hostname.replace(/\.$/, "");
  return /^(([\w-]+\.)*localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\])$/.test(
    host,
  );
}
