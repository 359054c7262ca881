import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../setup/root.mjs";
import { LANGUAGES, LANGUAGES_END, LANGUAGES_START } from "./languages.mjs";

export const examplesFolder = join(root, "docs", "reference", "examples");

/** The examples of a class or function: `name`, then `name.situation`, whose first line says what it shows. */
function examplesNamed(name) {
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
export function examplesOf(name) {
  return examplesNamed(name).map((example) => codeOf(example, "ts"));
}

/** The examples of a class or function as a page shows them: GitHub folds all languages but the first. */
export function examplesIn(name) {
  return examplesNamed(name).map(inLanguages).join("");
}

/** One example in each language. */
export function inLanguages(example) {
  const [first, ...others] = languagesOf(example);
  const folded = others.map(({ title, code }) => `<details>\n<summary>${title}</summary>\n\n${code}\n\n</details>\n\n`);
  return `${LANGUAGES_START}\n${first.code}\n\n${folded.join("")}${LANGUAGES_END}\n\n`;
}

/** An example as fenced code, by language. */
export function languagesOf(example) {
  return Object.entries(LANGUAGES)
    .filter(([extension]) => existsSync(join(examplesFolder, `${example}.${extension}`)))
    .map(([extension, { title, fence, registryName }]) => ({
      title,
      registryName,
      code: `\`\`\`${fence}\n${codeOf(example, extension)}\n\`\`\``,
    }));
}

function codeOf(example, extension) {
  return readFileSync(join(examplesFolder, `${example}.${extension}`), "utf8").trim();
}
