import { DATE_TIME, type JsonSchema, listOf, NON_EMPTY_TEXT, NUMBER, objectOf, schemaRef, TEXT } from "./json-schema";
import { seedOrganization } from "./organization";

/** Schemas of the simulator itself: seeds, and the bodies and queries of the admin API. */

const WHEN = { enum: ["before", "after"] };
const SECONDS = { type: "number", exclusiveMinimum: 0 };

function effect(
  kind: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>> = {},
  ...required: readonly string[]
): JsonSchema {
  return { ...objectOf({ kind: { const: kind }, ...properties }, "kind", ...required), description };
}

const EFFECTS = [
  effect(
    "status",
    "Responds with this status instead of executing the request, or after it (`when`). A text body is sent as is, as HTML unless `headers` contains a content type.",
    {
      when: WHEN,
      status: { type: "integer", minimum: 200, maximum: 599 },
      headers: {
        type: "object",
        propertyNames: {
          pattern: "^[A-Za-z0-9-]+$",
          not: { enum: ["connection", "content-length", "transfer-encoding"] },
        },
        additionalProperties: { type: "string", pattern: "^[\\t\\x20-\\x7e]*$" },
      },
      body: {},
    },
    "status",
  ),
  effect(
    "latency",
    "Waits before executing the request, or before sending the response (`when`).",
    { when: WHEN, milliseconds: { type: "number", minimum: 0, maximum: 600_000 } },
    "milliseconds",
  ),
  effect("reset", "Resets the connection before or after executing the request.", { when: WHEN }, "when"),
  effect("truncated", "Executes the request and sends half of the response."),
  effect("malformed", "Executes the request and sends a body that is not valid JSON."),
  effect(
    "answer",
    "Executes the request and replaces these members of `result` (for a creation, of its service) in the response; null omits `result`.",
    { result: { type: ["object", "null"] }, password: {} },
    "result",
  ),
  effect(
    "normalised",
    "Stores and returns access entries as networks: an address becomes its /32 or /128, host bits are masked.",
  ),
  effect("addFirst", "Applies `add` before `remove` in changes of lists."),
];

export const adminSchemas = {
  Seed: {
    ...objectOf({
      organizations: listOf(seedOrganization),
      alerts: listOf(schemaRef("Alert")),
      dashboards: listOf(schemaRef("Dashboard")),
      faults: listOf(schemaRef("FaultRule")),
      rateLimit: schemaRef("RateLimit"),
    }),
    description: "The state that a simulator starts with. `create` of a service is the body that it was created with.",
  },
  FaultRule: {
    ...objectOf(
      {
        method: { type: "string", enum: ["GET", "POST", "PATCH"], description: "Default: any method." },
        path: { ...TEXT, description: "A part of the path. Default: any path." },
        times: {
          type: "integer",
          minimum: 1,
          description: "How many requests the rule applies to. Default: no limit.",
        },
        probability: {
          type: "number",
          minimum: 0,
          maximum: 1,
          description: "The probability that the rule applies to a matching request. Default: 1.",
        },
        effect: { type: "object", required: ["kind"], discriminator: { propertyName: "kind" }, oneOf: EFFECTS },
      },
      "effect",
    ),
    description: "A fault to inject into matching requests. The first matching rule applies.",
  },
  Faults: objectOf({ faults: listOf(schemaRef("FaultRule")) }, "faults"),
  RateLimit: {
    ...objectOf(
      {
        requests: { type: "integer", minimum: 1 },
        seconds: { ...SECONDS, description: "The length of the sliding window." },
        tells: {
          enum: ["retryAfter", "retryAfterDecimal", "retryAfterDate", "reset", "nothing"],
          description: "The headers of a 429 response. Default: `retryAfter`, in whole seconds.",
        },
      },
      "requests",
      "seconds",
    ),
    description: "How many requests each key may send.",
  },
  Credentials: objectOf({ keyId: NON_EMPTY_TEXT, keySecret: NON_EMPTY_TEXT, accessToken: NON_EMPTY_TEXT }),
  Clock: objectOf({ advanceSeconds: { ...NUMBER, minimum: 0, maximum: 315_360_000 } }, "advanceSeconds"),
  JournalQuery: {
    ...objectOf({
      method: TEXT,
      path: { ...TEXT, description: "A part of the path." },
      status: {
        type: "string",
        pattern: "^(0|[1-5][0-9x]{2})$",
        description: "429, or 4xx for any status from 400 to 499, or 0 for a broken connection.",
      },
      since: DATE_TIME,
      until: DATE_TIME,
    }),
    description: "Which requests to return: those that match all members.",
  },
};
