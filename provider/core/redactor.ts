import { isAbsolute } from "node:path";
import { encodedKey } from "../api/http";
import { plainText, type Reading, readingsOf } from "./spellings";

/** Shorter texts are not searched for: they stand in too many words. */
const MIN_SECRET_LENGTH = 3;
/** Texts of this length are secrets wherever they stand, even inside of a word. */
const LONG_SECRET_LENGTH = 8;
/** So much of a secret's beginning is redacted where a text ends. */
const MIN_PREFIX_LENGTH = 4;

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Names in our sentences: ids, paths of requests, settings, codes, and redacted secrets. */
const NAMES = new RegExp(`${UUID.source}|/(?:v1|api/v2)/[^\\s,)]+|clouddb:\\w+|\\[(?:secret|CDB\\d{4})\\]`, "gi");
/** Possible names of nested arguments. */
const DOTTED = /\b[a-z]\w*(?:\.\w+)+/gi;
/** Words, and what is joined to them. */
const WORDS = /[\p{L}\p{N}_%/:.-]*[\p{L}\p{N}_%]/gu;

/** Redacts known secrets in any spelling. */
export interface Redactor {
  readonly addSecrets: (secrets: readonly (string | undefined)[]) => void;
  /** Exempt the names of arguments in our own sentences, such as `source.kafka.credentials`. */
  readonly addNames: (names: readonly string[]) => void;
  /** Redact a text of others: every spelling of a secret, and the beginning of one at a cut end. */
  readonly redact: (text: string) => string;
  /** Redact our own sentence, whose quotations are redacted already: ids, paths and names stay whole. */
  readonly redactOwn: <Text extends string>(text: Text) => Text;
}

/** A part of a text, from a place to before another. */
type Part = readonly [from: number, to: number];

export function createRedactor(): Redactor {
  const known = new Set<string>();
  const ownNames = new Set<string>();
  return {
    addNames(names) {
      for (const name of names) ownNames.add(name);
    },
    addSecrets(secrets) {
      for (const part of secrets.flatMap((secret = "") => partsOf(secret))) {
        if (part.length >= MIN_SECRET_LENGTH) known.add(part);
      }
    },
    redact(text) {
      const ids = partsLike(UUID, text);
      const matches = readingsOf(text).flatMap((reading) =>
        [...known].flatMap((secret) => [...placesOf(secret, reading), ...cutBeginning(secret, reading)]),
      );
      return without(
        text,
        matches.filter((part) => !isInside(part, ids)),
      );
    },
    redactOwn<Text extends string>(text: Text) {
      const ownArguments = partsLike(DOTTED, text).filter(([from, to]) => ownNames.has(text.slice(from, to)));
      const names = [...partsLike(NAMES, text), ...ownArguments];
      const words = partsLike(WORDS, text);
      const matches = readingsOf(text).flatMap((reading) =>
        [...known].flatMap((secret) => {
          // An id of the program's own is a secret also in the path of a request.
          const own = isUuid(secret) ? [] : names;
          const parts = secret.length < LONG_SECRET_LENGTH ? [...own, ...words] : own;
          return placesOf(secret, reading).filter((part) => !isInside(part, parts));
        }),
      );
      return without(text, matches) as Text;
    },
  };
}

/** The texts among arguments, also in small letters, in which a request carries ids. */
export function idsIn(args: object): string[] {
  const ids = Object.values(args).filter((value): value is string => typeof value === "string");
  return ids.flatMap((id) => [id, id.toLowerCase()]);
}

/** A text without these ids. */
export function withoutIds(text: string, ids: readonly string[]): string {
  const redactor = createRedactor();
  redactor.addSecrets(idsIn(ids));
  return redactor.redact(text);
}

/** The settings that hold secrets. */
interface Credentials {
  readonly keyId?: string;
  readonly keySecret?: string;
  readonly accessToken?: string;
  readonly rateLimitUrl?: string;
  readonly journal?: string;
}

/** The secrets that are sent to servers, as they are and as a server sees them. */
export function credentialSecrets({
  keyId = "",
  keySecret,
  accessToken,
  rateLimitUrl,
  journal,
}: Credentials): string[] {
  const encoded = keySecret === undefined ? [] : [keySecret, encodedKey(keyId, keySecret).replace(/=+$/, "")];
  // A journal without a password is a place, which messages name.
  const servers = [rateLimitUrl, passwordIn(journal) === "" ? undefined : journal];
  const ofServers = servers.flatMap((url) => [url, passwordIn(url), decodeURIComponent(passwordIn(url))]);
  return [...encoded, accessToken, ...ofServers].filter((text) => text !== undefined && text !== "") as string[];
}

function passwordIn(url: string | undefined): string {
  return url === undefined || isAbsolute(url) || !URL.canParse(url) ? "" : new URL(url).password;
}

/** The whole, and each line that is a secret by itself. */
function partsOf(secret: string): string[] {
  const lines = secret.split(/[\r\n]+/).map(plainText);
  const telling = lines.filter((line) => line.length >= LONG_SECRET_LENGTH && !/^-+(BEGIN|END) [A-Z ]+-+$/.test(line));
  return [plainText(secret), ...telling];
}

function placesOf(secret: string, { text, origins }: Reading): Part[] {
  const parts: Part[] = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    parts.push([origins[at] ?? 0, origins[at + secret.length] ?? 0]);
  }
  return parts;
}

/** The end of a text that was cut in the middle of a secret. */
function cutBeginning(secret: string, { text, origins }: Reading): Part[] {
  const end = cutEnd(text);
  for (let length = Math.min(secret.length - 1, end); length >= MIN_PREFIX_LENGTH; length -= 1) {
    if (text.endsWith(secret.slice(0, length), end)) return [[origins[end - length] ?? 0, origins.at(-1) ?? 0]];
  }
  return [];
}

/** Before an ellipsis, what closes a quotation, and half of an escape or of a character. */
function cutEnd(text: string): number {
  let end = text.length;
  while (end > 0 && " .…\ufffd\"'`)]}".includes(text.charAt(end - 1))) end -= 1;
  const last = text.slice(Math.max(0, end - 9), end);
  return end - (/(?:\\(?:u[\da-f]{0,3})?|(?:%[\da-f]{0,2}){1,3})$/i.exec(last)?.[0].length ?? 0);
}

function isUuid(text: string): boolean {
  return partsLike(UUID, text).some(([from, to]) => to - from === text.length);
}

function partsLike(pattern: RegExp, text: string): Part[] {
  return [...text.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);
}

function isInside([from, to]: Part, wholes: readonly Part[]): boolean {
  return wholes.some(([start, end]) => start <= from && to <= end && end - start > to - from);
}

/** The text with one mark for all parts that overlap. */
function without(text: string, parts: readonly Part[]): string {
  let line = "";
  let at = 0;
  for (const [from, to] of [...parts].sort(([one], [other]) => one - other)) {
    if (from >= at) line += `${text.slice(at, from)}[secret]`;
    at = Math.max(at, to);
  }
  return line + text.slice(at);
}
