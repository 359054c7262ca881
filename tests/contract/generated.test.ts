import { execFileSync } from "node:child_process";
import { join } from "node:path";

test("types and reference pages are those that the tables of fields make", () => {
  const script = join(__dirname, "../../scripts/generate.mjs");
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toBe("");
});
