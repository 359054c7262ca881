import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seed from "../../simulator/seeds/example.json";
import { expectOk, newStack, type Stack, simulated, testHome } from "../engine/support/stack";
import type { TestApi } from "../support/api";
import { root } from "../support/root";
import { acceptedByMypy, inLanguage, plugins, programsIn, requestsTo } from "./support";

/** The programs of the reference pages in other languages than TypeScript. */

const examplesIn = (fence: string) => programsIn("docs/reference", fence);
/** Settings that examples read, of a second account as well. */
const CONFIG = { secondKeyId: "simulator", secondKeySecret: "second", kafka: "hush-hush" };

let api: TestApi;
let stack: Stack;
beforeAll(async () => {
  api = await simulated({ seed: seed as never, keySecret: CONFIG.secondKeySecret });
  stack = await newStack(api);
});

inLanguage("yaml", () => {
  test.each(examplesIn("yaml"))("$name has a preview without warnings", async ({ text: program }) => {
    const project = mkdtempSync(join(testHome(), "example-"));
    const own = await newStack(api, "", project);
    const head = `name: test\nruntime: yaml\nplugins: ${JSON.stringify(plugins())}\n`;
    writeFileSync(join(project, "Pulumi.yaml"), head + program);
    for (const [key, value] of Object.entries(CONFIG).filter(([key]) => program.includes(`  ${key}:`))) {
      await expectOk(own.pulumi("config", "set", key, value, ...(key === "secondKeyId" ? [] : ["--secret"])));
    }
    const preview = await expectOk(own.preview());
    expect(preview).not.toMatch(/warning|\[unknown\]/);
    expect(preview).toMatch(/^ +\+ \d+ to create$/m);
    // Functions read, and nothing else sends anything.
    expect((await requestsTo(api)).filter((request) => !request.startsWith("GET "))).toEqual([]);
  });
});

inLanguage("python", () => {
  test("mypy accepts the programs", async () => {
    await acceptedByMypy(stack, examplesIn("python"));
  });
});

inLanguage("go", () => {
  test("go vet accepts the programs", async () => {
    const module = mkdtempSync(join(testHome(), "go-"));
    cpSync(join(root, "examples/quickstart-go/go.sum"), join(module, "go.sum"));
    const manifest = readFileSync(join(root, "examples/quickstart-go/go.mod"), "utf8");
    writeFileSync(join(module, "go.mod"), manifest.replace("../../sdks/go", join(root, "sdks/go")));
    for (const { name, text } of examplesIn("go")) {
      mkdirSync(join(module, name));
      writeFileSync(join(module, name, "main.go"), text);
    }
    await expectOk(stack.command("sh", "-c", `cd ${module} && CGO_ENABLED=0 go vet -mod=mod ./...`));
  });
});
