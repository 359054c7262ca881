import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root";

/** Reads the blocks of commands in workflows. */

/** The first line of a block of commands. */
const BLOCK = /^\s*(?:-|run:|- bash:) ?\|$/;

/** The block of commands behind a line of a workflow, without its indentation. */
export function blockBehind(file: string, line: string, from = 0): string {
  const lines = linesOf(file);
  const start = lines.findIndex((text, index) => index >= from && text.includes(line));
  if (start === -1) throw new Error(`${file} has no line with ${line}`);
  const begin = lines.findIndex((line, index) => index >= start && BLOCK.test(line)) + 1;
  const indent = /^ */.exec(lines[begin] ?? "")?.[0] ?? "";
  const rest = lines.slice(begin);
  const end = rest.findIndex((text) => text !== "" && !text.startsWith(indent));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .map((text) => text.slice(indent.length))
    .join("\n");
}

/** The block of commands around a line. */
export function blockAround(file: string, line: string): string {
  const lines = linesOf(file);
  const at = lines.findIndex((text) => text.includes(line));
  if (at === -1) throw new Error(`${file} has no line with ${line}`);
  const starts = lines.flatMap((line, index) => (index < at && BLOCK.test(line) ? [index] : []));
  const begin = starts.at(-1) ?? 0;
  return blockBehind(file, lines[begin] ?? "", begin);
}

/** The text of a job, from its name to that of the next one. */
export function jobIn(file: string, name: string): string {
  const lines = linesOf(file);
  const start = lines.findIndex((line) => new RegExp(`^ *(?:- job: ${name}|${name}:)$`).test(line));
  const indent = /^ */.exec(lines[start] ?? "")?.[0].length ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((text) => text.trim() !== "" && text.search(/\S/) <= indent);
  return rest.slice(0, end === -1 ? undefined : end).join("\n");
}

function linesOf(file: string): string[] {
  return readFileSync(join(root, file), "utf8").split("\n");
}
