import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import seed from "../../simulator/seeds/example.json";
import { examplesOn } from "../../tools/docs/examples";
import { expectOk, newStack, simulated } from "../engine/support/stack";
import { blocksOf } from "../programs/support/markdown";
import { inLanguage, plugins, requestsTo } from "./support";

/** The import in docs/guides/adopt.md, with the program that the engine generates. */

const samples = blocksOf("docs/guides/adopt.md");
const imported = examplesOn("docs/guides/adopt.md").find(({ name }) => name === "adopt.import");
const sample = (begins: string) => samples.find(({ text }) => text.startsWith(begins))?.text ?? "";

inLanguage("yaml", () => {
  test("an import generates a program, in which nothing is left to change", async () => {
    const api = await simulated({ seed: seed as never });
    const stack = await newStack(api);
    const project = join(stack.folder, "Pulumi.yaml");
    writeFileSync(project, `name: test\nruntime: yaml\nplugins: ${JSON.stringify(plugins())}\n`);
    writeFileSync(join(stack.folder, "imports.json"), sample('{\n  "resources"'));
    const output = await expectOk(
      stack.pulumi("import", "--file", "imports.json", "--out", "imported.yaml", "--yes", "--skip-preview"),
    );
    expect(output).toContain("= 3 imported");
    expect(output).not.toContain("warning");
    expect((await requestsTo(api)).sort()).toEqual([
      "GET /services/{id}",
      "GET /services/{id}",
      "GET /services/{id}/pipes/{id}",
    ]);

    const generated = readFileSync(join(stack.folder, "imported.yaml"), "utf8");
    const text = `${imported?.codes.yaml}\n`.split("\n");
    // Each simulator has an ID of its own for it.
    expect(text.filter((line) => !line.includes("dataWarehouseId") && !generated.includes(`${line}\n`))).toEqual([]);
    expect(text.length).toBeGreaterThan(40);
    appendFileSync(project, generated);
    expect(await expectOk(stack.preview())).toContain("4 unchanged");
    await expectOk(stack.up("--expect-no-changes"));
    expect(await requestsTo(api)).toEqual([]);
  });
});
