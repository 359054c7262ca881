import type { FaultEffect } from "../../simulator/index";
import type { NetworkFault, Route } from "../support/network";

/** The faults, and the expected outcome for each kind of request that hits one, as a table. */

/** Requests by whether they may be sent twice, and whether their result can be read. */
export type RequestKind =
  /** A read during a refresh, and any other read. */
  | "refresh"
  | "read"
  /** An update of plain values. */
  | "update"
  /**
   * An update that adds and removes list entries; and the same update of an object that cannot be
   * read.
   */
  | "list"
  | "unreadable"
  /** A creation. */
  | "create";

/** The expected reaction of the client. */
export type Outcome =
  /** Retried until it succeeds or the retries run out. */
  | "retry"
  /** Retried with a read before each retry, so that an applied change is not sent twice. */
  | "verify"
  /**
   * Retried when the rate limit allows it, for ten minutes, or for one if something was changed
   * already.
   */
  | "throttle"
  /** Retried for two minutes until the object is ready. */
  | "await-ready"
  /** Not retried: the error says that it may have been applied, and how to find out. */
  | "uncertain"
  /** Not retried: fails at once, and nothing was changed. */
  | "fail"
  /** The object no longer exists and is removed from state. */
  | "gone"
  /** Nothing shows that anything is wrong. */
  | "unnoticed";

export interface Fault {
  /** The fault on the server. */
  readonly effect?: FaultEffect;
  /** The fault in the network, or the client's timeout. */
  readonly networkFault?: NetworkFault["kind"];
  /** The way of all requests to the server. Default: http. */
  readonly route?: Route;
  /** True if the server applies the request nevertheless. */
  readonly isApplied: boolean;
  /** True if the client can tell that it was not applied. */
  readonly isCertain: boolean;
}

const FOREVER_MS = 600_000;
/** The lead of the server's clock over the client's. */
const CLOCK_AHEAD_MS = 15 * 60_000;
export const WAIT_SECONDS = 30;

const dateOf = (at: number) => new Date(at).toUTCString();
export const status = (
  code: number,
  more: Omit<Extract<FaultEffect, { kind: "status" }>, "kind" | "status"> = {},
): FaultEffect => ({
  kind: "status",
  status: code,
  ...more,
});
const htmlPage = (code: number) =>
  status(code, {
    body: `<html><head><title>${code}</title></head><body>a proxy's page</body></html>`,
  });
const uncertain = (effect: FaultEffect): Fault => ({ effect, isApplied: false, isCertain: false });
const applied = (effect: FaultEffect): Fault => ({ effect, isApplied: true, isCertain: false });
/** A request that does not leave on its connection, which may be made or not. */
const unsent = (networkFault: NetworkFault["kind"], isCertain: boolean, route: Route = "http") => ({
  networkFault,
  isApplied: false,
  isCertain,
  route,
});
const rejected = (effect: FaultEffect): Fault => ({ effect, isApplied: false, isCertain: true });

export const faults = (now: number) =>
  ({
    "connection refused": { networkFault: "refused", isApplied: false, isCertain: true },
    "cut before connect": unsent("cut before connect", true),
    "cut after connect": unsent("cut when open", false),
    "https not connected": unsent("cut before connect", true, "https"),
    "cut in handshake": unsent("cut in the handshake", true, "https"),
    "cut after handshake": unsent("cut when open", false, "https"),
    "CONNECT hung up": unsent("refused", true, "proxy"),
    "CONNECT, handshake": unsent("cut in the handshake", true, "proxy"),
    "CONNECT, then cut": unsent("cut when open", false, "proxy"),
    "reset before": uncertain({ kind: "reset", when: "before" }),
    "reset after": applied({ kind: "reset", when: "after" }),
    "timeout before": {
      ...uncertain({ kind: "latency", milliseconds: FOREVER_MS }),
      networkFault: "times out",
    },
    "timeout after": {
      ...applied({ kind: "latency", milliseconds: FOREVER_MS, when: "after" }),
      networkFault: "times out",
    },
    "408": uncertain(status(408)),
    "429 with seconds": rejected(status(429, { headers: { "retry-after": String(WAIT_SECONDS) } })),
    "429 with a date": rejected(
      status(429, {
        headers: {
          date: dateOf(now + CLOCK_AHEAD_MS),
          "retry-after": dateOf(now + CLOCK_AHEAD_MS + WAIT_SECONDS * 1000),
        },
      }),
    ),
    "429 without a header": rejected(status(429, { body: { error: "TOO_MANY_REQUESTS" } })),
    "500": uncertain(status(500)),
    "502 HTML": uncertain(htmlPage(502)),
    "503": uncertain(status(503)),
    "503 with seconds": uncertain(status(503, { headers: { "retry-after": "5" } })),
    "504": uncertain(status(504, { body: "" })),
    "504 after": applied(status(504, { when: "after" })),
    truncated: applied({ kind: "truncated" }),
    "malformed JSON": applied({ kind: "malformed" }),
    "wrong id": applied({ kind: "answer", result: { id: "00000000-0000-4000-8000-000000000000" } }),
    "missing result": applied({ kind: "answer", result: null }),
    "400": rejected(status(400)),
    "401": rejected(status(401)),
    "403": rejected(status(403)),
    "404 JSON": rejected(status(404)),
    "404 HTML": rejected(htmlPage(404)),
    "404 of a gateway": rejected(
      status(404, { body: { timestamp: dateOf(now), status: 404, error: "Not Found" } }),
    ),
    "409": rejected(status(409)),
    "422": rejected(status(422)),
  }) as const satisfies Record<string, Fault>;

