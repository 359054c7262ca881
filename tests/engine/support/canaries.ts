import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settingsTable } from "../../../provider/core/session/settings";
import { type FieldPath, fieldPathsOf, withValue } from "../../../provider/fields";
import { resources } from "../../../provider/resources";
import type { FaultRule } from "../../../simulator/index";
import { EXAMPLE } from "../../support/example";
import { testHome } from "./stack";

/*
 * Secrets that are recognized wherever they appear, and servers that leak them. The secret
 * arguments come from the field tables, so that new ones are tested too.
 */

type Arguments = Readonly<Record<string, unknown>>;

/**
 * A secret with every character that encodings change, and a recognizable word between any two of
 * them.
 */
export function canary(name: string): string {
  return `canary-${name}"canary-2\\canary-3\ncanary-4 größe €😀 <100%>+canary-5`;
}

/** A header allows neither line breaks nor all letters, and Basic authentication no line breaks. */
export const ACCESS_TOKEN = 'canary-access-token"canary-2\\canary-3';
export const KEY_SECRET = canary("key-secret").replace("\n", " ");

/** A folder, since a server that cannot be reached would fail every creation. */
export const JOURNAL = join(tmpdir(), `${canary("journal").replace("\n", " ")}-${process.pid}`);

/** The provider's secret settings. */
export function secretSettings(): [name: string, value: string][] {
  const values: Readonly<Record<string, string>> = {
    keySecret: KEY_SECRET,
    accessToken: ACCESS_TOKEN,
    // No server listens on this port, so the message about an unreachable Redis is covered, too.
    rateLimitUrl: `redis://user:${encodeURIComponent(canary("redis-password"))}@127.0.0.1:1`,
    journal: JOURNAL,
  };
  const names = Object.entries(settingsTable).flatMap(([name, setting]) =>
    "secret" in setting ? [name] : [],
  );
  return names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`add a canary for the setting ${name}`);
    return [name, value];
  });
}

/**
 * The prefix in base64, at each of the three offsets: only the characters that do not depend on its
 * neighbours.
 */
const IN_BASE64 = [0, 1, 2].map((offset) => {
  const text = `${"-".repeat(offset)}canary-`;
  return Buffer.from(text)
    .toString("base64")
    .slice(Math.ceil((offset * 8) / 6), Math.floor((text.length * 8) / 6));
});
const ANY_CANARY = new RegExp(`canary-[\\w.-]*|${IN_BASE64.join("|")}`, "g");

/** The traces of secrets in a text, in any encoding. */
export function canariesIn(text: string): string[] {
  return [...new Set(text.match(ANY_CANARY))];
}

/** A value that the field's schema accepts, with a canary for each string. */
function canaryFor({ field: { schema } }: FieldPath, name: string): unknown {
  const member = (part: string) => canary(`${name}.${part}`);
  const shapes = [
    canary(name),
    { username: member("username"), password: member("password") },
    { accessKeyId: member("accessKeyId"), secretKey: member("secretKey") },
  ];
  const fitting = shapes.find((shape) => schema.safeParse(shape).success);
  if (fitting === undefined) throw new Error(`add a canary for ${name}`);
  return fitting;
}

/** Arguments from values by path. */
function argumentsFrom(values: ReadonlyMap<FieldPath, unknown>): Arguments {
  let made: Arguments = {};
  for (const [{ path }, value] of values) made = withValue(made, path, value);
  return made;
}

const argumentsOf = (type: keyof typeof resources) =>
  fieldPathsOf(resources[type].definition.fields);
const secretsOf = (type: keyof typeof resources) =>
  argumentsOf(type).filter(({ field }) => field.secret);

function createCanaries(fieldPaths: readonly FieldPath[], round: string): Arguments {
  // Leaves out the first name of a nested path ("source"), to keep texts short.
  const nameOf = ({ path }: FieldPath) =>
    `${round}-${path.slice(path.length > 1 ? 1 : 0).join(".")}`;
  return argumentsFrom(
    new Map(fieldPaths.map((fieldPath) => [fieldPath, canaryFor(fieldPath, nameOf(fieldPath))])),
  );
}

export function serviceSecrets(round: string): Arguments {
  return createCanaries(secretsOf("Service"), round);
}

/** A pipe of the example seed for each source type, with its secret arguments. */
export function pipesWithSecrets(round: string): { pipeId: string; source: Arguments }[] {
  const sourceTypes = [
    ...new Set(secretsOf("Pipe").map(({ path: [, sourceType = ""] }) => sourceType)),
  ];
  return sourceTypes.map((sourceType) => {
    const { source } = createCanaries(
      secretsOf("Pipe").filter(({ path }) => path[1] === sourceType),
      round,
    );
    return { pipeId: pipeIdOf(sourceType), source: source as Arguments };
  });
}

/** The pipe of the example seed with this source type. */
export function pipeIdOf(sourceType: string): string {
  const id = (EXAMPLE.pipes as Readonly<Record<string, string>>)[sourceType];
  if (id === undefined)
    throw new Error(`the example seed has no pipe with a source of type ${sourceType}`);
  return id;
}

/**
 * The secrets of all source types with invalid values in and next to each, and the beginnings of
 * the messages about them.
 */
