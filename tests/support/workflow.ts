import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root";

/** The first line of a block of commands. */
export const BLOCK = /^\s*(?:-|run:|- bash:) ?\|$/;

/** The block of commands behind a line of a workflow, without its indentation. */
export function blockBehind(file: string, line: string, from = 0): string {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const start = lines.findIndex((each, index) => index >= from && each.includes(line));
  if (start === -1) throw new Error(`${file} has no line with ${line}`);
  const begin = lines.findIndex((each, index) => index >= start && BLOCK.test(each)) + 1;
  const indent = /^ */.exec(lines[begin] ?? "")?.[0] ?? "";
  const rest = lines.slice(begin);
  const end = rest.findIndex((each) => each !== "" && !each.startsWith(indent));
  return rest
    .slice(0, end === -1 ? undefined : end)
    .map((each) => each.slice(indent.length))
    .join("\n");
}
