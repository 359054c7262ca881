import { decodeEntity, ENTITY, plainText, toPrinted, UNPRINTED } from "./text";

/** Shorter texts are not redacted, since they are parts of many words. */
const MIN_SECRET_LENGTH = 3;
/** Texts of this length are redacted even inside of a word. */
const LONG_SECRET_LENGTH = 8;
/** The minimum length of a secret's start that is redacted at the end of a text. */
const MIN_PREFIX_LENGTH = 4;
/** Nested encodings: a body as JSON, in a text in JSON, in an address, and one more. */
const MAX_DEPTH = 4;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Names in this project's messages: ids, request paths, settings, codes, and redacted secrets. */
const NAMES = new RegExp(
  `${UUID.source}|/(?:v1|api/v2)/[^\\s,)]+|clouddb:\\w+|\\[(?:secret|CDB\\d{4})\\]`,
  "gi",
);
/** Matches possible names of nested arguments. */
const DOTTED = /\b[a-z]\w*(?:\.\w+)+/gi;
/** Matches words, including joining characters. */
const WORDS = /(?<![/:.-])[\p{L}\p{N}_%/:.-]*[\p{L}\p{N}_%]/gu;
/**
 * Matches the end of a truncated text: a partial escape or character, a closing quotation mark, an
 * ellipsis.
 */
