import { execFileSync } from "node:child_process";
import { join } from "node:path";

test("generated types and reference pages match the field tables", () => {
  const script = join(__dirname, "../../scripts/generate.mjs");
  expect(execFileSync(process.execPath, [script, "--check"], { encoding: "utf8" })).toBe("");
});
