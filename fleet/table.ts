import { escapeMarkdown } from "clouddb-report";

export type Row = readonly string[];

/** Columns padded to their widest cell, for terminals and logs. */
export function textTable(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = [head, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

export function markdownTable(head: Row, rows: readonly Row[]): string {
  const line = (cells: Row) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
  return `${[line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n")}\n`;
}

const PAST: Readonly<Record<string, string>> = {
  create: "created",
  import: "imported",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
};

/** The operations that are counted. */
export const OPERATIONS = Object.keys(PAST);

/** `1 to create, 2 to update` in a preview, otherwise `1 created, 2 updated`. */
export function changesText(changes: Readonly<Record<string, number>>, isPreview: boolean): string {
  const known = OPERATIONS.filter((operation) => changes[operation]);
  return known.map((text) => `${changes[text]} ${isPreview ? `to ${text}` : PAST[text]}`).join(", ");
}

export function stacksText(count: number): string {
  return count === 1 ? "1 stack" : `${count} stacks`;
}

export function durationText(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/**
 * The first sentence of a reason, which says nothing about how to fix it. After a line that ends with a colon, the next
 * line that is not indented belongs to it.
 */
export function firstSentence(text: string): string {
  const lines = text
    .split("\n")
    .filter((line) => /^\S/.test(line))
    .map((line) => line.trimEnd());
  const last = lines.findIndex((line) => !line.endsWith(":"));
  const head = lines.slice(0, last + 1 || lines.length).join(" ");
  return /^.*?\.(?= [A-Z`])/.exec(head)?.[0] ?? head;
}
