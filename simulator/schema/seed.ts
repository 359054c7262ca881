import { z } from "zod";
import { PipeResponse } from "./pipe";
import { CreateService, OrganizationResponse } from "./service";
import { count, dateTime, flag, id, partial, text, type ValueOf } from "./shapes";

/**
 * Schemas of the observability API, and of the simulator's own inputs: seed, faults, rate limit and
 * clock.
 */

export const Alert = partial({
  name: text,
  message: text,
  threshold: count,
  interval: text,
  thresholdType: text,
  source: text,
  state: text,
  channel: partial({ type: text, webhookId: text }),
  team: text,
  tileId: text,
  dashboard: text,
  createdAt: dateTime,
  updatedAt: dateTime,
}).extend({ id: text });

const Series = partial({
  sourceId: text,
  aggFn: text,
  where: text,
  groupBy: z.array(text),
  field: text,
  whereLanguage: text,
  metricName: text,
  metricDataType: text,
  type: text,
  dataSource: text,
});
const position = { x: count, y: count, w: count, h: count };
const Tile = partial({ id: text, name: text, ...position, asRatio: flag, series: z.array(Series) });
export const Dashboard = partial({ name: text, tags: z.array(text), tiles: z.array(Tile) }).extend({
  id: text,
});

/** Faults cannot set headers that would contradict the body. */
const headerName = text.regex(/^(?!(connection|content-length|transfer-encoding)$)[A-Za-z0-9-]+$/i);
const when = z.enum(["before", "after"]).optional();
const FaultEffect = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("status"),
      when,
      status: z.int().min(200).max(599),
      headers: z
        .record(headerName, text.regex(/^[\t\x20-\x7e]*$/, "must be printable ASCII"))
        .optional(),
      body: z.unknown().optional(),
    })
    .describe(
      "Responds with this status instead of executing the request, or after it. A text body is sent as HTML.",
    ),
  z
    .strictObject({ kind: z.literal("latency"), when, milliseconds: count.min(0).max(600_000) })
    .describe("Waits before executing the request, or before sending the response."),
  z
    .strictObject({ kind: z.literal("reset"), when: z.enum(["before", "after"]) })
    .describe("Resets the connection before or after executing the request."),
  z.strictObject({ kind: z.literal("truncated") }).describe("Sends half of the response."),
  z.strictObject({ kind: z.literal("malformed") }).describe("Sends a body that is not valid JSON."),
  z
    .strictObject({
      kind: z.literal("answer"),
      result: z.record(text, z.unknown()).nullable(),
      password: z.unknown().optional(),
    })
    .describe(
      "Replaces these members of the result, for a creation of its service; null omits the result.",
    ),
  z
    .strictObject({ kind: z.literal("normalised") })
    .describe("Stores and returns access entries as networks."),
  z
    .strictObject({ kind: z.literal("addFirst") })
    .describe("Applies `add` before `remove` in changes of lists."),
]);

export const FaultRule = z
  .strictObject({
    method: text
      .regex(/^(GET|POST|PATCH)$/, "must be GET, POST or PATCH")
      .optional()
      .describe("Default: any method."),
    path: text.optional().describe("A part of the path. Default: any path."),
    times: z
      .int()
      .min(1)
      .optional()
      .describe("How many requests the rule applies to. Default: no limit."),
    probability: count.min(0).max(1).optional().describe("Default: 1."),
    effect: FaultEffect,
  })
  .describe("A fault to inject into matching requests. The first matching rule applies.");
export const Faults = z.strictObject({ faults: z.array(FaultRule) });

export const RateLimit = z
  .strictObject({
    requests: z.int().min(1),
    seconds: count.positive().describe("The length of the sliding window."),
    tells: z
      .enum(["retryAfter", "retryAfterDecimal", "retryAfterDate", "reset", "nothing"])
      .optional()
      .describe("The headers of a 429 response. Default: `retryAfter`, in whole seconds."),
  })
  .describe("How many requests each key may send.");

/**
 * Loosely typed, so that a seed in a program may have texts where the API has fixed names, such as
 * a region.
 */
const createBody: z.ZodType<Record<string, unknown>> = CreateService;

export const Seed = partial({
  organizations: z.array(
    partial({
      ...OrganizationResponse.shape,
      tier: z.enum(["BASIC", "SCALE", "ENTERPRISE"]),
      paid: flag,
      backups: z.array(z.strictObject({ id, region: text.optional(), tier: text.optional() })),
      services: z.array(
        z.strictObject({
          id,
          create: createBody.optional(),
          pipes: z.array(PipeResponse).optional(),
        }),
      ),
    }).required({ id: true }),
  ),
  alerts: z.array(Alert),
  dashboards: z.array(Dashboard),
  faults: z.array(FaultRule),
  rateLimit: RateLimit,
}).describe("The initial state. `create` of a service is the body that it was created with.");

export const Credentials = partial({
  keyId: text.min(1),
  keySecret: text.min(1),
  accessToken: text.min(1),
});
export const Clock = z.strictObject({ advanceSeconds: count.min(0).max(315_360_000) });

export type Alert = ValueOf<typeof Alert>;
export type Dashboard = ValueOf<typeof Dashboard>;
export type FaultEffect = ValueOf<typeof FaultEffect>;
export type FaultRule = ValueOf<typeof FaultRule>;
export type Faults = ValueOf<typeof Faults>;
export type Clock = ValueOf<typeof Clock>;
export type RateLimit = ValueOf<typeof RateLimit>;
export type Seed = ValueOf<typeof Seed>;
