import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, type Stack, simulated, testHome } from "../engine/support/stack";
import type { TestApi } from "../support/api";
import { exampleSeed } from "../support/example";
import { root } from "../support/root";
import { inLanguage, mypy, programsIn, writeGoModule, writeSource } from "./support";

/** The programs of the reference pages and of the guides in other languages than TypeScript. */

const REFERENCE = "docs/reference";
const FOLDERS = [REFERENCE, "docs/guides"];
/** Settings that examples read, of a second account as well. */
const CONFIG = { secondKeyId: "simulator", secondKeySecret: "second" };

let api: TestApi;
let stack: Stack;
beforeAll(async () => {
  api = await simulated({ seed: exampleSeed, keySecret: CONFIG.secondKeySecret });
  stack = await newStack(api);
});

inLanguage("yaml", () => {
  test.each(programsIn(REFERENCE, "yaml"))(
    "the reference program $name has a preview without warnings",
    async ({ text: program }) => {
      const own = await newStack(api);
      own.environment({ KAFKA_PASSWORD: "hush-hush" });
      writeSource(own, "yaml", program);
      for (const [key, value] of Object.entries(CONFIG).filter(([key]) =>
        program.includes(`  ${key}:`),
      )) {
        await own.pulumi(
          "config",
          "set",
          key,
          value,
          ...(key === "secondKeyId" ? [] : ["--secret"]),
        );
      }
      const preview = await own.preview();
      expect(preview).not.toMatch(/warning|\[unknown\]/);
      expect(preview).toMatch(/^ +\+ \d+ to create$/m);
      // Functions read, and nothing else sends anything.
      expect((await api.requestNames()).filter((request) => !request.startsWith("GET "))).toEqual(
        [],
      );
    },
  );
});

inLanguage("python", () => {
  test.each(FOLDERS)("mypy accepts the reference programs in %s", async (folder) => {
    for (const { name, text } of programsIn(folder, "python")) {
      const file = join(stack.folder, `${name.replaceAll(/\W/g, "_")}.py`);
      writeFileSync(file, text);
      const [command, ...args] = mypy;
      await expectOk(stack.command(command, ...args, file));
    }
  });
});

inLanguage("go", () => {
  test.each(FOLDERS)("go vet accepts the reference programs in %s", async (folder) => {
    const module = mkdtempSync(join(testHome(), "go-"));
    writeGoModule(module);
    for (const { name, text } of programsIn(folder, "go")) {
      mkdirSync(join(module, name));
      writeFileSync(
        join(module, name, name.startsWith("testing.") ? "main_test.go" : "main.go"),
        text,
      );
    }
    await expectOk(
      stack.command("sh", "-c", `cd ${module} && CGO_ENABLED=0 go vet -mod=mod ./...`),
    );
  });
});

inLanguage("java", () => {
  test("the reference programs compile", async () => {
    const project = mkdtempSync(join(testHome(), "java-"));
    copyFileSync(join(root, "examples/quickstart-java/pom.xml"), join(project, "pom.xml"));
    for (const [index, { text }] of programsIn(REFERENCE, "java").entries()) {
      const folder = join(project, `src/main/java/example${index}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, "App.java"),
        text.replace("package generated_program;", `package example${index};`),
      );
    }
    await expectOk(stack.command("mvn", "--batch-mode", "--quiet", "--file", project, "compile"));
  });
});
