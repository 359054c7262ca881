import { decodeEntity, ENTITY, plainText, toPrinted, UNPRINTED } from "./text";

/** Shorter texts are not searched for: they are part of too many words. */
const MIN_SECRET_LENGTH = 3;
/** Texts of this length are secrets anywhere, even inside a word. */
const LONG_SECRET_LENGTH = 8;
/** The shortest beginning of a secret that is redacted at the end of a text. */
const MIN_PREFIX_LENGTH = 4;
/** Encodings inside each other: a body as JSON, in a text in JSON, in an address, and one more. */
const MAX_DEPTH = 4;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Names in our sentences: ids, paths of requests, settings, codes, and redacted secrets. */
const NAMES = new RegExp(
  `${UUID.source}|/(?:v1|api/v2)/[^\\s,)]+|clouddb:\\w+|\\[(?:secret|CDB\\d{4})\\]`,
  "gi",
);
/** Possible names of nested arguments. */
const DOTTED = /\b[a-z]\w*(?:\.\w+)+/gi;
/** Words, with the characters that join them. */
const WORDS = /[\p{L}\p{N}_%/:.-]*[\p{L}\p{N}_%]/gu;
/** The end of a text that was cut: half of an escape or a character, the end of a quotation, and an ellipsis. */
const CUT = /(?:\\(?:u[\da-f]{0,3})?|(?:%[\da-f]{0,2}){1,3})?[\s.…\ufffd"'`)\]}]*$/i;
const MAX_CUT_LENGTH = 100;
/** Without such a character, a text holds a secret only as plain text. */
const ESCAPES = /[\\%&<+]/;

/** Redacts known secrets in any spelling. */
export function createRedactor() {
  const known = new Set<string>();
  const ownNames = new Set<string>();

  /** A quick test: reading a text in every spelling takes much longer, and there may be many texts. */
  function mayHoldSecret(text: string): boolean {
    const plain = plainText(text);
    return [...known].some(
      (secret) => ESCAPES.test(text) || plain.includes(secret.slice(0, MIN_PREFIX_LENGTH)),
    );
  }

  /** Masks the parts of a text that read as a secret, unless they belong to a longer name. */
  function mask(
    text: string,
    find: typeof placesOf,
    namesAround: (secret: string) => readonly Part[],
  ): string {
    if (!mayHoldSecret(text)) return text;
    const parts = readingsOf(text).flatMap((reading) =>
      [...known].flatMap((secret) =>
        find(secret, reading).filter(
          (part) => !namesAround(secret).some((name) => isInside(part, name)),
        ),
      ),
    );
    let masked = "";
    let at = 0;
    for (const [from, to] of parts.sort(([one], [other]) => one - other)) {
      if (from >= at) masked += `${text.slice(at, from)}[secret]`;
      at = Math.max(at, to);
    }
    return masked + text.slice(at);
  }

  return {
    addSecrets(secrets: readonly (string | undefined)[]): void {
      for (const part of secrets.flatMap(partsOf))
        if (part.length >= MIN_SECRET_LENGTH) known.add(part);
    },
    /** Exempts the names of arguments in our own sentences, such as `source.kafka.credentials`. */
    addNames(names: readonly string[]): void {
      for (const name of names) ownNames.add(name);
    },
    /** Redacts a foreign text: every spelling of a secret, and the beginning of a secret at the text's end. */
    redact(text: string): string {
      const ids = partsLike(UUID, text);
      return mask(
        text,
        (...search) => [...placesOf(...search), ...cutBeginning(...search)],
        () => ids,
      );
    },
    /** Redacts our own sentence, whose quotations are already redacted: ids, paths and names stay whole. */
    redactOwn(text: string): string {
      const ownArguments = partsLike(DOTTED, text).filter(([from, to]) =>
        ownNames.has(text.slice(from, to)),
      );
      const names = [...partsLike(NAMES, text), ...ownArguments];
      const words = [...names, ...partsLike(WORDS, text)];
      // An id that is a secret is redacted in paths, too.
      const namesAround = (secret: string) =>
        secret.length < LONG_SECRET_LENGTH ? words : secret.replace(UUID, "") === "" ? [] : names;
      return mask(text, placesOf, namesAround);
    },
  };
}

/** A secret on one line, and each of its lines that is a secret by itself. */
function partsOf(secret = ""): string[] {
  const isSecret = (line: string) =>
    line.length >= LONG_SECRET_LENGTH && !/^-+(BEGIN|END) [A-Z ]+-+$/.test(line);
  return [secret, ...secret.split(/[\r\n]+/).filter(isSecret)].map((text) =>
    plainText(text).trim(),
  );
}

/** The positions of a part's first character, and of the character after its last one. */
type Part = readonly [from: number, to: number];

function partsLike(pattern: RegExp, text: string): Part[] {
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
}

function isInside([from, to]: Part, [start, end]: Part): boolean {
  return start <= from && to <= end && end - start > to - from;
}

/** A possible reading of a text, with the place of each of its characters, and of its end, in the original. */
interface Reading {
  readonly text: string;
  readonly places: readonly number[];
}

function placesOf(secret: string, { text, places }: Reading): Part[] {
  const parts: Part[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    parts.push([places[at] ?? 0, places[at + secret.length] ?? 0]);
  }
  return parts;
}

/** The end of a text that was cut in the middle of a secret. */
function cutBeginning(secret: string, { text, places }: Reading): Part[] {
  const start = secret.slice(0, MIN_PREFIX_LENGTH);
  if (!text.includes(start, text.length - secret.length - MAX_CUT_LENGTH)) return [];
  const end = text.length - (CUT.exec(text.slice(-MAX_CUT_LENGTH))?.[0].length ?? 0);
  let at = text.indexOf(start, Math.max(0, end - secret.length + 1));
  while (at >= 0 && !secret.startsWith(text.slice(at, end))) at = text.indexOf(start, at + 1);
  return at < 0 || end - at < MIN_PREFIX_LENGTH ? [] : [[places[at] ?? 0, places.at(-1) ?? 0]];
}

/** The percent-encoded bytes of one character. */
const BYTES =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}/gi;
/** Invalid bytes become a replacement character instead of an exception. */
const characterOf = (bytes: string) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString();

