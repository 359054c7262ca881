import querystring from "node:querystring";
import { stripVTControlCharacters } from "node:util";
import { createRedactor, isRecord, isUnknown } from "pulumi-clouddb-facts";
import { hasSecret, isSecret, SECRET } from "../preview";
import { jsonIn } from "./schema";

/** An environment, whose secrets a command may print. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME =
  /SECRET|PASSPHRASE|PASSWORD|TOKEN|KEY|(WEBHOOK|^CLOUDDB_RATE_LIMIT|^PULUMI_BACKEND)_URL$/i;
/** Matches the password in a URL, such as that of a proxy or a database. */
const PASSWORD_IN_URL = /^[a-z][\w+.-]*:\/\/[^\s/:@]*:([^\s/]+)@/i;
/** Matches credentials before the host of a URL. */
const CREDENTIALS = /\/\/[^\s/@]+@/g;
/** Shorter secrets are hidden only as whole words, so that messages stay readable. */
const SHORTEST_PART = 4;

/**
 * Hides values of variables with secret names and further secrets, in any spelling, and credentials
 * in URLs.
 */
export function secretsHider(
  environment: Environment,
  others: readonly string[] = [],
): (text: string) => string {
  const variables = Object.entries(environment).flatMap(([name, value = ""]) => [
    ...(SECRET_NAME.test(name) ? [value] : []),
    ...passwordIn(value.trim()),
  ]);
  const secrets = [...new Set([...variables, ...others].map((value) => value.trim()))];
  const words = secrets
    .filter((value) => value !== "" && value.length < SHORTEST_PART)
    .map((word) => new RegExp(`(?<!\\w)${word.replace(/\W/g, "\\$&")}(?!\\w)`, "g"));
  const { addSecrets, redact } = createRedactor();
  addSecrets(secrets.filter(({ length }) => length >= SHORTEST_PART));
  return (text) =>
    words
      .reduce((hidden, word) => hidden.replace(word, SECRET), redact(text))
      .replace(CREDENTIALS, `//${SECRET}@`);
}

export function hideIn<Item extends { readonly message: string; readonly exceptions?: string }>(
  hide: (text: string) => string,
  items: readonly Item[],
): Item[] {
  return items.map((item) => ({
    ...item,
    message: hide(item.message),
    ...(item.exceptions !== undefined && { exceptions: hide(item.exceptions) }),
  }));
}

/** The password in a URL, encoded and decoded. */
function passwordIn(value: string): string[] {
  const [, password = ""] = PASSWORD_IN_URL.exec(value) ?? [];
  return [password, querystring.unescape(password)];
}

/**
 * Texts that events mark as secret and also show: in the mark itself, or in another state of the
 * resource.
 */
export function markedSecrets(states: readonly unknown[]): string[] {
  if (!states.some(hasSecret)) return [];
  if (states.some(isSecret)) return states.flatMap(textsIn);
  const objects = states.filter((state) => typeof state === "object" && state !== null) as Record<
    string,
    unknown
  >[];
  const names = new Set(objects.flatMap(Object.keys));
  return [...names].flatMap((name) => markedSecrets(objects.map((state) => state[name])));
}

/**
 * A copy with the secret marks of another state. `cleared` collects the places that lacked a mark.
 */
export function withMarksOf(
  marked: unknown,
  value: unknown,
  cleared: string[] = [],
  place = "",
): unknown {
  if (isSecret(value) || isUnknown(value) || !hasSecret(marked)) return value;
  if (isSecret(marked)) {
    cleared.push(place);
    return SECRET;
  }
  if (Array.isArray(marked) && Array.isArray(value))
    return value.map((entry, at) => withMarksOf(marked[at], entry, cleared, `${place}[${at}]`));
  if (!isRecord(marked) || !isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      withMarksOf(marked[name], inner, cleared, place === "" ? name : `${place}.${name}`),
    ]),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value === SECRET || isUnknown(value) ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  if (!isSecret(value)) return Object.values(value).flatMap(textsIn);
  const { plaintext } = value as { readonly plaintext?: unknown };
  return typeof plaintext === "string" ? textsIn(jsonIn(plaintext) ?? plaintext) : [];
}

/** Removes a terminal's colors, and the color directives of event logs such as `<{%fg 1%}>`. */
export function withoutColors(message: string): string {
  // The `%` in the class bounds the search, so that an unfinished directive takes linear time.
  return stripVTControlCharacters(message.replace(/<\{%[^%\n]*%\}>/g, "")).trim();
}
