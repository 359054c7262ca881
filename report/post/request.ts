import type { IncomingMessage } from "node:http";
import type { RequestOptions } from "node:https";
import { setTimeout as wait } from "node:timers/promises";
import type { AxiosError, AxiosResponse } from "axios";
import {
  cut,
  environmentProxy,
  INVALID_PROXY,
  isLoopback,
  parseDelayMs,
  toSingleLine,
  UnfinishedError,
  untilSettled,
} from "pulumi-clouddb-facts";
import { z } from "zod";
import { type Environment, secretsHider } from "../read/redactor";
import { jsonIn } from "../read/schema";
import { PostError } from "./post";

/** The values of a pipeline's variables. Throws an error with all missing names. */
export function required<Names extends readonly string[]>(
  env: Environment,
  ...names: Names
): { readonly [Place in keyof Names]: string } {
  const missing = names.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new PostError(`missing environment variables: ${missing.join(", ")}`);
  return names.map((name) => env[name]) as { [Place in keyof Names]: string };
}

export const ID = z.object({ id: z.union([z.string().min(1), z.number()]) }).describe("an id");

interface Server {
  readonly headers: Readonly<Record<string, string>>;
  /** The token, which messages never contain. */
  readonly token: string;
  /** True if a POST has no effect and may be repeated. */
  readonly isReadOnly?: boolean;
}

export type Requester = ReturnType<typeof createRequester>;

/**
 * Sends JSON, and retries after rate limits and server errors. A response without the required part
 * is not from the API.
 */
export function createRequester({ headers, token, isReadOnly = false }: Server) {
  const hide = secretsHider({}, [token]);

  return async function request<T>(
    method: string,
    url: string,
    part: z.ZodType<T>,
    body?: object,
  ): Promise<T> {
    if (!URL.canParse(url)) throw new PostError(hide(`${url} is not a URL. ${CHECK}`));
    const title = `${method} ${hide(placeOf(new URL(url)))}`;
    // The reason why a failed POST is not retried.
    const doubt = method === "POST" && !isReadOnly ? ` ${MAY_EXIST}` : "";
    for (let attempt = 1; ; attempt += 1) {
      const response = await untilSettled(() => send(method, url, headers, body)).catch(
        (error: AxiosError | UnfinishedError) => {
          const after = "code" in error && NOT_SENT.test(error.code ?? "") ? "" : doubt;
          throw new PostError(
            `${title} failed: ${hide(toSingleLine(reasonOf(error), LONGEST_TEXT))}. ${CHECK_NETWORK}${after}`,
          );
        },
      );
      const { status, data } = response;
      const { location, "retry-after": retryAfter } = response.headers;
      if (status < 300) {
        const { success, data: value } = part.safeParse(jsonIn(data));
        if (success) return value;
        throw new PostError(
          `${title} returned ${status} without ${part.description}: maybe a sign-in page. ${CHECK}${doubt}`,
        );
      }
      if (status < 400 && typeof location === "string" && URL.canParse(location, url)) {
        const target = hide(placeOf(new URL(location, url)));
        // Another server must not get the token, and a redirected POST would become a GET.
        throw new PostError(
          `${title} was redirected to ${target}; redirects are not followed. ${CHECK}`,
        );
      }
      const mayRepeat = status === 429 || (status >= 500 && doubt === "");
      if (!mayRepeat || attempt === ATTEMPTS) {
        const text =
          toSingleLine(hide(cut(data, 4 * LONGEST_TEXT)), LONGEST_TEXT) || "no reason given";
        throw new PostError(
          `${title} failed with ${status}: ${text.replace(/\.?$/, ".")}${status >= 500 ? doubt : ""}`,
        );
      }
      await wait(waitMs(retryAfter, attempt, Date.now()));
    }
  };
}

const CHECK = "Check the server's address and the token.";
const MAY_EXIST = "The comment may exist; the next run updates it.";
const CHECK_NETWORK = "Check the server's address, the network and the proxy variables.";
/** Failures before a connection was made. */
const NOT_SENT = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)$/;
const LONGEST_TEXT = 300;
const TIMEOUT_SECONDS = 60;
const ATTEMPTS = 5;
/** More than a page of GitHub with 100 comments of maximum length. */
const MOST_MEGABYTES = 50;
const LONGEST_WAIT_MS = 60_000;

/** The requested wait, in seconds or as a date, but at least a second per attempt. */
export function waitMs(retryAfter: unknown, attempt: number, now: number): number {
  const asked = parseDelayMs(retryAfter, [now]) ?? 0;
  return Math.min(Math.max(asked, attempt * 1000), LONGEST_WAIT_MS);
}

function send(
  method: string,
  url: string,
  headers: Server["headers"],
  data?: object,
): Promise<AxiosResponse<string>> {
  // Loaded to post. Unlike fetch, axios supports proxies from environment variables.
  const axios = require("axios") as typeof import("axios");
  const http = require("node:http") as typeof import("node:http");
  const https = require("node:https") as typeof import("node:https");
  const { protocol } = new URL(url);
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
  const httpsAgent = https.globalAgent;
  const proxy = environmentProxy(protocol, httpsAgent, signal);
  const transport = {
    request(options: RequestOptions, onResponse: (response: IncomingMessage) => void) {
      proxy.apply(options);
      return (options.protocol === "https:" ? https : http).request(options, onResponse);
    },
  };
  const sent = axios.request({
    method,
    url,
    headers: { ...headers, "content-type": "application/json" },
    data,
    signal,
    httpsAgent,
    transport,
    // Requests to this machine use no proxy.
    ...(isLoopback(url) && { proxy: false }),
    maxRedirects: 0,
    maxContentLength: MOST_MEGABYTES * 1_000_000,
    responseType: "text",
    transformResponse: (text) => text,
    validateStatus: () => true,
  });
  return sent.catch((error: AxiosError) => {
    throw error.code === INVALID_PROXY ? Object.assign(error, { message: proxy.problem }) : error;
  });
}

function reasonOf(error: AxiosError | UnfinishedError): string {
  if (error instanceof UnfinishedError) return "the connection was closed without a response";
  const { message, code } = error;
  if (code === "ERR_CANCELED") return `no complete response within ${TIMEOUT_SECONDS} seconds`;
  if (message.startsWith("maxContentLength"))
    return `the response is larger than ${MOST_MEGABYTES} MB`;
  return message || code || "unknown reason";
}

/** The URL without query and credentials, which may be secret. */
function placeOf({ origin, pathname }: URL): string {
  return origin + pathname;
}
