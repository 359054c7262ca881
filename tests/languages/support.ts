import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examplesOn } from "../../tools/docs/examples";
import { nameIn } from "../../tools/generate/language-types";
import { ENTRIES, expectOk, type Stack, testHome } from "../engine/support/stack";
import type { TestApi } from "../support/api";
import { root } from "../support/root";

/** Programs in other languages, on the native plugin of the packed package. */

export type Language = "yaml" | "python" | "go" | "java";

/** The reason that this machine cannot run a language; set by `npm test -- --selectProjects languages`. */
const text = process.env.CLOUDDB_MISSING_LANGUAGES;
const missing = (text === undefined ? undefined : JSON.parse(text)) as Partial<Record<Language, string>> | undefined;

/** Tests that need a language. Without it they are skipped, with the reason in their name. */
export function inLanguage(language: Language, define: () => void): void {
  const reason = missing === undefined ? "Run `npm test -- --selectProjects languages`." : missing[language];
  if (reason === undefined) {
    describe(language, define);
    return;
  }
  // The first line is the reason. Of the command's output after it, the last line is shown.
  const [why = "", ...rest] = reason.split("\n");
  describe.skip(`${language}: skipped. ${[why, ...rest.slice(-1)].join(" ")}`, define);
}

/** A service that a program declares, with its resource options. */
export interface DeclaredService {
  readonly name?: string;
  readonly args?: object;
  readonly options?: object;
}

/** Writes a program that declares these services, in place of the stack's program. */
export function writeProgram(
  { folder }: Stack,
  language: Language | "nodejs",
  services: readonly DeclaredService[],
): void {
  const declared = services.map(({ name = "db", args = {}, options = {} }) => ({
    name,
    args: { name: "keep", region: "us-east-1", ...args },
    options,
  }));
  if (language === "python") {
    const calls = declared.map(
      ({ name, args, options }) =>
        `clouddb.Service("${name}"${keywords(args)}, opts=pulumi.ResourceOptions(${keywords(options).slice(2)}))\n`,
    );
    writeFileSync(join(folder, "__main__.py"), `import pulumi\nimport pulumi_clouddb as clouddb\n${calls.join("")}`);
  }
  if (language === "go") {
    writeGoModule(folder);
    const calls = declared.map(({ name, args, options }) => {
      const fields = members(
        args,
        (value) => `pulumi.${typeof value === "number" ? "Int" : "String"}(${JSON.stringify(value)})`,
      );
      const opts = members(options, String).map(([option, value]) => `, pulumi.${option}(${value})`);
      const pairs = fields.map(([field, value]) => `${field}: ${value}`).join(", ");
      return `if _, err := clouddb.NewService(ctx, "${name}", &clouddb.ServiceArgs{${pairs}}${opts.join("")}); err != nil {\nreturn err\n}\n`;
    });
    writeFileSync(
      join(folder, "main.go"),
      `package main\nimport (\n"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n"github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb"\n)\nvar _ = clouddb.NewService\nfunc main() {\npulumi.Run(func(ctx *pulumi.Context) error {\n${calls.join("")}return nil\n})\n}\n`,
    );
  }
  if (language === "java") {
    copyFileSync(join(root, "examples/quickstart-java/pom.xml"), join(folder, "pom.xml"));
    const calls = declared.map(({ name, args, options }) => {
      const [values, opts] = [args, options].map((members) =>
        Object.entries(members)
          .map(([member, value]) => `.${member}(${JSON.stringify(value)})`)
          .join(""),
      );
      return `new Service("${name}", ServiceArgs.builder()${values}.build(), CustomResourceOptions.builder()${opts}.build());\n`;
    });
    mkdirSync(join(folder, "src/main/java/example"), { recursive: true });
    writeFileSync(
      join(folder, "src/main/java/example/App.java"),
      `package example;\nimport com.pulumi.Pulumi;\nimport com.pulumi.clouddb.*;\nimport com.pulumi.resources.*;\npublic class App {\npublic static void main(String[] args) {\nPulumi.run(ctx -> {\n${calls.join("")}});\n}\n}\n`,
    );
  }
  const resources = declared.map(({ name, args, options }) => [
    name,
    { type: "clouddb:Service", properties: args, options },
  ]);
  writeProject(folder, language, language === "yaml" ? { resources: Object.fromEntries(resources) } : {});
}

