import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examplesOn } from "../../tools/docs/examples";
import { ENTRIES, expectOk, newStack, type Stack, simulated } from "../engine/support/stack";
import { blocksOf } from "../programs/support/markdown";
import { EXAMPLE, exampleSeed } from "../support/example";
import { inLanguage, programsIn, writeGoModule, writeSource } from "./support";

/** The programs of the guides in other languages than TypeScript. */

/** The names that fenced code has for the languages of programs. */
const FENCES = { yaml: "yaml", python: "python", go: "go", nodejs: "ts" } as const;
type Source = keyof typeof FENCES;
const programs = (language: Source) => programsIn("docs/guides", FENCES[language]);
const namesIn = (language: Source) => programs(language).map(({ name }) => name);
const textOf = (example: string, language: Source) =>
  programs(language).find(({ name }) => name === example)?.text ?? "";
/** Declarative examples are in YAML, too. */
const examplesIn = (language: Source) =>
  namesIn("yaml").filter((example) => namesIn(language).includes(example));

/** Settings that examples read. */
const PLAIN = {
  serviceId: EXAMPLE.service,
  pipeId: EXAMPLE.pipes.kafka,
  stagingUrl: "http://127.0.0.1:4010",
  stagingKeyId: "simulator",
};
const SECRET = { stagingKeySecret: "hush", kafkaPassword: "hush" };

interface Step {
  readonly op: string;
  readonly newState: Readonly<Record<string, unknown>> & {
    readonly inputs?: Readonly<Record<string, unknown>>;
  };
}

let stack: Stack;

/**
 * Replaces the stack's program by an example. In TypeScript it uses the native entry of the npm
 * package.
 */
function writeExample(language: Source, text: string): void {
  writeSource(stack, language, text);
  if (language !== "nodejs") return;
  const body = text.replace(/^import .*\n/gm, "").replace(/^export const (\w+)/gm, "exports.$1");
  stack.program(body, ENTRIES.native);
}

/**
 * The program's resources, by their names: what a preview would do with which arguments and
 * options.
 */
async function previewOf(example: string, language: Source): Promise<object> {
  writeExample(language, textOf(example, language));
  const { steps } = JSON.parse(
    await expectOk(stack.command("pulumi", "preview", "--json", "--non-interactive")),
  );
  const resources = (steps as Step[]).map(({ op, newState }) => {
    const { urn, inputs = {}, protect, retainOnDelete, aliases } = newState;
    // SDKs name the version of the plugin, and where it is.
    const { __internal, version, ...args } = inputs;
    return [urn, { op, args, protect, retainOnDelete, aliases }];
  });
  return Object.fromEntries(resources.sort());
}

/** The declarations of the program in YAML, which others are compared with. */
const declared = new Map<string, Promise<object>>();
function declaredBy(example: string): Promise<object> {
  const known = declared.get(example) ?? previewOf(example, "yaml");
  declared.set(example, known);
  return known;
}

async function exampleStack(): Promise<void> {
  stack = await newStack(await simulated({ seed: exampleSeed }));
  const pairs = (values: object, option: string) =>
    Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);
  await stack.pulumi(
    "config",
    "set-all",
    ...pairs(PLAIN, "--plaintext"),
    ...pairs(SECRET, "--secret"),
  );
}

function declareTheSame(language: Source): void {
  describe("examples", () => {
    beforeAll(exampleStack);

    test.each(examplesIn(language))("%s declares the same as the YAML example", async (example) => {
      const expected = await declaredBy(example);
      expect(Object.keys(expected).length).toBeGreaterThan(1);
      if (language !== "yaml") expect(await previewOf(example, language)).toEqual(expected);
    });
  });
}

// Their programs have the types of the native plugin, too.
inLanguage("yaml", () => declareTheSame("nodejs"));

for (const language of ["yaml", "python", "go"] as const) {
  inLanguage(language, () => {
    declareTheSame(language);

    test("docs/guides/replace.md: a service is renamed, and unchanged by a second up", async () => {
      const api = await simulated();
      const stack = await newStack(api);
      const stop = textOf("replace.stop", language);
      const before = stop
        .replace(/retain(OnDelete|_on_delete)/, "protect")
        .replace("RetainOnDelete", "Protect");
      writeSource(stack, language, before);
      await stack.up();
      await api.requestNames();
      writeSource(
        stack,
        language,
        textOf("replace.rename", language).replace("my-databases", "test"),
      );
      expect(await stack.preview()).toContain("2 unchanged");
      writeSource(stack, language, stop);
      await stack.up();
      await stack.destroy();
      expect(await api.requestNames()).toEqual([]);
      expect(await api.services()).toHaveLength(1);
    });
  });
}

describe("docs/guides/testing.md: the mocks", () => {
  beforeEach(async () => {
    stack = await newStack(await simulated());
  });

  inLanguage("python", () => {
    test("the mocks of docs/guides/testing.md run in a unit test", async () => {
      writeFileSync(join(stack.folder, "test_program.py"), textOf("testing.mocks", "python"));
      expect(await expectOk(stack.command("python", "-m", "unittest", "test_program"))).toMatch(
        /Ran 1 test[\s\S]*OK/,
      );
    });
  });

  inLanguage("go", () => {
    test("the mocks of docs/guides/testing.md run in a unit test", async () => {
      writeGoModule(stack.folder);
      mkdirSync(join(stack.folder, "mocks"));
      writeFileSync(join(stack.folder, "mocks/main_test.go"), textOf("testing.mocks", "go"));
      expect(await expectOk(stack.command("sh", "-ec", "CGO_ENABLED=0 go test ./mocks"))).toMatch(
        /^ok /m,
      );
    });
  });
});

inLanguage("yaml", () => {
  test("docs/guides/adopt.md: an import generates a program without changes", async () => {
    const api = await simulated({ seed: exampleSeed });
    const stack = await newStack(api);
    writeSource(stack, "yaml", "");
    const page = "docs/guides/adopt.md";
    const imports = blocksOf(page).find(({ text }) => text.startsWith('{\n  "resources"'));
    writeFileSync(join(stack.folder, "imports.json"), imports?.text ?? "");
    const output = await stack.pulumi(
      "import",
      "--file",
      "imports.json",
      "--out",
      "imported.yaml",
      "--yes",
      "--skip-preview",
    );
    expect(output).toContain("= 3 imported");
    expect(output).not.toContain("warning");
    expect((await api.requestNames()).sort()).toEqual([
      "GET /services/{id}",
      "GET /services/{id}",
      "GET /services/{id}/pipes/{id}",
    ]);

    const generated = readFileSync(join(stack.folder, "imported.yaml"), "utf8");
    const imported = examplesOn(page).find(({ name }) => name === "adopt.import");
    const text = `${imported?.codes.yaml}\n`.split("\n");
    // Each simulator has an ID of its own for it.
    expect(
      text.filter((line) => !line.includes("dataWarehouseId") && !generated.includes(`${line}\n`)),
    ).toEqual([]);
    expect(text.length).toBeGreaterThan(40);
    appendFileSync(join(stack.folder, "Pulumi.yaml"), generated);
    expect(await stack.preview()).toContain("4 unchanged");
    await stack.up("--expect-no-changes");
    expect(await api.requestNames()).toEqual([]);
  });
});
