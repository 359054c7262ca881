import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProjectFile, readPulumiFile } from "./project";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clouddb-project-"));
  mkdirSync(join(folder, "program/Pulumi.json"), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

test("findProjectFile returns the file that the CLI reads, from the nearest folder with one", () => {
  expect(findProjectFile(join(folder, "program"))).toBeUndefined();
  write("Pulumi.yml", "");
  expect(findProjectFile(join(folder, "program"))).toBe(join(folder, "Pulumi.yml"));
  write("Pulumi.yaml", "");
  expect(findProjectFile(folder)).toBe(join(folder, "Pulumi.yaml"));
  write("program/Pulumi.yml", "");
  expect(findProjectFile(join(folder, "program/missing"))).toBe(join(folder, "program/Pulumi.yml"));
});

test("readPulumiFile reads JSON or the first document of YAML", () => {
  write("a.yaml", "\ufeffbase: &base { name: one }\n<<: *base\n---\nname: two\n");
  expect(readPulumiFile(join(folder, "a.yaml"))).toMatchObject({ name: "one" });
  write("a.json", '\ufeff{ "name": "one" }');
  expect(readPulumiFile(join(folder, "a.json"))).toEqual({ name: "one" });
  for (const [name, text] of Object.entries({ "b.yaml": "name: [", "b.json": "name: one" })) {
    write(name, text);
    expect(() => readPulumiFile(join(folder, name))).toThrow();
  }
  expect(() => readPulumiFile(join(folder, "c.yaml"))).toThrow("ENOENT");
});
