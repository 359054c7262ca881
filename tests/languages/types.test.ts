import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { testHome } from "../engine/support/stack";
import { root } from "../support/root";
import { inLanguage, mypy, writeGoModule } from "./support";
import { mistakes, type TypedLanguage } from "./types-mistakes";

/** The table of docs/languages.md: which mistakes type checkers find in programs with the packages. */

interface Checker {
  /** The name of the checker in the table. */
  readonly name: string;
  readonly language: TypedLanguage;
  readonly file: string;
  /** The program around the lines, each of which has a mistake or its correction. */
  readonly program: (lines: string) => string;
  readonly command: readonly [string, ...string[]];
  /** Writes the other files of a project. */
  readonly prepare?: (folder: string) => void;
}

const python = (lines: string) => `import pulumi_clouddb as clouddb\nservice = clouddb.Service("db")\n${lines}\n`;
const node = (script: string, ...args: string[]) => [process.execPath, script, ...args] as const;

const TYPESCRIPT: Checker = {
  name: "TypeScript",
  language: "typescript",
  file: "main.ts",
  program: (lines) =>
    `import * as fs from "node:fs";\nimport * as clouddb from "pulumi-clouddb";\nconst service = new clouddb.Service("db", {});\n${lines}\n`,
  command: node(
    join(testHome(), "node_modules/typescript/bin/tsc"),
    "--noEmit",
    "--strict",
    "--types",
    "node",
    "main.ts",
  ),
};
const MYPY: Checker = {
  name: "mypy",
  language: "python",
  file: "main.py",
  program: python,
  command: [...mypy, "--strict", "main.py"],
};
const PYRIGHT: Checker = {
  ...MYPY,
  name: "pyright",
  command: node(join(root, "node_modules/pyright/index.js"), "main.py"),
};
const GO: Checker = {
  name: "Go",
  language: "go",
  file: "main.go",
  program: (lines) =>
    `package main\nimport ("os"; "github.com/pulumi/pulumi/sdk/v3/go/pulumi"; "github.com/pulumi-clouddb/pulumi-clouddb/sdk/go/clouddb")\nfunc main() { pulumi.Run(func(ctx *pulumi.Context) error {\nservice, err := clouddb.NewService(ctx, "db", nil)\n_, _ = os.ReadFile("name")\n${lines}\nreturn err\n}) }\n`,
  // Without `-e`, the compiler stops after ten errors.
  command: ["go", "build", "-mod=mod", "-gcflags=-e", "-o", "/dev/null", "."],
  prepare: writeGoModule,
};
const pom = join(root, "examples/quickstart-java/pom.xml");
const JAVA: Checker = {
  name: "Java",
  language: "java",
  file: "src/main/java/Main.java",
  program: (lines) =>
    `import com.pulumi.clouddb.*; import com.pulumi.clouddb.enums.*; import com.pulumi.clouddb.inputs.*;\nclass Main { static void program(Service service) {\n${lines}\n} }\n`,
  command: ["mvn", "--batch-mode", "--quiet", "compile"],
  prepare: (folder) => copyFileSync(pom, join(folder, "pom.xml")),
};

/** The program with all mistakes, or with their corrections. */
function written(
  { language, file, program, command, prepare }: Checker,
  side: "right" | "wrong",
): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(testHome(), "types-"));
  const lines = mistakes.flatMap(({ name, lines }) => {
    const line = lines[language];
    return line === undefined
      ? []
      : [{ name, line: line.replaceAll(/«(.*?)\|(.*?)»/g, side === "right" ? "$1" : "$2") }];
  });
  const text = program(lines.map(({ line }) => line).join("\n"));
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
  prepare?.(folder);
  const numbered = text.split("\n");
  const [first] = lines;
  const start = numbered.indexOf(String(first?.line)) + 1;
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CGO_ENABLED: "0" };
    execFile(command[0], command.slice(1), { cwd: folder, env, maxBuffer: 1e8 }, (failure, stdout, stderr) => {
      const problems = `${stdout}${stderr}`.split("\n").flatMap((line) => {
        const [, number] = /main\.\w+[:(]\[?(\d+)[:,]/i.exec(line) ?? [];
        if (number === undefined || /: note:| - warning:/.test(line)) return [];
        return [lines[Number(number) - start]?.name ?? line];
      });
      if (failure && problems.length === 0) reject(new Error(`${stdout}${stderr}`));
      resolve(new Set(problems));
    });
  });
}

/** The rows of the table: a mistake, and the checkers that do not find it. */
const rows = readFileSync(join(root, "docs/languages.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.slice(2, -2).split(" | "));

test("the table has all mistakes", () => {
  expect(rows.map(([name]) => name)).toEqual(["mistake", ...mistakes.map(({ name }) => name)]);
});

function checks(checker: Checker): void {
  test(`${checker.name} finds the mistakes that the table says, and none in the corrected program`, async () => {
    expect([...(await written(checker, "right"))]).toEqual([]);
    const found = await written(checker, "wrong");
    const possible = mistakes.filter(({ lines }) => lines[checker.language] !== undefined).map(({ name }) => name);
    const missed = rows.filter(([, missedBy]) => missedBy?.split(", ").includes(checker.name)).map(([name]) => name);
    expect([...found].sort()).toEqual(possible.filter((name) => !missed.includes(name)).sort());
  });
}

checks(TYPESCRIPT);
inLanguage("python", () => {
  checks(MYPY);
  checks(PYRIGHT);
});
inLanguage("go", () => checks(GO));
(existsSync(pom) ? describe : describe.skip)("java", () => checks(JAVA));
