import type { FaultEffect } from "../../simulator/index";
import type { Trouble } from "../support/network";

/** What each fault is, and what is expected of each sort of request that meets it: section 7 of the design, as a table. */

/** How a request takes being sent twice, and what can be found out about it. */
export type Sort =
  /** A read of a refresh, and any other read. */
  | "refresh"
  | "read"
  /** A change of plain values. */
  | "set"
  /** A change of a list by what is added and removed; and one of an object that cannot be read. */
  | "list"
  | "blind"
  /** A creation. */
  | "create";

/** What comes of it. */
export type Course =
  /** Sent again until it passes; told when the retries are used up. */
  | "again"
  /** The same, with a look before each repetition: what was carried out all the same is not sent twice. */
  | "looks"
  /** Sent again when the rate limit allows it, for ten minutes, or for one where something has been changed already. */
  | "waits"
  /** Sent again until it is ready, for two minutes. */
  | "readies"
  /** Never sent again: told that it may have been carried out, and how to find out. */
  | "unsure"
  /** Never sent again: told at once, and that nothing was changed. */
  | "ends"
  /** The object no longer exists and leaves the stack. */
  | "gone"
  /** Nothing tells that anything is wrong. */
  | "unseen";

export interface Fault {
  /** What the server does. */
  readonly effect?: FaultEffect;
  /** What the network or the patience of the client does. */
  readonly trouble?: Trouble["kind"];
  /** Whether the server carries the request out all the same. */
  readonly lands: boolean;
  /** Whether the client can tell that it did not. */
  readonly isCertain: boolean;
}

const FOREVER_MS = 600_000;
/** How far the server's clock is ahead of the client's. */
const AHEAD_MS = 15 * 60_000;
export const WAIT_SECONDS = 30;

const dateOf = (at: number) => new Date(at).toUTCString();
const status = (code: number, more: { headers?: Record<string, string>; body?: unknown } = {}): FaultEffect => ({
  kind: "status",
  status: code,
  ...more,
});
const page = (code: number) =>
  status(code, { body: `<html><head><title>${code}</title></head><body>a proxy's page</body></html>` });
const unsure = (effect: FaultEffect): Fault => ({ effect, lands: false, isCertain: false });
const landed = (effect: FaultEffect): Fault => ({ effect, lands: true, isCertain: false });
const refused = (effect: FaultEffect): Fault => ({ effect, lands: false, isCertain: true });

export const faults = (now: number) =>
  ({
    "connection refused": { trouble: "refused", lands: false, isCertain: true },
    "reset before": unsure({ kind: "reset", when: "before" }),
    "reset after": landed({ kind: "reset", when: "after" }),
    "timeout before": { ...unsure({ kind: "latency", milliseconds: FOREVER_MS }), trouble: "impatient" },
    "timeout after": {
      ...landed({ kind: "latency", milliseconds: FOREVER_MS, when: "after" }),
      trouble: "impatient",
    },
    "408": unsure(status(408)),
    "429 with seconds": refused(status(429, { headers: { "retry-after": String(WAIT_SECONDS) } })),
    "429 with a date": refused(
      status(429, {
        headers: { date: dateOf(now + AHEAD_MS), "retry-after": dateOf(now + AHEAD_MS + WAIT_SECONDS * 1000) },
      }),
    ),
    "429 without a header": refused(status(429, { body: { error: "TOO_MANY_REQUESTS" } })),
    "500": unsure(status(500)),
    "502 HTML": unsure(page(502)),
    "503": unsure(status(503)),
    "503 with seconds": unsure(status(503, { headers: { "retry-after": "5" } })),
    "504": unsure(status(504, { body: "" })),
    "504 after": landed({ kind: "status", status: 504, when: "after" }),
    truncated: landed({ kind: "truncated" }),
    "malformed JSON": landed({ kind: "malformed" }),
    "wrong id": landed({ kind: "answer", result: { id: "00000000-0000-4000-8000-000000000000" } }),
    "missing result": landed({ kind: "answer", result: null }),
    "400": refused(status(400)),
    "401": refused(status(401)),
    "403": refused(status(403)),
    "404 JSON": refused(status(404)),
    "404 HTML": refused(page(404)),
    "404 of a gateway": refused(status(404, { body: { timestamp: dateOf(now), status: 404, error: "Not Found" } })),
    "409": refused(status(409)),
    "422": refused(status(422)),
  }) as const satisfies Record<string, Fault>;

export type FaultName = keyof ReturnType<typeof faults>;

/** By fault; the columns are the sorts of requests. */
const TABLE = `
                       refresh  read     set      list     blind    create
  connection refused   again    again    again    again    again    again
  reset before         again    again    again    looks    unsure   unsure
  reset after          again    again    again    looks    unsure   unsure
  timeout before       again    again    again    looks    unsure   unsure
  timeout after        again    again    again    looks    unsure   unsure
  408                  again    again    again    looks    unsure   unsure
  429 with seconds     waits    waits    waits    waits    waits    waits
  429 with a date      waits    waits    waits    waits    waits    waits
  429 without a header waits    waits    waits    waits    waits    waits
  500                  again    again    again    looks    unsure   unsure
  502 HTML             again    again    again    looks    unsure   unsure
  503                  again    again    again    looks    unsure   unsure
  503 with seconds     again    again    again    looks    unsure   unsure
  504                  again    again    again    looks    unsure   unsure
  504 after            again    again    again    looks    unsure   unsure
  truncated            again    again    again    looks    unsure   unsure
  malformed JSON       ends     ends     unsure   unsure   unsure   unsure
  wrong id             ends     ends     unsure   unsure   unsure   unseen
  missing result       ends     ends     unsure   unsure   unsure   unsure
  400                  ends     ends     ends     ends     ends     ends
  401                  ends     ends     ends     ends     ends     ends
  403                  ends     ends     ends     ends     ends     ends
  404 JSON             gone     ends     ends     ends     ends     ends
  404 HTML             ends     ends     ends     ends     ends     ends
  404 of a gateway     ends     ends     ends     ends     ends     ends
  409                  ends     ends     readies  readies  readies  ends
  422                  ends     ends     ends     ends     ends     ends
`;

const [head = "", ...rows] = TABLE.split("\n").filter((line) => line.trim() !== "");
const sorts = head.trim().split(/\s+/) as Sort[];
const NAME_WIDTH = head.search(/\S/);

export const expected = Object.fromEntries(
  rows.map((row) => {
    const courses = row.slice(NAME_WIDTH).trim().split(/\s+/) as Course[];
    return [row.slice(0, NAME_WIDTH).trim(), Object.fromEntries(sorts.map((sort, index) => [sort, courses[index]]))];
  }),
) as Record<FaultName, Record<Sort, Course>>;
