import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";
import { type Block, blocksOf, pages } from "./support/markdown";

/** CommonJS modules, as in a new Pulumi project: `await` at the top level is an error. */
const PROJECT = { strict: true, target: "es2022", module: "node16", skipLibCheck: true, types: ["node", "jest"] };
const LANGUAGES = ["ts", "typescript", "js", "javascript"];
const IMPORTS: Readonly<Record<string, string>> = { clouddb: "pulumi-clouddb", pulumi: "@pulumi/pulumi" };

/** The sample as a module. One without imports is an excerpt of a program; the line numbers stay those of the page. */
function moduleFrom({ text }: Block): string {
  const isWhole = /^import /m.test(text);
  const used = Object.keys(IMPORTS).filter((name) => !isWhole && new RegExp(`\\b${name}\\.`).test(text));
  const imports = used.map((name) => `import * as ${name} from "${IMPORTS[name]}";`);
  return `${[...imports, "export {};"].join(" ")} ${text}`;
}

/** The compiler's errors in all samples, each with its page and line. */
function problemsIn(samples: readonly Block[]): Promise<string[]> {
  const folder = mkdtempSync(join(testHome(), "samples-"));
  const sources = new Map(samples.map((sample, index) => [`sample-${index}.ts`, sample]));
  for (const [name, sample] of sources) writeFileSync(join(folder, name), moduleFrom(sample));
  writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
  const stores = join(root, "tests/programs/support/secret-stores.d.ts");
  copyFileSync(stores, join(folder, basename(stores)));
  const compilerOptions = { ...PROJECT, typeRoots: [join(root, "node_modules/@types")] };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: [basename(stores), ...sources.keys()] }),
  );
  const tsc = join(testHome(), "node_modules/typescript/bin/tsc");
  return new Promise((resolve) => {
    execFile(process.execPath, [tsc, "--noEmit", "--pretty", "false"], { cwd: folder }, (_, stdout) => {
      const located = stdout.replace(/^(\S+\.ts)\((\d+),\d+\)/gm, (all, file: string, line: string) => {
        const sample = sources.get(basename(file));
        return sample === undefined ? all : `${sample.page}:${sample.line + Number(line) - 1}`;
      });
      resolve(located.split("\n").filter((line) => line !== ""));
    });
  });
}

test("every code sample of every page compiles with the packed packages", async () => {
  const samples = pages()
    .flatMap(blocksOf)
    .filter(({ language }) => LANGUAGES.includes(language))
    // A script that is a file of its page is run with the page's commands.
    .filter(({ language, directive = "" }) => !(language === "js" && directive.startsWith("the file ")));
  expect(samples.length).toBeGreaterThan(20);
  expect(await problemsIn(samples)).toEqual([]);
});