type Spelling = readonly [pattern: RegExp, decode: (spelled: string) => string];

/** Spellings of a text within another: in JSON, in addresses and forms, and in HTML. */
const SPELLINGS: readonly Spelling[] = [
  [
    /\\(?:u[\da-fA-F]{4}|["'\\/bfnrt])/g,
    (escaped) => (escaped === "\\'" ? "'" : JSON.parse(`"${escaped}"`)),
  ],
  [BYTES, characterOf],
  [new RegExp(`${BYTES.source}|\\+`, "gi"), (match) => (match === "+" ? " " : characterOf(match))],
  [ENTITY, decodeEntity],
  // A tag behind a secret is not part of it.
  [/(?<!>)(?:<[a-z/!?][^<>]*>)+(?=[^<])/gi, () => ""],
];
const ON_MORE_LINES: Spelling = [UNPRINTED, toPrinted];

/** The text on one line, and with its escapes resolved in any order. */
function readingsOf(text: string): Reading[] {
  const places = Array.from({ length: text.length + 1 }, (_, index) => index);
  let latest = [decode({ text, places }, ON_MORE_LINES)];
  const readings = new Map(latest.map((reading) => [reading.text, reading]));
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const { size } = readings;
    const decoded = latest.flatMap((reading) =>
      SPELLINGS.map((spelling) => decode(reading, spelling)),
    );
    for (const reading of decoded.map((part) => decode(part, ON_MORE_LINES)))
      readings.set(reading.text, reading);
    latest = [...readings.values()].slice(size);
  }
  return [...readings.values()];
}

function decode({ text, places }: Reading, [pattern, meaningOf]: Spelling): Reading {
  const decoded: (readonly number[])[] = [];
  let at = 0;
  const reading = text.replace(pattern, (spelled, ...rest) => {
    const index: number = rest.at(-2);
    const meaning = meaningOf(spelled);
    decoded.push(places.slice(at, index), Array(meaning.length).fill(places[index]));
    at = index + spelled.length;
    return meaning;
  });
  return { text: reading, places: at === 0 ? places : [...decoded.flat(), ...places.slice(at)] };
}
