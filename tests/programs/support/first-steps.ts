import { type Block, blocksOf } from "./markdown";

const page = "docs/getting-started.md";
const LANGUAGES = ["TypeScript", "Python", "Go", "YAML"] as const;
/** What only users of TypeScript go on with. */
const TYPESCRIPT_ONLY = ["Create a project from a template"];

/** The page of the first steps, and its blocks for a reader who uses one language. */
export function firstSteps(language: (typeof LANGUAGES)[number]): { page: string; blocks: Block[] } {
  const others: readonly string[] = LANGUAGES.filter((name) => name !== language);
  const left = language === "TypeScript" ? others : [...others, ...TYPESCRIPT_ONLY];
  return { page, blocks: blocksOf(page).filter(({ heading }) => !left.includes(heading)) };
}
