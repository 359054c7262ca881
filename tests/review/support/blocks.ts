import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads the blocks of commands in the workflows of examples/ci. */

const examples = join(__dirname, "../../../examples/ci");

const BLOCK = /^\s*(?:-|run:|- bash:) ?\|$/;

/** The block of commands behind a line of a workflow, without its indentation. */
export function blockBehind(file: string, line: string, from = 0): string {
  const lines = readFileSync(join(examples, file), "utf8").split("\n");
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

/** The block of commands around a line. */
export function blockAround(file: string, line: string): string {
  const lines = readFileSync(join(examples, file), "utf8").split("\n");
  const at = lines.findIndex((each) => each.includes(line));
  if (at === -1) throw new Error(`${file} has no line with ${line}`);
  const starts = lines.flatMap((each, index) => (index < at && BLOCK.test(each) ? [index] : []));
  const begin = starts.at(-1) ?? 0;
  return blockBehind(file, lines[begin] ?? "", begin);
}

/** The text of a job, from its name to that of the next one. */
export function jobIn(file: string, name: string): string {
  const lines = readFileSync(join(examples, file), "utf8").split("\n");
  const start = lines.findIndex((each) => new RegExp(`^ *(?:- job: ${name}|${name}:)$`).test(each));
  const indent = /^ */.exec(lines[start] ?? "")?.[0].length ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((each) => each.trim() !== "" && each.search(/\S/) <= indent);
  return rest.slice(0, end === -1 ? undefined : end).join("\n");
}
