import type { Outcome } from "../../engine/support/stack";
import { type Block, blocksOf } from "./markdown";

export const isShell = ({ language }: Block) => ["sh", "bash", "shell"].includes(language);
export const reasonOf = ({ directive = "" }: Block) => /^not run, (because .+)$/s.exec(directive)?.[1];

/** Runs the commands of a page and writes its files. Returns the output of each command. */
export async function follow(
  page: string,
  run: (block: Block) => Promise<Outcome>,
  blocks: readonly Block[] = blocksOf(page),
): Promise<string[]> {
  const printed: string[] = [];
  for (const block of blocks) {
    const isFile = block.directive?.startsWith("the file ");
    if (reasonOf(block) !== undefined || !(isShell(block) || isFile)) continue;
    const { code, output } = await run(block);
    if (code !== 0) throw new Error(`${page}:${block.line} ended with ${code}:\n${block.text}\n${output}`);
    printed.push(output);
  }
  return printed;
}
