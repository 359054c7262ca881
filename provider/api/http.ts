import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios, { type AxiosInstance } from "axios";
import { isLoopback } from "./loopback";

/** Where one interface of the API is, and what lets requests in there. */
export interface ClientSettings {
  readonly baseUrl: string;
  /** The `Authorization` header. */
  readonly authorization: string;
  /** For one attempt. */
  readonly requestTimeoutSeconds: number;
  /** After a failure; waits for a rate limit do not count. */
  readonly maxRetries: number;
  readonly userAgent: string;
}

const LARGEST_ANSWER_BYTES = 20 * 1024 * 1024;

const KEPT = { httpAgent: new HttpAgent({ keepAlive: true }), httpsAgent: new HttpsAgent({ keepAlive: true }) };
/** A creation gets a connection of its own: one that the server closes as it is reused could not be told from a loss. */
const FRESH = { httpAgent: new HttpAgent(), httpsAgent: new HttpsAgent() };

export function agentsFor(method: string): typeof KEPT {
  return method === "POST" ? FRESH : KEPT;
}

/** The connection to one address. */
export function httpFor({ baseUrl, authorization, requestTimeoutSeconds, userAgent }: ClientSettings): AxiosInstance {
  return axios.create({
    baseURL: baseUrl,
    timeout: requestTimeoutSeconds * 1000,
    headers: { Authorization: authorization, "User-Agent": userAgent, Accept: "application/json" },
    maxRedirects: 0,
    // The proxies of the environment are for other machines: the key stays on this one.
    ...(isLoopback(baseUrl) && { proxy: false }),
    maxContentLength: LARGEST_ANSWER_BYTES,
    responseType: "text",
    // Text is left as it is: a body that is no JSON has to be seen as one.
    transformResponse: (data) => data,
    validateStatus: () => true,
  });
}
