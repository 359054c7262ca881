import type { Edits } from "./edits";

/**
 * How servers, gateways and proxies answer who are not our simulator: extra members, masks, nulls, other types, pages
 * and clocks. A manner is data: the rule that it tries, and what is otherwise in the answers of a server that is right.
 */

export const RULES = {
  password: "the password comes from the creation and from nowhere else",
  outputs: "outputs hold what the specification shows, at any depth",
  typed: "a member of another type matters only where it is managed or handed out",
  empty: "an empty object for a kind of source is no kind",
  absence: "null and an absent member of a present parent are an absence",
  open: "unknown values of enumerations pass",
  secret: "a secret that is shown is not evidence",
  edges: "a server that trims is not chased",
  spelling: "another order, another spelling of a network or an id is no change",
  gone: "gone is only a 404 of the API itself",
  waiting: "waits are as long as the server asks, by the server's own clock",
} as const;

/** Where an answer has it: in any service, beside the service of a creation, around the result, and so on. */
export type Shape = "service" | "creation" | "organization" | "pipe" | "settings" | "envelope";

export interface Manner {
  readonly rule: keyof typeof RULES;
  /** What answers show otherwise. */
  readonly shows?: Readonly<Partial<Record<Shape, Edits>>>;
  /** What is understood of bodies otherwise. */
  readonly takes?: Edits;
  /** What the product says to the user of it. */
  readonly said?: RegExp;
  readonly instead?: Instead;
}

/** An answer that a gateway gives instead of the server. */
export interface Instead {
  readonly method: "GET" | "PATCH";
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text goes out as it is. */
  readonly body: unknown;
  /** For ever where absent. */
  readonly times?: number;
  /** How long a client waits before it asks again, in seconds: at least, at most. */
  readonly waits?: readonly [number, number];
}

/** In every value that no state, message or log may show. */
export const CANARY = "canary-7d1f";
export const MASK = "********";
/** What the program of the tests declares as secret. */
export const SECRETS = {
  encryptionKey: "the key of the disks",
  kafka: "the password of kafka",
  azure: "the azure string",
};

const upper = (id: unknown) => String(id).toUpperCase();
const asText = (value: unknown) => (value === undefined ? undefined : String(value));
const trimmed = (value: unknown) => (typeof value === "string" ? value.trim() : value);
const reversed = (list: unknown) => (Array.isArray(list) ? [...list].reverse() : list);
const emptyAs = (other: unknown) => (list: unknown) => (Array.isArray(list) && list.length === 0 ? other : list);
/** The plain server shows 0 for what was never set. */
const unsetAs = (other: unknown) => (value: unknown) => (value === 0 ? other : value);
const orEmpty = (kind: unknown) => kind ?? {};

/** Networks as many servers keep them: with a length, in lower case, in the shortest form. */
const NETWORKS: Readonly<Record<string, string>> = {
  "198.51.100.7": "198.51.100.7/32",
  "2001:DB8:0::/32": "2001:db8::/32",
};
const asNetwork = (source: unknown) => NETWORKS[String(source)] ?? source;
const networks = { "ipAccessList[].source": asNetwork };

const PAGE = "<html><head><title>Oops</title></head><body><h1>Not here</h1><p>nginx/1.25.3</p></body></html>";
const SPRING = (status: number, error: string) => ({
  timestamp: "2026-11-21T10:00:00.000+00:00",
  status,
  error,
  path: "/v1",
});
const UUID = "0b8a1f7e-5a3c-4c1d-8f7e-1a2b3c4d5e6f";

const given = { rule: "gone", instead: { method: "GET", status: 404 } } as const;
const foreign = (body: unknown): Manner => ({ rule: given.rule, instead: { ...given.instead, body } });
const once = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Manner => ({
  rule: "waiting",
  instead: { method: "GET", status, body, headers, times: 1, waits: [0.1, 60] },
});
const waits = (status: number, headers: Readonly<Record<string, string>>, least: number, most: number): Manner => ({
  rule: "waiting",
  instead: { method: "PATCH", status, headers, body: { error: "SLOW_DOWN" }, times: 1, waits: [least, most] },
});

