import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { OF_THE_REGISTRY } from "../../../tools/docs/site-map";
import { root } from "../../support/root";

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of its first line of code, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** The heading above the block. */
  readonly heading: string;
  /** The text of the comment `<!-- test: … -->` right before it. */
  readonly directive: string | undefined;
}

/** The pages that users and contributors read. */
export function pages(): string[] {
  const folders = ["facts", "provider", "policies", "report", "fleet", "simulator", "examples"];
  const documents = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const readmes = folders.map((folder) => `${folder}/README.md`);
  const isPage = (name: string) => name.endsWith(".md") && !OF_THE_REGISTRY.includes(name);
  const inDocs = documents.filter(isPage).map((name) => `docs/${name}`);
  return [
    "README.md",
    "CONTRIBUTING.md",
    "provider/skills/pulumi-clouddb/SKILL.md",
    ...readmes,
    ...inDocs.sort(),
  ];
}

/** A command that stands on no page. */
export const command = (text: string): Block => ({
  page: "",
  line: 0,
  language: "sh",
  text,
  heading: "",
  directive: undefined,
});

export function blocksOf(page: string): Block[] {
  const tokens = new MarkdownIt({ html: true }).parse(readFileSync(join(root, page), "utf8"), {});
  let heading = "";
  return tokens.flatMap((token, index) => {
    if (token.type === "heading_open") heading = tokens[index + 1]?.content ?? "";
    if (token.type !== "fence") return [];
    const before = tokens[index - 1];
    const [, directive] =
      (before?.type === "html_block" && /<!-- test: (.*?) -->\s*$/s.exec(before.content)) || [];
    const [language = ""] = token.info.trim().split(" ");
    return [
      { page, line: (token.map?.[0] ?? 0) + 2, language, text: token.content, heading, directive },
    ];
  });
}
