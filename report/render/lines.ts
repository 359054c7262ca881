import { escapeMarkdown } from "pulumi-clouddb-facts";
import { formatValue, joinFirst } from "../analyze/values";
import type { PropertyChange } from "../json-report";

const LONGEST_LINE = 600;
const LONGEST_VALUE = 400;
const LONGEST_NAME = 80;

/**
 * The text of a list item, limited to a number of bytes. Escapes a first character that would start
 * a list or rule. Trimmed, since indented text would be code.
 */
export function escapeLine(text: string, bytes = Number.POSITIVE_INFINITY): string {
  const escaped = escapeWithin(shorten(text, LONGEST_LINE), bytes).trimStart();
  return escaped.replace(
    /^(\d*)([-+=.)])/,
    (_, before, mark) => `${before}&#${mark.charCodeAt(0)};`,
  );
}

/** Limits the escaped text, since an escaped character may take eight bytes. */
function escapeWithin(text: string, bytes: number): string {
  const whole = escapeMarkdown(text);
  if (Buffer.byteLength(whole) <= bytes) return whole;
  let end = 0;
  let used = 0;
  for (const character of text) {
    // Some characters are only escaped before others.
    used +=
      Buffer.byteLength(escapeMarkdown(character)) +
      (/[:w]/.test(character) ? "&#8203;".length : 0);
    if (used > bytes) break;
    end += character.length;
  }
  return `${escapeMarkdown(text.slice(0, end))}…`;
}

/** A name or value as code. The limit in bytes excludes the markup. */
export function codeSpan(text: string, bytes = Number.POSITIVE_INFINITY): string {
  return `<code>${escapeWithin(text, bytes)}</code>`;
}

export function nameSpan(text: string): string {
  return codeSpan(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text);
}

export function nameList(all: readonly string[], most: number): string {
  return joinFirst(all.map(nameSpan), most);
}

function valueSpan(item: unknown): string {
  return codeSpan(shorten(formatValue(item)));
}

/** A plus sign as an entity, since a plain one would start a nested list. */
const PLUS = "&#43;";
const MOST_ENTRIES = 20;

export function propertyText({
  place,
  before,
  after,
  entries,
  replaces,
  isReleased,
}: PropertyChange): string {
  const because = replaces ? " **(requires replacement)**" : "";
  const title = codeSpan(shorten(place, LONGEST_NAME));
  if (isReleased)
    return `${title}: no longer managed; the server keeps its current value (last declared: ${valueSpan(before)})`;
  if (entries)
    return `${title}${because}:${entryLines("−", entries.removed)}${entryLines(PLUS, entries.added)}`;
  if (before === undefined) return `${title}: ${valueSpan(after)}${because}`;
  const [was, is] = [formatValue(before), formatValue(after)];
  const [old, now] = shortenPair(was, is);
  return `${title}: ${was === is ? `${codeSpan(old)} changed` : `${codeSpan(old)} → ${codeSpan(now)}`}${because}`;
}

function entryLines(sign: string, entries: readonly unknown[]): string {
  const rest = entries.length - MOST_ENTRIES;
  const lines = entries.slice(0, MOST_ENTRIES).map((entry) => `\n  - ${sign} ${valueSpan(entry)}`);
  return lines.join("") + (rest > 0 ? `\n  - ${sign} … and ${rest} more` : "");
}

/** Shortens a long text and adds its length. */
function shorten(text: string, most = LONGEST_VALUE): string {
  return text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;
}

const CONTEXT = 40;

/** Shortens two long texts to start at their first difference. */
export function shortenPair(before: string, after: string): readonly [string, string] {
  if (Math.max(before.length, after.length) <= LONGEST_VALUE) return [before, after];
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  const start = Math.max(0, same - CONTEXT);
  const part = (text: string) => (start > 0 ? "…" : "") + shorten(text.slice(start));
  return [part(before), part(after)];
}