export type FaultName = keyof ReturnType<typeof faults>;

/** A row for each fault, a column for each kind of request. */
const TABLE = `
                       refresh     read        update      list        unreadable  create
  connection refused   retry       retry       retry       retry       retry       retry
  cut before connect   retry       retry       retry       retry       retry       retry
  cut after connect    retry       retry       retry       verify      uncertain   uncertain
  https not connected  retry       retry       retry       retry       retry       retry
  cut in handshake     retry       retry       retry       retry       retry       retry
  cut after handshake  retry       retry       retry       verify      uncertain   uncertain
  CONNECT hung up      retry       retry       retry       retry       retry       retry
  CONNECT, handshake   retry       retry       retry       retry       retry       retry
  CONNECT, then cut    retry       retry       retry       verify      uncertain   uncertain
  reset before         retry       retry       retry       verify      uncertain   uncertain
  reset after          retry       retry       retry       verify      uncertain   uncertain
  timeout before       retry       retry       retry       verify      uncertain   uncertain
  timeout after        retry       retry       retry       verify      uncertain   uncertain
  408                  retry       retry       retry       verify      uncertain   uncertain
  429 with seconds     throttle    throttle    throttle    throttle    throttle    throttle
  429 with a date      throttle    throttle    throttle    throttle    throttle    throttle
  429 without a header throttle    throttle    throttle    throttle    throttle    throttle
  500                  retry       retry       retry       verify      uncertain   uncertain
  502 HTML             retry       retry       retry       verify      uncertain   uncertain
  503                  retry       retry       retry       verify      uncertain   uncertain
  503 with seconds     retry       retry       retry       verify      uncertain   uncertain
  504                  retry       retry       retry       verify      uncertain   uncertain
  504 after            retry       retry       retry       verify      uncertain   uncertain
  truncated            retry       retry       retry       verify      uncertain   uncertain
  malformed JSON       fail        fail        uncertain   uncertain   uncertain   uncertain
  wrong id             fail        fail        uncertain   uncertain   uncertain   unnoticed
  missing result       fail        fail        uncertain   uncertain   uncertain   uncertain
  400                  fail        fail        fail        fail        fail        fail
  401                  fail        fail        fail        fail        fail        fail
  403                  fail        fail        fail        fail        fail        fail
  404 JSON             gone        fail        fail        fail        fail        fail
  404 HTML             fail        fail        fail        fail        fail        fail
  404 of a gateway     fail        fail        fail        fail        fail        fail
  409                  fail        fail        await-ready await-ready await-ready fail
  422                  fail        fail        fail        fail        fail        fail
`;

const [head = "", ...rows] = TABLE.split("\n").filter((line) => line.trim() !== "");
const requestKinds = head.trim().split(/\s+/) as RequestKind[];
const NAME_WIDTH = head.search(/\S/);

export const expected = Object.fromEntries(
  rows.map((row) => {
    const outcomes = row.slice(NAME_WIDTH).trim().split(/\s+/) as Outcome[];
    return [
      row.slice(0, NAME_WIDTH).trim(),
      Object.fromEntries(requestKinds.map((sort, index) => [sort, outcomes[index]])),
    ];
  }),
) as Record<FaultName, Record<RequestKind, Outcome>>;
