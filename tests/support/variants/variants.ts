import { status } from "../../faults/expectation";
import type { Responses, ServerVariant } from "./edits";

/**
 * Responses of other servers, gateways and proxies: extra properties, masks, nulls, other types,
 * HTML pages and clocks. A variant is data: the rule that it tests, and its differences from the
 * plain server.
 */

export const RULES = {
  password: "the password comes only from the response to the creation",
  outputs: "outputs contain only what the specification documents, at any depth",
  typed: "an undocumented type matters only in a property that is managed or an output",
  empty: "an empty source object means that the pipe has no such source",
  absence: "null counts as absent",
  open: "unknown enum values are accepted",
  secret: "a secret in a response is never compared",
  edges: "trimmed names and descriptions cause no perpetual diff",
  spelling: "another order or another spelling of a network or id is no change",
  gone: "only a 404 of the API itself means that an object is gone",
  waiting: "waits follow Retry-After, by the server's own clock",
} as const;

/** Part of every value that no state, message or log may show. */
export const CANARY = "canary-7d1f";
export const MASK = "********";
/** The secrets that the test program declares. */
export const SECRETS = {
  encryptionKey: "the key of the disks",
  kafka: "the password of kafka",
  azure: "the azure string",
};

const toUpperCase = (id: unknown) => String(id).toUpperCase();
const toText = (value: unknown) => (value === undefined ? undefined : String(value));
const trim = (value: unknown) => (typeof value === "string" ? value.trim() : value);
const reverse = (list: unknown) => (Array.isArray(list) ? [...list].reverse() : list);

const otherSourcesAs = (other: unknown): Responses => ({
  pipe: Object.fromEntries(
    ["kafka", "objectStorage", "kinesis", "postgres"].map((name) => [
      `source.${name}`,
      (source: unknown) => source ?? other,
    ]),
  ),
});
function emptyListsAs(other: unknown): Responses {
  const replaced = (list: unknown) => (Array.isArray(list) && list.length === 0 ? other : list);
  return {
    service: { ipAccessList: replaced, privateEndpointIds: replaced, endpoints: replaced },
    organization: { privateEndpoints: replaced, byocConfig: replaced },
    pipe: { fieldMappings: replaced, "source.postgres.tableMappings": replaced },
  };
}
/** The plain server shows 0 for a setting that was never set. */
function unsetSettingAs(other: unknown): Responses {
  const replaced = (value: unknown) => (value === 0 ? other : value);
  return {
    pipe: { "settings.engine_max_threads": replaced },
    settings: { engine_max_threads: replaced },
  };
}

/**
 * Networks as many servers store them: with a prefix length, in lower case, in the shortest form.
 */
const NETWORKS: Readonly<Record<string, string>> = {
  "198.51.100.7": "198.51.100.7/32",
  "2001:DB8:0::/32": "2001:db8::/32",
};
const toNetwork = (source: unknown) => NETWORKS[String(source)] ?? source;
const networks = { "ipAccessList[].source": toNetwork };

const PAGE =
  "<html><head><title>Oops</title></head><body><h1>Not here</h1><p>nginx/1.25.3</p></body></html>";
const SPRING = {
  timestamp: "2026-11-21T10:00:00.000+00:00",
  status: 404,
  error: "Not Found",
  path: "/v1",
};
const UUID = "0b8a1f7e-5a3c-4c1d-8f7e-1a2b3c4d5e6f";

const foreignNotFound = (body: unknown): ServerVariant => ({
  rule: "gone",
  gateway: { method: "GET", effect: status(404, { body }) },
});
const throttled = (
  code: number,
  headers: Record<string, string>,
  ...waits: [least: number, most: number]
): ServerVariant => ({
  rule: "waiting",
  gateway: {
    method: "PATCH",
    times: 1,
    effect: status(code, { headers, body: { error: "SLOW_DOWN" } }),
  },
  waits,
});

