import { existsSync } from "node:fs";
import { join } from "node:path";
import { SetupError } from "../support/progress";
import { root, textOf } from "../support/repository";

/**
 * The languages of programs, in the order of pages: the name of the code block, and the title on
 * the site.
 */
export const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "TypeScript",
  python: "Python",
  go: "Go",
  csharp: "C#",
  java: "Java",
  yaml: "YAML",
};

/**
 * Matches a program in several languages. GitHub folds all but the first, and the site shows tabs.
 */
export const EXAMPLE = /<!-- languages(?:: ([\w.-]+))? -->\n([\s\S]*?)<!-- end: languages -->/g;
const CODE = /^```(\w+)\n([\s\S]*?)\n```$/gm;

/** A program on a page, by language. Programs of guides have names. */
export interface Example {
  readonly name: string;
  readonly codes: Readonly<Record<string, string>>;
}

/** The programs of a page. */
export function examplesOn(page: string): Example[] {
  return [...textOf(page).matchAll(EXAMPLE)].map(([, name = "", part = ""]) => ({
    name,
    codes: Object.fromEntries(
      [...part.matchAll(CODE)].map(([, language = "", code = ""]) => [language, code]),
    ),
  }));
}

/** The page of a class or function, with its handwritten programs. */
export function referencePage(name: string): string {
  const page = `docs/reference/${name}.md`;
  if (existsSync(join(root, page)) && examplesOn(page).length > 0) return page;
  throw new SetupError(
    `${page} has no program. Write one in each language, between <!-- languages --> and <!-- end: languages -->, and build again.`,
  );
}

/** The programs of a class or function, as shown on its page. */
export const exampleParts = (name: string) => textOf(referencePage(name)).match(EXAMPLE) ?? [];

const TITLE = /^\/\/ (.*)\.\n/;

/** The programs of a class or function for a package schema. Each language's SDK shows its own. */
export function examplesInSchema(name: string): string {
  const examples = examplesOn(referencePage(name)).map(({ codes }) => {
    const [, title] = TITLE.exec(codes.ts ?? "") ?? [];
    const blocks = Object.entries(codes).map(
      ([language, code]) =>
        `\`\`\`${language.replace(/^ts$/, "typescript")}\n${code.replace(TITLE, "")}\n\`\`\`\n\n`,
    );
    return `{{% example %}}\n${title ? `### ${title}\n\n` : ""}${blocks.join("")}{{% /example %}}\n`;
  });
  return `\n\n{{% examples %}}\n## Example Usage\n\n${examples.join("\n")}{{% /examples %}}`;
}
