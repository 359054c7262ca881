import { stripVTControlCharacters } from "node:util";
import { createRedactor, isUnknown, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";

/** The environment of this process; a command may print its secrets. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME = /SECRET|PASSPHRASE|PASSWORD|TOKEN|KEY|(WEBHOOK|^CLOUDDB_RATE_LIMIT|^PULUMI_BACKEND)_URL$/i;
/** In a variable with any name, such as a proxy's or a database's. */
const PASSWORD_IN_URL = /^[a-z][\w+.-]*:\/\/[^\s/:@]*:([^\s/]+)@/i;
/** In front of the host of a URL. */
const CREDENTIALS = /\/\/[^\s/@]+@/g;
/** A shorter secret is hidden only as a whole word; otherwise it would make messages unreadable. */
const SHORTEST_PART = 4;

/** Hides the values of variables with secret names and other secrets in any spelling, and credentials in URLs. */
export function secretsHider(environment: Environment, others: readonly string[] = []): (text: string) => string {
  const variables = Object.entries(environment).flatMap(([name, value = ""]) => [
    ...(SECRET_NAME.test(name) ? [value] : []),
    ...passwordsIn(value.trim()),
  ]);
  const secrets = [...new Set([...variables, ...others].map((value) => value.trim()))];
  const [long, short] = [true, false].map((isLong) =>
    secrets.filter((value) => value !== "" && value.length >= SHORTEST_PART === isLong),
  ) as [string[], string[]];
  const { addSecrets, redact } = createRedactor();
  addSecrets(long);
  const literals = short.map((value) => value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const words = new RegExp(`(?<!\\w)(?:${literals.join("|") || "(?!)"})(?!\\w)`, "g");
  return (text) => {
    const hidden = long.length > 0 ? redact(text) : text;
    return hidden.replace(words, "[secret]").replace(CREDENTIALS, "//[secret]@");
  };
}

/** The password of a URL, as written and decoded. */
function passwordsIn(value: string): string[] {
  const [, password = ""] = PASSWORD_IN_URL.exec(value) ?? [];
  return [password, decoded(password)];
}

/** A text without the encoding of URLs, if it has that. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const HIDDEN = "[secret]";

/**
 * Texts that an event marks as secret and shows elsewhere: as the plain text of the mark, or at the same place in
 * another state of the resource.
 */
export function markedSecrets(states: readonly unknown[]): string[] {
  const objects = states.filter((state) => typeof state === "object" && state !== null) as Record<string, unknown>[];
  const isMarked = states.includes(HIDDEN) || objects.some((state) => state[SIGNATURE] === SECRET_MARK);
  if (isMarked) return states.flatMap(textsIn);
  const names = new Set(objects.flatMap(Object.keys));
  return [...names].flatMap((name) => markedSecrets(objects.map((state) => state[name])));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value === HIDDEN || isUnknown(value) ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const { [SIGNATURE]: signature, plaintext } = value as Record<string, unknown>;
  if (signature !== SECRET_MARK) return Object.values(value).flatMap(textsIn);
  return typeof plaintext === "string" ? textsIn(parsed(plaintext)) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A message without colors: those of a terminal, and the directives of event logs, such as `<{%fg 1%}>`. */
export function withoutColors(message: string): string {
  // No directive has a percent sign: an unfinished one is not searched to the end.
  return stripVTControlCharacters(message.replace(/<\{%[^%\n]*%\}>/g, "")).trim();
}