/** Writes the files of a Go module that uses the generated SDK. */
export function writeGoModule(folder: string): void {
  const example = join(root, "examples/quickstart-go");
  const module = readFileSync(join(example, "go.mod"), "utf8").replace("../../sdks", join(root, "sdks"));
  writeFileSync(join(folder, "go.mod"), module);
  copyFileSync(join(example, "go.sum"), join(folder, "go.sum"));
}

/** The command of mypy, for one program. */
export const mypy = ["mypy", "--cache-dir", join(root, ".cache/mypy")] as const;

/** The names that fenced code has for the languages of programs. */
export const FENCES = { yaml: "yaml", python: "python", go: "go", nodejs: "ts" } as const;

/** The programs of the pages of a folder in a language of fenced code. */
export function programsIn(folder: string, fence: string): { readonly name: string; readonly text: string }[] {
  const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith(".md"));
  return pages.flatMap((page) =>
    examplesOn(`${folder}/${page}`).flatMap(({ name, codes }, index) => {
      const text = codes[fence];
      return text === undefined ? [] : [{ name: name || `${page.replace(".md", "")}-${index + 1}`, text: `${text}\n` }];
    }),
  );
}

/** Expects mypy to accept each of these programs. */
export async function acceptedByMypy(stack: Stack, programs: ReturnType<typeof programsIn>): Promise<void> {
  for (const { name, text } of programs) {
    const file = join(stack.folder, `${name.replaceAll(/\W/g, "_")}.py`);
    writeFileSync(file, text);
    const [command, ...args] = mypy;
    await expectOk(stack.command(command, ...args, file));
  }
}

/** Writes the source of a program, in place of the stack's program. */
export function writeSource(stack: Stack, language: keyof typeof FENCES, text: string): void {
  writeProgram(stack, language, []);
  if (language === "nodejs") {
    const body = text.replace(/^import .*\n/gm, "").replace(/^export const (\w+)/gm, "exports.$1");
    stack.program(body, ENTRIES.native);
    return;
  }
  const head = `name: test\nruntime: yaml\nplugins: ${JSON.stringify(plugins())}\n`;
  const name = { yaml: "Pulumi.yaml", python: "__main__.py", go: "main.go" }[language];
  writeFileSync(join(stack.folder, name), (language === "yaml" ? head : "") + text);
}

/** Writes the file of a project; JSON is YAML, too. */
export function writeProject(folder: string, runtime: Language | "nodejs", more: object): void {
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "test", runtime, plugins: plugins(), ...more }));
}

/** Where a project finds the packed plugin. */
export function plugins(): object {
  return { providers: [{ name: "clouddb", path: join(testHome(), "node_modules/pulumi-clouddb/native-plugin") }] };
}

/** The members of an object in Go's spelling. */
function members(values: object, literal: (value: unknown) => string): (readonly [string, string])[] {
  return Object.entries(values).map(([name, value]) => [nameIn("go", [name]), literal(value)]);
}

/** Keyword arguments in Python, each after a comma. */
function keywords(values: object): string {
  const literal = (value: unknown) =>
    JSON.stringify(value)
      .replace(/\btrue\b/g, "True")
      .replace(/\bfalse\b/g, "False")
      .replace(/\bnull\b/g, "None");
  return Object.entries(values)
    .map(([name, value]) => `, ${nameIn("python", [name])}=${literal(value)}`)
    .join("");
}

/** Method and path of each request since the last call. */
export async function requestsTo(api: TestApi): Promise<string[]> {
  return (await api.requests()).map(({ request }) => request);
}