export const SERVER_VARIANTS: Readonly<Record<string, ServerVariant>> = {
  "a masked password in every service": {
    rule: "password",
    responses: { service: { password: MASK } },
  },
  "another password in every service": {
    rule: "password",
    responses: { service: { password: CANARY } },
  },
  "a password in pipes and organizations": {
    rule: "password",
    responses: { pipe: { password: CANARY }, organization: { password: CANARY } },
  },

  "extra properties around every result": {
    rule: "outputs",
    responses: {
      envelope: { debug: { authorization: CANARY }, links: [CANARY] },
      creation: { connection: CANARY },
    },
  },
  "extra properties in every service": {
    rule: "outputs",
    responses: {
      service: {
        connectionString: CANARY,
        owner: { token: CANARY },
        "ipAccessList[].createdBy": CANARY,
        "endpoints[].password": CANARY,
      },
    },
  },
  "extra properties in every organization": {
    rule: "outputs",
    responses: {
      organization: {
        billing: { card: CANARY },
        "privateEndpoints[].status": CANARY,
        "byocConfig[].secret": CANARY,
      },
    },
  },
  "extra properties in every pipe": {
    rule: "outputs",
    responses: {
      pipe: {
        connectionString: CANARY,
        "scaling.note": CANARY,
        "settings.api_token": CANARY,
        "fieldMappings[].example": CANARY,
        "destination.password": CANARY,
        "destination.tableDefinition.engine.comment": CANARY,
        "destination.columns[].comment": CANARY,
        "source.secrets": { all: CANARY },
      },
      settings: { api_token: CANARY },
    },
  },
  "credentials in every source": {
    rule: "outputs",
    responses: {
      pipe: {
        "source.kafka.saslPassword": SECRETS.kafka,
        "source.kafka.credentials": { username: CANARY, password: CANARY },
        "source.kafka.offset.token": CANARY,
        "source.kafka.schemaRegistry.credentials": { username: CANARY, password: CANARY },
        "source.kinesis.accessKey": { accessKeyId: CANARY, secretKey: CANARY },
        "source.objectStorage.connectionString": SECRETS.azure,
        "source.objectStorage.sasUrl": SECRETS.azure,
        "source.objectStorage.accessKey": { accessKeyId: CANARY, secretKey: CANARY },
        "source.postgres.credentials": { username: CANARY, password: CANARY },
        "source.postgres.settings.sslKey": CANARY,
        "source.postgres.tableMappings[].query": CANARY,
      },
    },
  },

  "a masked encryption key": { rule: "secret", responses: { service: { encryptionKey: MASK } } },
  "a short mask, even if no key was set": {
    rule: "secret",
    responses: { service: { encryptionKey: "****" } },
  },
  "an empty encryption key": { rule: "secret", responses: { service: { encryptionKey: "" } } },
  "masked credentials in every source": {
    rule: "secret",
    responses: {
      pipe: {
        "source.kafka.credentials": { username: "reader", password: MASK },
        "source.objectStorage.connectionString": MASK,
        "source.postgres.credentials": MASK,
      },
    },
  },

  "numbers as strings": {
    rule: "typed",
    responses: {
      service: { idleTimeoutMinutes: toText, "endpoints[].port": toText },
      pipe: {
        "scaling.replicas": toText,
        "source.kinesis.timestamp": toText,
        "source.postgres.port": toText,
      },
    },
    message: /idleTimeoutMinutes|port|replicas|timestamp/,
  },
  "booleans as strings": {
    rule: "typed",
    responses: {
      service: { isPrimary: toText, hasTransparentDataEncryption: toText },
      pipe: { "source.kinesis.useEnhancedFanOut": toText, "destination.managedTable": toText },
    },
    message: /isPrimary|hasTransparentDataEncryption|useEnhancedFanOut|managedTable/,
  },
  "objects instead of strings": {
    rule: "typed",
    responses: {
      service: {
        engineVersion: { major: 24, minor: 8 },
        iamRole: { arn: "arn:aws:iam::1:role/x" },
      },
      organization: { createdAt: { seconds: 1 }, "byocConfig[].accountName": { text: "x" } },
      pipe: {
        state: { phase: "Running" },
        createdAt: { seconds: 1 },
        "source.kafka.brokers": ["one:9092"],
      },
    },
    message: /engineVersion|iamRole|createdAt|accountName|state|brokers/,
  },
  "a Kinesis timestamp as a string": {
    rule: "typed",
    responses: { pipe: { "source.kinesis.timestamp": toText } },
    message: /timestamp/,
  },
  "strings instead of lists": {
    rule: "typed",
    responses: {
      service: { availablePrivateEndpointIds: "none" },
      organization: { byocConfig: "none" },
    },
    message: /availablePrivateEndpointIds|byocConfig/,
  },
  "settings as strings": {
    rule: "typed",
    responses: {
      pipe: {
        "settings.object_storage_concurrency": toText,
        "settings.engine_parallel_view_processing": toText,
      },
    },
    message: /object_?storage_?concurrency|engine_?parallel_?view_?processing/i,
  },

  "empty objects for the other source types": { rule: "empty", responses: otherSourcesAs({}) },
  "nulls for the other source types": { rule: "empty", responses: otherSourcesAs(null) },

  "null for an empty list": { rule: "absence", responses: emptyListsAs(null) },
  "no property for an empty list": { rule: "absence", responses: emptyListsAs(undefined) },
  "null for a setting that was never set": { rule: "absence", responses: unsetSettingAs(null) },
  "no property for a setting that was never set": {
    rule: "absence",
    responses: unsetSettingAs(undefined),
  },
  "nulls for everything that is not set": {
    rule: "absence",
    responses: {
      service: {
        byocId: null,
        iamRole: null,
        encryptionRoleId: null,
        transparentDataEncryptionKeyId: null,
      },
      organization: { byocConfig: null },
      pipe: {
        scaling: null,
        "source.kafka.offset": null,
        "destination.tableDefinition": null,
        fieldMappings: null,
      },
    },
  },

  "enum values that the specification does not list": {
    rule: "open",
    responses: {
      service: {
        tier: "galaxy",
        region: "moon-1",
        releaseChannel: "glacial",
        "endpoints[].username": "admin",
      },
      pipe: { state: "Hibernating", "source.objectStorage.compression": "brotli-11" },
    },
  },

  "trimmed names and descriptions": {
    rule: "edges",
    requests: {
      name: trim,
      "ipAccessList[].description": trim,
      "ipAccessList.add[].description": trim,
    },
    responses: {
      service: { name: trim, "ipAccessList[].description": trim },
      organization: { name: trim, "privateEndpoints[].description": trim },
      pipe: { name: trim },
    },
  },

  "upper-case ids": {
    rule: "spelling",
    responses: {
      service: { id: toUpperCase, "privateEndpointIds[]": toUpperCase },
      organization: { id: toUpperCase, "privateEndpoints[].id": toUpperCase },
      pipe: { id: toUpperCase, serviceId: toUpperCase },
    },
  },
  "lists in reverse order": {
    rule: "spelling",
    responses: {
      service: {
        ipAccessList: reverse,
        privateEndpointIds: reverse,
        availablePrivateEndpointIds: reverse,
      },
      organization: { privateEndpoints: reverse },
      pipe: {
        "source.postgres.tableMappings": reverse,
        "source.kafka.reversePrivateEndpointIds": reverse,
      },
    },
  },
  "networks in the server's spelling": {
    rule: "spelling",
    requests: {
      ...networks,
      "ipAccessList.add[].source": toNetwork,
      "ipAccessList.remove[].source": toNetwork,
    },
    responses: { service: networks },
  },

  "a 404 from Spring": foreignNotFound(SPRING),
  "a 404 with an HTML page": foreignNotFound(PAGE),
  "a 404 with a request id that is not a string": foreignNotFound({
    requestId: 7,
    error: "NOT_FOUND",
    status: 404,
  }),
  "a 404 with a list": foreignNotFound([{ requestId: UUID }]),

  "429 with seconds": throttled(429, { "retry-after": "7" }, 7, 30),
  "503 with seconds": throttled(503, { "retry-after": "30" }, 30, 60),
  "429 with a date, from a clock 15 minutes ahead": throttled(
    429,
    { date: "Sat, 21 Nov 2026 10:15:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:15:03 GMT" },
    3,
    60,
  ),
  "503 with a date, from a clock 15 minutes ahead": throttled(
    503,
    { date: "Sat, 21 Nov 2026 10:15:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:15:20 GMT" },
    20,
    60,
  ),
  "503 with a date, from a clock 15 minutes behind": throttled(
    503,
    { date: "Sat, 21 Nov 2026 09:45:00 GMT", "retry-after": "Sat, 21 Nov 2026 09:45:20 GMT" },
    20,
    60,
  ),
};