export function invalidArgumentsBesideSecrets(): { source: Arguments; sentences: string[] } {
  const invalid = new Map<FieldPath, unknown>();
  for (const fieldPath of secretsOf("Pipe")) {
    const value = canaryFor(fieldPath, "refused");
    // An object with an extra property is invalid; a string is valid.
    invalid.set(
      fieldPath,
      typeof value === "string" ? value : { ...(value as object), more: canary("refused-more") },
    );
    const sibling = argumentsOf("Pipe").find(
      ({ path, field }) =>
        !field.secret && path.length === fieldPath.path.length && path[1] === fieldPath.path[1],
    );
    if (sibling === undefined) throw new Error(`${fieldPath.name} has no sibling`);
    invalid.set(sibling, { text: canary("refused-beside") });
  }
  const wrong = [...invalid].filter(([, value]) => typeof value !== "string");
  const { source } = argumentsFrom(invalid);
  return {
    source: source as Arguments,
    sentences: wrong.map(([{ name }]) => `${name} is invalid: `),
  };
}

function textsIn(value: unknown): string[] {
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(textsIn)
    : [String(value)];
}

const asJson = (value: unknown) => JSON.stringify(value);
const inAscii = (text: string) =>
  text.replace(
    /[^ -~]|[<>&]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Encodings in which servers echo values. */
const ENCODINGS: readonly ((texts: readonly string[]) => string)[] = [
  (texts) => texts.join("; "),
  asJson,
  (texts) => inAscii(asJson(texts)),
  (texts) => asJson(asJson(texts)),
  (texts) => encodeURIComponent(asJson(texts)),
  (texts) => new URLSearchParams(texts.map((text): [string, string] => ["value", text])).toString(),
];

/** The end of an echo: if it is printed, nothing was truncated. */
export const END = "end of echo";

/**
 * Rejects a request and echoes secrets in every encoding; the request id is what was sent before,
 * as JSON within JSON.
 */
function rejection(
  method: string,
  path: string,
  known: readonly string[],
  keys: readonly string[],
  before: unknown,
): FaultRule {
  const echoes = ENCODINGS.map((encoding) => encoding(known));
  const error = `BAD_REQUEST: ${[...echoes, ...keys, END].join(" | ")}`;
  return {
    method,
    path,
    effect: { kind: "status", status: 400, body: { requestId: asJson(asJson(before)), error } },
  };
}

/** The key in every form in which a server sees it. */
function keysOf(keyId: string): string[] {
  const value = Buffer.from(`${keyId}:${KEY_SECRET}`).toString("base64");
  return [`Basic ${value}`, value, encodeURIComponent(value), KEY_SECRET];
}

/** Rejects every creation, and every update or read. */
export function rejections(
  method: "PATCH" | "GET",
  round: string,
  before: string,
  keyId: string,
): FaultRule[] {
  const keys = keysOf(keyId);
  const old = pipesWithSecrets(before);
  const service = serviceSecrets("first");
  return [
    ...pipesWithSecrets(round).map(({ pipeId, source }, index) =>
      rejection(method, pipeId, textsIn(source), keys, old[index]),
    ),
    rejection("POST", "/services", textsIn(service), keys, service),
    rejection(method, "/services", [...textsIn(service), ONE_TIME_PASSWORD], keys, service),
  ];
}

/** Rejects the requests of the functions: an alert, and the service with this id. */
export function rejectedLookups(serviceId: string, keyId: string): FaultRule[] {
  const keys = keysOf(keyId);
  const bearer = `Bearer ${ACCESS_TOKEN}`;
  return [
    rejection("GET", "/alerts", [ACCESS_TOKEN], [bearer, encodeURIComponent(bearer)], {
      authorization: bearer,
    }),
    rejection("GET", `/services/${serviceId}`, [KEY_SECRET], keys, { authorization: keys[0] }),
  ];
}

export const ONE_TIME_PASSWORD = canary("one-time-password");
/** A secret that the specification shows in responses, besides the connection string. */
export const SHOWN_KEY = canary("shown-key");

/** Responses that leak secrets: those that were sent, and others in undocumented properties. */
export function leakingResponses(round: string): FaultRule[] {
  const answer = (method: string, path: string, result: Arguments): FaultRule => ({
    method,
    path,
    effect: { kind: "answer", result, password: ONE_TIME_PASSWORD },
  });
  const password = canary("undocumented");
  const pipes = pipesWithSecrets(round).flatMap(({ pipeId, source }) => {
    const [[sourceType, secrets]] = Object.entries(source) as [[string, object]];
    const response = {
      iamRole: "a role",
      host: "a host",
      saslPassword: password,
      schemaRegistry: { url: "an address", credentials: { password } },
      settings: { pullBatchSize: 1, replicationPassword: password },
    };
    const result = { source: { [sourceType]: { ...secrets, ...response } }, password };
    return ["GET", "PATCH"].map((method) => answer(method, pipeId, result));
  });
  const service = {
    encryptionKey: SHOWN_KEY,
    credentials: { password },
    endpoints: [{ protocol: "mysql", host: "a host", port: 3306, password }],
  };
  return [
    ...pipes,
    answer("POST", "/services", service),
    ...["GET", "PATCH"].map((method) => answer(method, "/services", { ...service, password })),
  ];
}

/**
 * The events without the SDK's own debug messages, which contain everything that a program
 * declares.
 */
export function eventsIn(file: string): string {
  return readFileSync(file, "utf8").replace(/^.*"severity":"debug".*$/gm, "");
}

/** The output of the packed report command. */
export function reportOn(events: string): string {
  const report = spawnSync(join(testHome(), "node_modules/.bin/clouddb-report"), [events], {
    encoding: "utf8",
  });
  return report.stdout + report.stderr;
}
