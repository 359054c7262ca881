import { type FieldPath, fieldPathsOf, resources } from "../../../provider/definitions";
import { settingsTable } from "../../../provider/settings/settings";
import type { FaultRule } from "../../../simulator/index";

/*
 * Secrets that are recognised wherever they turn up, and servers that give them away. Which arguments are secret is
 * read from the tables: a new one is tested by being there.
 */

type Arguments = Readonly<Record<string, unknown>>;

/** A secret with all that spellings change; between any two of those is a word that they all leave as it is. */
export function canary(name: string): string {
  return `canary-${name}"canary-2\\canary-3\ncanary-4 größe €😀 <100%>+canary-5`;
}

/** A header takes neither line breaks nor all letters. */
export const ACCESS_TOKEN = 'canary-access-token"canary-2\\canary-3';
export const KEY_SECRET = canary("key-secret");

/** The provider's settings that are secret. */
export function secretSettings(): [name: string, value: string][] {
  const values: Readonly<Record<string, string>> = { keySecret: KEY_SECRET, accessToken: ACCESS_TOKEN };
  const names = Object.entries(settingsTable).flatMap(([name, setting]) => ("secret" in setting ? [name] : []));
  return names.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`there is no canary for the setting ${name} yet`);
    return [name, value];
  });
}

/** These letters in base64, from whichever of three bytes on: the characters that are theirs alone. */
const IN_BASE64 = [0, 1, 2].map((offset) => {
  const text = `${"-".repeat(offset)}canary-`;
  return Buffer.from(text)
    .toString("base64")
    .slice(Math.ceil((offset * 8) / 6), Math.floor((text.length * 8) / 6));
});
const ANY_CANARY = new RegExp(`canary-[\\w.-]*|${IN_BASE64.join("|")}`, "g");

/** What is left of secrets in a text, in whatever spelling. */
export function canariesIn(text: string): string[] {
  return [...new Set(text.match(ANY_CANARY))];
}

/** A value of the shape that the field's schema wants, every text of it a canary. */
function canaryFor({ field: { schema } }: FieldPath, name: string): unknown {
  const member = (part: string) => canary(`${name}.${part}`);
  const shapes = [
    canary(name),
    { username: member("username"), password: member("password") },
    { accessKeyId: member("accessKeyId"), secretKey: member("secretKey") },
  ];
  const fitting = shapes.find((shape) => schema.safeParse(shape).success);
  if (fitting === undefined) throw new Error(`there is no canary for ${name} yet`);
  return fitting;
}

/** The arguments that have a value here, each in its place. */
function argumentsFrom(values: ReadonlyMap<FieldPath, unknown>): Arguments {
  let made: Arguments = {};
  for (const [{ path }, value] of values) made = placed(made, path, value);
  return made;
}

function placed(into: Arguments, [name = "", ...rest]: readonly string[], value: unknown): Arguments {
  return { ...into, [name]: rest.length === 0 ? value : placed((into[name] ?? {}) as Arguments, rest, value) };
}

const argumentsOf = (kind: string) => fieldPathsOf(resources[kind]?.definition.fields ?? {});
const secretsOf = (kind: string) => argumentsOf(kind).filter(({ field }) => field.secret);

function canariesFor(leaves: readonly FieldPath[], round: string): Arguments {
  // A source is the only argument that has kinds; its own name would only make texts longer.
  const nameOf = ({ path }: FieldPath) => `${round}-${path.slice(path.length > 1 ? 1 : 0).join(".")}`;
  return argumentsFrom(new Map(leaves.map((leaf) => [leaf, canaryFor(leaf, nameOf(leaf))])));
}

export function serviceSecrets(round: string): Arguments {
  return canariesFor(secretsOf("Service"), round);
}

/** A pipe of the example for each kind of source, with the arguments that are secret. */
export function pipesWithSecrets(round: string): { pipeId: string; source: Arguments }[] {
  const kinds = [...new Set(secretsOf("Pipe").map(({ path: [, kind = ""] }) => kind))];
  return kinds.map((kind) => {
    const { source } = canariesFor(
      secretsOf("Pipe").filter(({ path }) => path[1] === kind),
      round,
    );
    return { pipeId: pipeIdOf(kind), source: source as Arguments };
  });
}

const PIPES = ["kafka", "objectStorage", "kinesis", "postgres"];

/** The example's pipe with this kind of source. */
export function pipeIdOf(kind: string): string {
  const number = PIPES.indexOf(kind) + 1;
  if (number === 0) throw new Error(`the example has no pipe with a source of the kind ${kind}`);
  return `b1b2c3d4-000${number}-4a53-9c1e-00000000000${number}`;
}

