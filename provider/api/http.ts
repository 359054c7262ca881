import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
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
  httpAgent: new HttpAgent({ keepAlive: true }),
  httpsAgent: new HttpsAgent({ keepAlive: true }),
};
/** New connections for creations: a reused connection that the server closes looks just like a lost request. */
const FRESH = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

export function agentsFor(method: string): typeof KEEP_ALIVE {
  return method === "POST" ? FRESH : KEEP_ALIVE;
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
