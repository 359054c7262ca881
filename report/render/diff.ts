import { formatValue } from "../analyze/values";
import type { Analysis, PropertyChange, ResourceChange } from "../json-report";
import { visibleText } from "./escape";
import { type Block, shorten, shortenPair } from "./fit";
import { verbOf } from "./lines";

/** The changes as a diff. */
export function diffSection({ changes }: Analysis): Block[] {
  const lines = changes.flatMap(changeLines).map(harmlessCode);
  if (lines.length === 0) return [];
  // A longer fence than any inside, so that nothing can end the block.
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)));
  const fence = "`".repeat(Math.min(longest + 1, 20));
  const head = `<details><summary>Diff</summary>\n\n${fence}diff\n`;
  return [{ head, lines, tail: `\n${fence}\n\n</details>`, rest: (count) => `# … and ${count} more lines` }];
}

const MARKS = { create: "+", import: "+", delete: "-", forget: "-", replace: "!", discard: "-" } as const;

function changeLines({ operation, path, name, properties }: ResourceChange): string[] {
  const mark = (MARKS as Readonly<Record<string, string>>)[operation] ?? "!";
  return [`${mark} ${verbOf(operation)} ${[...path, name].join(" / ")}`, ...properties.flatMap(propertyLines)];
}

function propertyLines({ place, before, after, entries, isReleased }: PropertyChange): string[] {
  if (isReleased) return [`#   ${place} is no longer managed`];
  if (entries) {
    const side = (mark: string, all: readonly unknown[]) =>
      all.map((entry) => `${mark}   ${place}: ${shorten(formatValue(entry))}`);
    return [...side("-", entries.removed), ...side("+", entries.added)];
  }
  const [old, now] = shortenPair(formatValue(before), formatValue(after));
  return [
    ...(before === undefined ? [] : [`-   ${place}: ${old}`]),
    ...(after === undefined ? [] : [`+   ${place}: ${now}`]),
  ];
}

/** Removes comments and everything that could end the block. */
function harmlessCode(text: string): string {
  return visibleText(text)
    .replace(/`{10,}/g, "`")
    .replace(/<!--/g, "<! --");
}
