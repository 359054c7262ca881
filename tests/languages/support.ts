import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { examplesOn } from "../../tools/docs/examples";
import { pluginPath, type Stack } from "../engine/support/stack";
import { root } from "../support/root";

/** Programs in other languages, on the native plugin of the packed package. */

export type Language = "yaml" | "python" | "go" | "java";

/**
 * The reason that this machine cannot run a language; set by `npm test -- --selectProjects
 * languages`.
 */
const text = process.env.CLOUDDB_MISSING_LANGUAGES;
const missing = (text === undefined ? undefined : JSON.parse(text)) as
  | Partial<Record<Language, string>>
  | undefined;

/** Tests that need a language. Without it they are skipped, with the reason in their name. */
export function inLanguage(language: Language, define: () => void): void {
  const reason =
    missing === undefined ? "Run `npm test -- --selectProjects languages`." : missing[language];
  if (reason === undefined) {
    describe(language, define);
    return;
  }
  // The first line is the reason. Of the command's output after it, the last line is shown.
  const [why = "", ...rest] = reason.split("\n");
  describe.skip(`${language}: skipped. ${[why, ...rest.slice(-1)].join(" ")}`, define);
}

/** The file of a program's source; that of YAML is the project's own. */
const SOURCES = {
  yaml: undefined,
  python: "__main__.py",
  go: "main.go",
  java: "src/main/java/example/App.java",
  nodejs: "index.js",
} as const;

/** Writes a program that uses the generated SDK, in place of the stack's program. */
export function writeSource({ folder }: Stack, language: keyof typeof SOURCES, text: string): void {
  const plugins = { providers: [{ name: "clouddb", path: pluginPath() }] };
  const project = `name: test\nruntime: ${language}\nplugins: ${JSON.stringify(plugins)}\n`;
  const source = SOURCES[language];
  writeFileSync(join(folder, "Pulumi.yaml"), source ? project : project + text);
  if (source === undefined) return;
  if (language === "go") writeGoModule(folder);
  if (language === "java")
    copyFileSync(join(root, "examples/quickstart-java/pom.xml"), join(folder, "pom.xml"));
  mkdirSync(dirname(join(folder, source)), { recursive: true });
  writeFileSync(join(folder, source), text);
}

/** Writes the files of a Go module that uses the generated SDK. */
export function writeGoModule(folder: string): void {
  const example = join(root, "examples/quickstart-go");
  const module = readFileSync(join(example, "go.mod"), "utf8").replace(
    "../../sdks",
    join(root, "sdks"),
  );
  writeFileSync(join(folder, "go.mod"), module);
  copyFileSync(join(example, "go.sum"), join(folder, "go.sum"));
}

/** The command of mypy, for one program. */
export const mypy = ["mypy", "--cache-dir", join(root, ".cache/mypy")] as const;

/** The programs of the pages of a folder in a language of fenced code. */
export function programsIn(
  folder: string,
  fence: string,
): { readonly name: string; readonly text: string }[] {
  const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
  return pages.flatMap((page) =>
    examplesOn(`${folder}/${page}`).flatMap(({ name, codes }, index) => {
      const text = codes[fence];
      return text === undefined
        ? []
        : [{ name: name || `${page.replace(".md", "")}-${index + 1}`, text: `${text}\n` }];
    }),
  );
}
