import { isUnknown, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";

/** The environment of this process; a command may print its secrets. */
export type Environment = Readonly<Record<string, string | undefined>>;

const SECRET_NAME = /SECRET|PASSPHRASE|PASSWORD|TOKEN|KEY|(WEBHOOK|^CLOUDDB_RATE_LIMIT|^PULUMI_BACKEND)_URL$/i;
/** In a variable with any name, such as a proxy's or a database's. */
const PASSWORD_IN_URL = /^[a-z][\w+.-]*:\/\/[^\s/:@]*:([^\s/]+)@/i;
/** In front of the host of a URL. */
const CREDENTIALS = /\/\/[^\s/@]+@/g;
/** A shorter value is hidden only as a whole word; otherwise it would make messages unreadable. */
const SHORTEST_PART = 4;

/** Hides the values of variables with secret names and other secrets, also encoded for JSON and URLs, and credentials in URLs. */
export function secretsHider(environment: Environment, others: readonly string[] = []): (text: string) => string {
  const variables = Object.entries(environment).flatMap(([name, value = ""]) => [
    ...(SECRET_NAME.test(name) ? [value.trim()] : []),
    ...passwordsIn(value.trim()),
  ]);
  const secrets = [...variables, ...others.map((value) => value.trim())].filter((value) => value !== "");
  const forms = secrets.flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  // The longest first: one secret may begin another.
  const patterns = [...new Set(forms)].sort((left, right) => right.length - left.length).map(patternOf);
  // Without any, this pattern never matches.
  const pattern = new RegExp(patterns.join("|") || "(?!)", "g");
  return (text) => text.replace(pattern, "[secret]").replace(CREDENTIALS, "//[secret]@");
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

function patternOf(value: string): string {
  const literal = value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return value.length < SHORTEST_PART ? `(?<!\\w)${literal}(?!\\w)` : literal;
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
