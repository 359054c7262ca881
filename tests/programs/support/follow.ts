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

const FIRST_STEPS = "docs/getting-started.md";
const LANGUAGES = ["TypeScript", "Python", "Go", "YAML"] as const;
/** The steps after the first ones, which are for users of TypeScript. */
const TYPESCRIPT_ONLY = ["Create a project from a template"];

/** The page of the first steps, and its blocks for a reader who uses one language. */
export function firstSteps(language: (typeof LANGUAGES)[number]): { page: string; blocks: Block[] } {
  const others: readonly string[] = LANGUAGES.filter((name) => name !== language);
  const left = language === "TypeScript" ? others : [...others, ...TYPESCRIPT_ONLY];
  return { page: FIRST_STEPS, blocks: blocksOf(FIRST_STEPS).filter(({ heading }) => !left.includes(heading)) };
}
