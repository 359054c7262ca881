import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root";

/** The first line of a block of commands. */
export const BLOCK = /^\s*(?:-|run:|- bash:) ?\|$/;

/** The block of commands behind a line of a workflow, without its indentation. */
export function blockBehind(file: string, line: string, from = 0): string {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
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
