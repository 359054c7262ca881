import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../support/repository";

interface Language {
  readonly title: string;
  readonly fence: string;
  readonly registryName: string;
}

/** The languages of examples, in the order in which pages show them, by the ending of their files. */
export const LANGUAGES: Readonly<Record<string, Language>> = {
  ts: { title: "TypeScript", fence: "ts", registryName: "typescript" },
  py: { title: "Python", fence: "python", registryName: "python" },
  go: { title: "Go", fence: "go", registryName: "go" },
  cs: { title: "C#", fence: "csharp", registryName: "csharp" },
  java: { title: "Java", fence: "java", registryName: "java" },
  yaml: { title: "YAML", fence: "yaml", registryName: "yaml" },
};

/** A program in several languages, on pages that GitHub shows, too: on its own, or the named example of a guide. */
export const LANGUAGES_PART = /<!-- languages(?:: ([\w.-]+))? -->\n([\s\S]*?)<!-- end: languages -->/g;

/** An example in one language, as fenced code. */
interface ExampleCode extends Pick<Language, "title"> {
  readonly code: string;
}

export const examplesFolder = join(root, "docs", "reference", "examples");
const guidesFolder = join(root, "docs", "guides", "examples");

/** The examples of a class or function: `name`, then `name.situation`, whose first line says what it shows. */
function examplesNamed(name: string): string[] {
  const files = readdirSync(examplesFolder).filter((file) => file.endsWith(".ts"));
  return (
    files
      .map((file) => file.replace(/\.ts$/, ""))
      .filter((example) => example === name || example.startsWith(`${name}.`))
      // The basic example comes first.
      .sort((one, other) => one.length - other.length)
  );
}

/** The examples of a class or function in TypeScript. */
export function examplesOf(name: string): string[] {
  return examplesNamed(name).map((example) => codeOf(example, "ts"));
}

/** The examples of a class or function as a page shows them: GitHub folds all languages but the first. */
export function examplesIn(name: string): string {
  return examplesNamed(name).map(inLanguages).join("");
}

/** One example in each language. */
export function inLanguages(example: string): string {
  return `<!-- languages -->\n${folded(languagesOf(example))}<!-- end: languages -->\n\n`;
}

/** A guide with its examples, each where its name is. */
export function withGuideExamples(page: string): string {
  return page.replace(LANGUAGES_PART, (part, example?: string) => {
    if (example === undefined) return part;
    const codes = languagesOf(example, guidesFolder);
    if (codes.length === 0) throw new Error(`docs/guides/examples has no ${example}`);
    return `<!-- languages: ${example} -->\n${folded(codes)}<!-- end: languages -->`;
  });
}

function folded([first, ...others]: readonly ExampleCode[]): string {
  const details = others.map(
    ({ title, code }) => `<details>\n<summary>${title}</summary>\n\n${code}\n\n</details>\n\n`,
  );
  return `${first?.code}\n\n${details.join("")}`;
}

/** An example as fenced code, by language. */
function languagesOf(example: string, folder = examplesFolder): ExampleCode[] {
  return Object.entries(LANGUAGES)
    .filter(([extension]) => existsSync(join(folder, `${example}.${extension}`)))
    .map(([extension, { title, fence }]) => ({
      title,
      code: `\`\`\`${fence}\n${codeOf(example, extension, folder)}\n\`\`\``,
    }));
}

const TITLE = /^\/\/ (.*)\.\n/;

/** The examples of a class or function in a package schema. The SDK of a language shows those in that language. */
export function examplesInSchema(name: string): string {
  const examples = examplesNamed(name).map((example) => {
    const [, title] = TITLE.exec(codeOf(example, "ts")) ?? [];
    const codes = Object.entries(LANGUAGES).map(
      ([extension, { registryName: language }]) =>
        `\`\`\`${language}\n${codeOf(example, extension).replace(TITLE, "")}\n\`\`\`\n\n`,
    );
    return `{{% example %}}\n${title ? `### ${title}\n\n` : ""}${codes.join("")}{{% /example %}}\n`;
  });
  return `\n\n{{% examples %}}\n## Example Usage\n\n${examples.join("\n")}{{% /examples %}}`;
}

function codeOf(example: string, extension: string, folder = examplesFolder): string {
  return readFileSync(join(folder, `${example}.${extension}`), "utf8").trim();
}