/** The secrets of all kinds of source, a mistake beside each and in each; and how the sentences about them begin. */
export function mistakesBesideSecrets(): { source: Arguments; sentences: string[] } {
  const mistakes = new Map<FieldPath, unknown>();
  for (const leaf of secretsOf("Pipe")) {
    const value = canaryFor(leaf, "refused");
    // An object with one member more is a mistake by itself; a text is what it should be.
    mistakes.set(leaf, typeof value === "string" ? value : { ...(value as object), more: canary("refused-more") });
    const beside = argumentsOf("Pipe").find(
      ({ path, field }) => !field.secret && path.length === leaf.path.length && path[1] === leaf.path[1],
    );
    if (beside === undefined) throw new Error(`there is nothing beside ${leaf.name}`);
    mistakes.set(beside, { text: canary("refused-beside") });
  }
  const wrong = [...mistakes].filter(([, value]) => typeof value !== "string");
  const { source } = argumentsFrom(mistakes);
  return { source: source as Arguments, sentences: wrong.map(([{ name }]) => `${name} is invalid: `) };
}

function textsIn(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [String(value)];
}

const asJson = (value: unknown) => JSON.stringify(value);
const inAscii = (text: string) =>
  text.replace(/[^ -~]|[<>&]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** How servers write what they repeat. */
const SPELLINGS: readonly ((texts: readonly string[]) => string)[] = [
  (texts) => texts.join("; "),
  asJson,
  (texts) => inAscii(asJson(texts)),
  (texts) => asJson(asJson(texts)),
  (texts) => encodeURIComponent(asJson(texts)),
  (texts) => new URLSearchParams(texts.map((text): [string, string] => ["value", text])).toString(),
];

/** What ends a repetition: where it is printed, nothing of it was cut. */
export const END = "end of repetition";

/** Refuses a request and repeats in every spelling what it knows; its id is what was sent before, as JSON inside of a JSON text. */
function refusal(
  method: string,
  path: string,
  known: readonly string[],
  keys: readonly string[],
  before: unknown,
): FaultRule {
  const repeated = SPELLINGS.map((spelling) => spelling(known));
  const error = `BAD_REQUEST: ${[...repeated, ...keys, END].join(" | ")}`;
  return { method, path, effect: { kind: "status", status: 400, body: { requestId: asJson(asJson(before)), error } } };
}

/** The key in all the ways in which a server sees it. */
function keysOf(keyId: string): string[] {
  const value = Buffer.from(`${keyId}:${KEY_SECRET}`).toString("base64");
  return [`Basic ${value}`, value, encodeURIComponent(value), KEY_SECRET];
}

/** Refuses every creation, and every change or read of what exists. */
export function refusals(method: "PATCH" | "GET", round: string, before: string, keyId: string): FaultRule[] {
  const keys = keysOf(keyId);
  const old = pipesWithSecrets(before);
  const service = serviceSecrets("first");
  return [
    ...pipesWithSecrets(round).map(({ pipeId, source }, index) =>
      refusal(method, pipeId, textsIn(source), keys, old[index]),
    ),
    refusal("POST", "/services", textsIn(service), keys, service),
    refusal(method, "/services", [...textsIn(service), ONE_TIME_PASSWORD], keys, service),
  ];
}

/** Refuses what the functions ask for: an alert, and a service of this id. */
export function refusedLookUps(serviceId: string, keyId: string): FaultRule[] {
  const keys = keysOf(keyId);
  const bearer = `Bearer ${ACCESS_TOKEN}`;
  return [
    refusal("GET", "/alerts", [ACCESS_TOKEN], [bearer, encodeURIComponent(bearer)], { authorization: bearer }),
    refusal("GET", `/services/${serviceId}`, [KEY_SECRET], keys, { authorization: keys[0] }),
  ];
}

export const ONE_TIME_PASSWORD = canary("one-time-password");
/** A secret that the specification has in answers, beside the connection string. */
export const SHOWN_KEY = canary("shown-key");

/** Answers that show secrets: those that were sent, and others in members that the specification does not have. */
export function indiscretions(round: string): FaultRule[] {
  const answer = (method: string, path: string, result: Arguments): FaultRule => ({
    method,
    path,
    effect: { kind: "answer", result, password: ONE_TIME_PASSWORD },
  });
  const password = canary("undocumented");
  const pipes = pipesWithSecrets(round).flatMap(({ pipeId, source }) => {
    const [[kind, secrets]] = Object.entries(source) as [[string, object]];
    const shown = {
      iamRole: "a role",
      host: "a host",
      saslPassword: password,
      schemaRegistry: { url: "an address", credentials: { password } },
      settings: { pullBatchSize: 1, replicationPassword: password },
    };
    const result = { source: { [kind]: { ...secrets, ...shown } }, password };
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
