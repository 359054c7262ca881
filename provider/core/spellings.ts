import { decodeEntity, ENTITY } from "../api/page-text";
import { CONTROL_OR_SPACE } from "../api/text";

/** A possible reading of a text, and the place of each of its characters, and of its end, in the original. */
export interface Reading {
  readonly text: string;
  readonly origins: readonly number[];
}

interface Spelling {
  readonly pattern: RegExp;
  readonly meaning: (match: string) => string;
}

const WHITE_SPACE: Spelling = { pattern: CONTROL_OR_SPACE, meaning: () => " " };
const NAMED: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** The bytes of one character. */
const BYTES = /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
/** Invalid bytes become a replacement character instead of an exception. */
const characterOf = (bytes: string) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString();

/** Spellings of a text within another: in JSON, in addresses and forms, and in HTML. */
const SPELLINGS: readonly Spelling[] = [
  {
    pattern: /\\(?:u[\da-fA-F]{4}|["'\\/bfnrt])/g,
    meaning: ([, name = "", ...digits]) =>
      name === "u" ? String.fromCharCode(Number.parseInt(digits.join(""), 16)) : (NAMED[name] ?? name),
  },
  { pattern: BYTES, meaning: characterOf },
  // Forms spell spaces as +.
  { pattern: new RegExp(`${BYTES.source}|\\+`, "gi"), meaning: (match) => (match === "+" ? " " : characterOf(match)) },
  { pattern: ENTITY, meaning: decodeEntity },
  // Not what follows a text, which it would make a part of the secret.
  { pattern: /(?:<[a-z/!?][^<>]*>)+(?=[^<])/gi, meaning: () => "" },
];
/** More than a body as JSON, inside of a text in JSON, inside of an address. */
const DEEPEST = 4;

/** The text as it stands, and as it reads with its escapes resolved, in whatever order they were made. */
export function readingsOf(text: string): Reading[] {
  const origins = Array.from({ length: text.length + 1 }, (_, index) => index);
  const readings = new Map<string, Reading>();
  let latest = [plain({ text, origins })];
  for (let depth = 0; latest.length > 0; depth += 1) {
    for (const reading of latest) readings.set(reading.text, reading);
    const next =
      depth === DEEPEST ? [] : latest.flatMap((reading) => SPELLINGS.map((spelling) => read(reading, spelling)));
    latest = next.map(plain).filter((reading) => !readings.has(reading.text));
  }
  return [...readings.values()];
}

/** The text with white space and control characters collapsed, as it is compared. */
export function plainText(text: string): string {
  return text.replace(WHITE_SPACE.pattern, WHITE_SPACE.meaning).trim();
}

function plain(reading: Reading): Reading {
  return read(reading, WHITE_SPACE);
}

function read(from: Reading, { pattern, meaning }: Spelling): Reading {
  let text = "";
  const origins: number[] = [];
  let at = 0;
  const take = (meant: string, begins: (index: number) => number) => {
    for (let index = 0; index < meant.length; index += 1) origins.push(from.origins[begins(index)] ?? 0);
    text += meant;
  };
  for (const match of from.text.matchAll(pattern)) {
    take(from.text.slice(at, match.index), (index) => at + index);
    take(meaning(match[0]), () => match.index);
    at = match.index + match[0].length;
  }
  take(from.text.slice(at), (index) => at + index);
  return { text, origins: [...origins, from.origins.at(-1) ?? 0] };
}
