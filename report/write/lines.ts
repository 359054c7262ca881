import type { PropertyChange } from "../judge/properties";
import { shown } from "../judge/values";
import type { Operation } from "../preview";
import { code, plain, plainWithin } from "./escape";
import { shortened, shortenedPair } from "./fit";

/** Lines of a report: texts of others, shortened and escaped. */

export const SIGNS: Readonly<Record<Operation, string>> = {
  create: "➕",
  update: "✏️",
  replace: "♻️",
  delete: "🗑️",
  forget: "👋",
  read: "👁️",
  import: "📥",
  discard: "✖️",
  same: "",
};

const LONGEST_LINE = 600;
const LONGEST_NAME = 80;

/** An item's text: what would begin a list or a rule of its own is an entity. */
export function line(text: string): string {
  return harmlessStart(plain(shortened(text, LONGEST_LINE)));
}

/** The same within so many bytes, however long its escaped characters are. */
export function lineWithin(text: string, bytes: number): string {
  return harmlessStart(plainWithin(text, bytes));
}

function harmlessStart(escaped: string): string {
  return escaped.replace(/^(\s*\d*)([-+=.)])/, (_, before, mark) => `${before}&#${mark.charCodeAt(0)};`);
}

/** A name of others. */
export function name(text: string): string {
  return code(text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text);
}

export function names(all: readonly string[], most: number): string {
  const rest = all.length - most;
  return all.slice(0, most).map(name).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function value(each: unknown): string {
  return code(shortened(shown(each)));
}

/** As an entity: at the beginning of an item a plus begins another list. */
const PLUS = "&#43;";
const MOST_ENTRIES = 20;

export function propertyText(property: PropertyChange): string {
  const { place, before, after, entries, replaces, isReleased, sources } = property;
  const from = sources.length > 0 ? ` from ${names(sources, 5)}` : "";
  const because = `${from}${replaces ? " **(only a new one can have it)**" : ""}`;
  const title = code(shortened(place, LONGEST_NAME));
  if (isReleased) return `${title}: no longer managed; stays as it is, last declared as ${value(before)}`;
  if (entries) {
    const { removed, added } = entries;
    return `${title}${because}:${entryLines("−", removed)}${entryLines(PLUS, added)}`;
  }
  if (before === undefined) return `${title}: ${value(after)}${because}`;
  const [old, now] = shortenedPair(shown(before), shown(after));
  const isHidden = shown(before) === shown(after);
  return `${title}: ${isHidden ? `${code(old)} changed` : `${code(old)} → ${code(now)}`}${because}`;
}

function entryLines(sign: string, entries: readonly unknown[]): string {
  const rest = entries.length - MOST_ENTRIES;
  const lines = entries.slice(0, MOST_ENTRIES).map((entry) => `\n  - ${sign} ${value(entry)}`);
  return lines.join("") + (rest > 0 ? `\n  - ${sign} … and ${rest} more` : "");
}