const CUT = /^(?:\\(?:u[\da-f]{0,3})?|(?:%[\da-f]{0,2}){1,3})?[\s.…\ufffd"'`)\]}]*$/i;
const MAX_CUT_LENGTH = 100;
/** Matches an escaped JSON character, even if escaped repeatedly. */
const ESCAPED = /^\\+(["'/bfnrt])/;
/** Matches a character that may encode another one, or be skipped. */
const UNCERTAIN = new RegExp(`[\\\\%&+<]|${UNPRINTED.source}`);

/** Redacts known secrets in any spelling. */
export function createRedactor() {
  /** The secrets by first character. */
  const known = new Map<string, Set<string>>();
  const ownNames = new Set<string>();

  /** A fast test for a secret's start. */
  function mayBegin(text: string, from: number): boolean {
    const [first, second] = [text.charAt(from), text.charAt(from + 1)];
    for (const secret of known.get(first) ?? [])
      if (secret.charAt(1) === second || (second !== " " && UNCERTAIN.test(second))) return true;
    if (!"\\%&".includes(first)) return false;
    const [, meaning = SPELLINGS.get(first)?.(readerOf(text, from), 0)?.[0] ?? first] =
      ESCAPED.exec(text.slice(from, from + 16)) ?? [];
    return UNCERTAIN.test(meaning) || known.has(meaning.charAt(0));
  }

  /** Masks parts of a text that decode to a secret, unless they belong to a longer name. */
  function mask(text: string, isForeign: boolean, isInName: (...part: Part) => boolean): string {
    let masked = "";
    let end = 0;
    for (let from = 0; from < text.length; from += 1) {
      if (!mayBegin(text, from)) continue;
      let to = 0;
      const search = (source: Reader, spelling: string, depth: number) => {
        const { characters, read } = createReading(source, spelling);
        const [first, start] = read(0);
        let secrets = start === from ? [...(known.get(first) ?? [])] : [];
        for (let at = 1; secrets.length > 0; at += 1) {
          const [unit, place] = read(at);
          const isCut = isForeign && at >= MIN_PREFIX_LENGTH && isCutAt(read, at);
          for (const secret of secrets) {
            const last = secret.length === at ? place : isCut ? text.length : 0;
            if (last > to && !isInName(from, last, secret)) to = last;
          }
          secrets = secrets.filter((secret) => secret.length > at && secret.charAt(at) === unit);
        }
        let tried = "";
        let [stop, rounds] = [0, 0];
        // Reading a spelling adds characters to this loop, so depth and rounds are bounded.
        for (const [at, [unit]] of depth < MAX_DEPTH ? characters.entries() : []) {
          if (at === stop) [stop, rounds] = [characters.length, rounds + 1];
          if (rounds > 2 * MAX_DEPTH) break;
          if (tried.includes(unit) || !SPELLINGS.get(unit)?.(read, at)) continue;
          tried += unit;
          search(read, unit, depth + 1);
        }
      };
      search(readerOf(text, from), "", 0);
      if (to > 0 && from >= end) masked += `${text.slice(end, from)}[secret]`;
      end = Math.max(end, to);
    }
    return masked + text.slice(end);
  }

  return {
    addSecrets(secrets: readonly (string | undefined)[]): void {
      for (const part of secrets.flatMap(partsOf)) {
        if (part.length < MIN_SECRET_LENGTH) continue;
        const first = part.charAt(0);
        known.set(first, (known.get(first) ?? new Set()).add(part));
      }
    },
    /** Exempts argument names such as `source.kafka.credentials` in this project's messages. */
    addNames(names: readonly string[]): void {
      for (const name of names) ownNames.add(name);
    },
    /**
     * Redacts foreign text: every spelling of a secret, and a secret's start at the end of the
     * text.
     */
    redact(text: string): string {
      return mask(text, true, insideOf(UUID, text));
    },
    /**
     * Redacts a message of this project, whose quotations are already redacted. Ids, paths and
     * names stay whole.
     */
    redactOwn(text: string): string {
      const [isInName, isInWord] = [insideOf(NAMES, text), insideOf(WORDS, text)];
      const isInArgument = insideOf(DOTTED, text, (name) => ownNames.has(name));
      return mask(text, false, (...part) => {
        const [, , secret] = part;
        const isIn = isInName(...part) || isInArgument(...part);
        if (secret.length < LONG_SECRET_LENGTH) return isIn || isInWord(...part);
        // A secret id is also redacted in paths.
        return isIn && secret.replace(UUID, "") !== "";
      });
    },
  };
}

/** A secret as one line, and each of its lines that is long enough to be secret. */
function partsOf(secret = ""): string[] {
  const isSecret = (line: string) =>
    line.length >= LONG_SECRET_LENGTH && !/^-+(BEGIN|END) [A-Z ]+-+$/.test(line);
  return [secret, ...secret.split(/[\r\n]+/).filter(isSecret)].map((text) =>
    plainText(text).trim(),
  );
}

type Part = [from: number, to: number, secret: string];

/** Tests whether a part is inside of a longer match. Parts must come in order. */
function insideOf(pattern: RegExp, text: string, isName = (_: string) => true) {
  const matches = text.matchAll(pattern);
  let match: RegExpExecArray | undefined = matches.next().value;
  return (...[from, to]: Part): boolean => {
    while (match && match.index + match[0].length <= from) match = matches.next().value;
    if (!match || match.index > from || match.index + match[0].length < to) return false;
    return match[0].length > to - from && isName(match[0]);
  };
}

/** A UTF-16 unit with its position; empty at the end. */
type Character = readonly [unit: string, place: number];
type Reader = (at: number) => Character;

const readerOf =
  (text: string, from: number): Reader =>
  (at) => [text.charAt(from + at), Math.min(from + at, text.length)];

/** Decodes a text lazily, as one line. */
function createReading(source: Reader, spelling: string) {
  const starts = spelling === "+" ? "+%" : spelling;
  const characters: Character[] = [];
  let [next, isSpace] = [0, false];
  const read: Reader = (at) => {
    while (at >= characters.length) {
      const [unit, place] = source(next);
      if (unit === "") return [unit, place];
      const [meaning, length] = (starts.includes(unit) && SPELLINGS.get(unit)?.(source, next)) || [
        unit,
        1,
      ];
      next += length;
      for (const part of meaning.split("")) {
        const printed = part > " " && part <= "~" ? part : part.replace(UNPRINTED, toPrinted);
        if (printed !== "" && !(isSpace && printed === " ")) characters.push([printed, place]);
        isSpace = printed === " ";
      }
    }
    return characters[at] as Character;
  };
  return { characters, read };
}

function isCutAt(read: Reader, at: number): boolean {
  let rest = "";
  while (rest.length <= MAX_CUT_LENGTH && CUT.test(rest)) {
    const [unit] = read(at + rest.length);
    if (unit === "") return true;
    rest += unit;
  }
  return false;
}

/** An escape's meaning and length. */
type Spelling = (read: Reader, at: number) => readonly [string, number] | undefined;

/** Decodes escapes of up to 12 characters that match a pattern. */
function escapes(pattern: RegExp, meaningOf: (escaped: string) => string): Spelling {
  return (read, at) => {
    let [escaped] = read(at);
    while (!pattern.test(escaped)) {
      const [unit] = read(at + escaped.length);
      if (escaped.length > 11 || !/[%#;"'\\/\da-z]/i.test(unit)) return undefined;
      escaped += unit;
    }
    const meaning = meaningOf(escaped);
    return meaning === escaped ? undefined : [meaning, escaped.length];
  };
}

/** A tag after a secret does not belong to it. */
function skipTags(read: Reader, at: number): ReturnType<Spelling> {
  if (at === 0 || read(at - 1)[0] === ">") return undefined;
  let end = at;
  while (read(end)[0] === "<") {
    if (!/[a-z/!?]/i.test(read(end + 1)[0])) return undefined;
    do end += 1;
    while (/[^<>]/.test(read(end)[0]));
    if (read(end)[0] !== ">") return undefined;
    end += 1;
  }
  return read(end)[0] === "" ? undefined : ["", end - at];
}

/** Matches the percent-encoded bytes of one character. */
const BYTES =
  /^(?:%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3})/i;

/** Escapes in JSON, addresses, forms and HTML, by first character. */
const SPELLINGS = new Map<string, Spelling>([
  [
    "\\",
    escapes(/^\\(?:u[\da-fA-F]{4}|["'\\/bfnrt])/, (escaped) =>
      escaped === "\\'" ? "'" : JSON.parse(`"${escaped}"`),
    ),
  ],
  // Invalid bytes become replacement characters.
  ["%", escapes(BYTES, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString())],
  ["+", () => [" ", 1]],
  [" ", (read, at) => (read(at + 1)[0] === " " ? [" ", 2] : undefined)],
  ["&", escapes(new RegExp(`^${ENTITY.source}`, "i"), decodeEntity)],
  ["<", skipTags],
]);
