import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../support/root";
import { BLOCK, blockBehind as blockIn } from "../../../support/workflow";

/** Reads the blocks of commands in the workflows of examples/ci. */

const examples = join(root, "examples/ci");

export const blockBehind = (file: string, line: string, from?: number) => blockIn(`examples/ci/${file}`, line, from);

/** The block of commands around a line. */
export function blockAround(file: string, line: string): string {
  const lines = readFileSync(join(examples, file), "utf8").split("\n");
  const at = lines.findIndex((text) => text.includes(line));
  if (at === -1) throw new Error(`${file} has no line with ${line}`);
  const starts = lines.flatMap((line, index) => (index < at && BLOCK.test(line) ? [index] : []));
  const begin = starts.at(-1) ?? 0;
  return blockBehind(file, lines[begin] ?? "", begin);
}

/** The text of a job, from its name to that of the next one. */
export function jobIn(file: string, name: string): string {
  const lines = readFileSync(join(examples, file), "utf8").split("\n");
  const start = lines.findIndex((line) => new RegExp(`^ *(?:- job: ${name}|${name}:)$`).test(line));
  const indent = /^ */.exec(lines[start] ?? "")?.[0].length ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((text) => text.trim() !== "" && text.search(/\S/) <= indent);
  return rest.slice(0, end === -1 ? undefined : end).join("\n");
}