export const MANNERS: Readonly<Record<string, Manner>> = {
  "a masked password in every service": { rule: "password", shows: { service: { password: MASK } } },
  "another password in every service": { rule: "password", shows: { service: { password: CANARY } } },
  "a password in pipes and organizations": {
    rule: "password",
    shows: { pipe: { password: CANARY }, organization: { password: CANARY } },
  },

  "extra members around every result": {
    rule: "outputs",
    shows: { envelope: { debug: { authorization: CANARY }, links: [CANARY] }, creation: { connection: CANARY } },
  },
  "extra members in every service": {
    rule: "outputs",
    shows: {
      service: {
        connectionString: CANARY,
        owner: { token: CANARY },
        "ipAccessList[].createdBy": CANARY,
        "endpoints[].password": CANARY,
      },
    },
  },
  "extra members in every organization": {
    rule: "outputs",
    shows: {
      organization: { billing: { card: CANARY }, "privateEndpoints[].status": CANARY, "byocConfig[].secret": CANARY },
    },
  },
  "extra members in every pipe": {
    rule: "outputs",
    shows: {
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
    shows: {
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

  "a masked key of the disks": { rule: "secret", shows: { service: { encryptionKey: MASK } } },
  "a short mask, where no key was given too": { rule: "secret", shows: { service: { encryptionKey: "****" } } },
  "an empty key of the disks": { rule: "secret", shows: { service: { encryptionKey: "" } } },
  "masked credentials in every source": {
    rule: "secret",
    shows: {
      pipe: {
        "source.kafka.credentials": { username: "reader", password: MASK },
        "source.objectStorage.connectionString": MASK,
        "source.postgres.credentials": MASK,
      },
    },
  },

  "numbers as text": {
    rule: "typed",
    shows: {
      service: { idleTimeoutMinutes: asText, "endpoints[].port": asText },
      pipe: { "scaling.replicas": asText, "source.kinesis.timestamp": asText, "source.postgres.port": asText },
    },
    said: /idleTimeoutMinutes|port|replicas|timestamp/,
  },
  "truth as text": {
    rule: "typed",
    shows: {
      service: { isPrimary: asText, hasTransparentDataEncryption: asText },
      pipe: { "source.kinesis.useEnhancedFanOut": asText, "destination.managedTable": asText },
    },
    said: /isPrimary|hasTransparentDataEncryption|useEnhancedFanOut|managedTable/,
  },
  "objects for text": {
    rule: "typed",
    shows: {
      service: { engineVersion: { major: 24, minor: 8 }, iamRole: { arn: "arn:aws:iam::1:role/x" } },
      organization: { createdAt: { seconds: 1 }, "byocConfig[].accountName": { text: "x" } },
      pipe: { state: { phase: "Running" }, createdAt: { seconds: 1 }, "source.kafka.brokers": ["one:9092"] },
    },
    said: /engineVersion|iamRole|createdAt|accountName|state|brokers/,
  },
  "a timestamp of Kinesis as text": {
    rule: "typed",
    shows: { pipe: { "source.kinesis.timestamp": asText } },
    said: /timestamp/,
  },
  "text for lists": {
    rule: "typed",
    shows: { service: { availablePrivateEndpointIds: "none" }, organization: { byocConfig: "none" } },
    said: /availablePrivateEndpointIds|byocConfig/,
  },
  "settings as text": {
    rule: "typed",
    shows: {
      pipe: { "settings.object_storage_concurrency": asText, "settings.engine_parallel_view_processing": asText },
    },
    said: /object_?storage_?concurrency|engine_?parallel_?view_?processing/i,
  },

  "empty objects for the other kinds of source": {
    rule: "empty",
    shows: {
      pipe: {
        "source.kafka": orEmpty,
        "source.objectStorage": orEmpty,
        "source.kinesis": orEmpty,
        "source.postgres": orEmpty,
      },
    },
  },
  "nulls for the other kinds of source": {
    rule: "empty",
    shows: {
      pipe: {
        "source.kafka": (kind: unknown) => kind ?? null,
        "source.objectStorage": (kind: unknown) => kind ?? null,
        "source.kinesis": (kind: unknown) => kind ?? null,
        "source.postgres": (kind: unknown) => kind ?? null,
      },
    },
  },

  "null for an empty list": {
    rule: "absence",
    shows: {
      service: { ipAccessList: emptyAs(null), privateEndpointIds: emptyAs(null), endpoints: emptyAs(null) },
      organization: { privateEndpoints: emptyAs(null), byocConfig: emptyAs(null) },
      pipe: { fieldMappings: emptyAs(null), "source.postgres.tableMappings": emptyAs(null) },
    },
  },
  "nothing for an empty list": {
    rule: "absence",
    shows: {
      service: { ipAccessList: emptyAs(undefined), privateEndpointIds: emptyAs(undefined) },
      organization: { privateEndpoints: emptyAs(undefined), byocConfig: emptyAs(undefined) },
      pipe: { fieldMappings: emptyAs(undefined), "source.postgres.tableMappings": emptyAs(undefined) },
    },
  },
  "null for a setting that nobody set": {
    rule: "absence",
    shows: { pipe: { "settings.engine_max_threads": unsetAs(null) }, settings: { engine_max_threads: unsetAs(null) } },
  },
  "nothing for a setting that nobody set": {
    rule: "absence",
    shows: {
      pipe: { "settings.engine_max_threads": unsetAs(undefined) },
      settings: { engine_max_threads: unsetAs(undefined) },
    },
  },
  "nulls for whatever is not set": {
    rule: "absence",
    shows: {
      service: { byocId: null, iamRole: null, encryptionRoleId: null, transparentDataEncryptionKeyId: null },
      organization: { byocConfig: null },
      pipe: { scaling: null, "source.kafka.offset": null, "destination.tableDefinition": null, fieldMappings: null },
    },
  },

  "values that the specification does not list": {
    rule: "open",
    shows: {
      service: { tier: "galaxy", region: "moon-1", releaseChannel: "glacial", "endpoints[].username": "admin" },
      pipe: { state: "Hibernating", "source.objectStorage.compression": "brotli-11" },
    },
  },

  "names and descriptions without white space at their edges": {
    rule: "edges",
    takes: { name: trimmed, "ipAccessList[].description": trimmed, "ipAccessList.add[].description": trimmed },
    shows: {
      service: { name: trimmed, "ipAccessList[].description": trimmed },
      organization: { name: trimmed, "privateEndpoints[].description": trimmed },
      pipe: { name: trimmed },
    },
  },

  "ids in capitals": {
    rule: "spelling",
    shows: { service: { id: upper }, organization: { id: upper }, pipe: { id: upper, serviceId: upper } },
  },
  "lists from their end": {
    rule: "spelling",
    shows: {
      service: { ipAccessList: reversed, privateEndpointIds: reversed, availablePrivateEndpointIds: reversed },
      organization: { privateEndpoints: reversed },
      pipe: { "source.postgres.tableMappings": reversed, "source.kafka.reversePrivateEndpointIds": reversed },
    },
  },
  "networks in the server's spelling": {
    rule: "spelling",
    takes: {
      ...networks,
      "ipAccessList.add[].source": asNetwork,
      "ipAccessList.remove[].source": asNetwork,
    },
    shows: { service: networks },
  },

  "a 404 of Spring": foreign(SPRING(404, "Not Found")),
  "a 404 with a message": foreign({ message: "no Route matched with those values" }),
  "a 404 with an empty object": foreign({}),
  "a 404 with nothing": foreign(""),
  "a 404 with a page": foreign(PAGE),
  "a 404 with an error alone": foreign({ error: "NOT_FOUND: no such service", status: 404 }),
  "a 404 with a request id that is no text": foreign({ requestId: 7, error: "NOT_FOUND", status: 404 }),
  "a 404 with a list": foreign([{ requestId: UUID }]),

  "502 with a page, once": once(502, PAGE),
  "502 of Spring, once": once(502, SPRING(502, "Bad Gateway")),
  "503 with a message, once": once(503, { message: "failure to get a peer from the ring-balancer" }),
  "503 with an empty object, once": once(503, {}),
  "504 with nothing, once": once(504, ""),

  "429 with seconds": waits(429, { "retry-after": "7" }, 7, 30),
  "503 with seconds": waits(503, { "retry-after": "30" }, 30, 60),
  "429 with a date, 15 minutes ahead of us": waits(
    429,
    { date: "Sat, 21 Nov 2026 10:15:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:15:03 GMT" },
    3,
    60,
  ),
  "503 with a date, 15 minutes ahead of us": waits(
    503,
    { date: "Sat, 21 Nov 2026 10:15:00 GMT", "retry-after": "Sat, 21 Nov 2026 10:15:20 GMT" },
    20,
    60,
  ),
  "503 with a date, 15 minutes behind us": waits(
    503,
    { date: "Sat, 21 Nov 2026 09:45:00 GMT", "retry-after": "Sat, 21 Nov 2026 09:45:20 GMT" },
    20,
    60,
  ),
};
