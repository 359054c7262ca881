import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "../release/pack.mjs";
import { tool } from "./tool.mjs";

const NEEDED = ["LICENSE", "README.md", "package.json"];
const UNWANTED = /\.test\.|\.tsbuildinfo$|\.map$/;

/** Packs the packages as for npm and runs publint and arethetypeswrong on them. */
export async function packages() {
  const folder = mkdtempSync(join(tmpdir(), "clouddb-packed-"));
  try {
    for (const { name, files, tarball } of await pack(folder)) {
      const paths = files.map(({ path }) => path);
      const missing = NEEDED.filter((path) => !paths.includes(path));
      const unwanted = paths.filter((path) => UNWANTED.test(path));
      if (missing.length + unwanted.length > 0) {
        return { code: 1, stdout: `${name}: missing: ${missing}; not to be published: ${unwanted}`, stderr: "" };
      }
      for (const result of [
        await tool("publint", tarball, "--strict"),
        await tool("attw", tarball, "--exclude-entrypoints", "runtime", "definitions", "price-file"),
      ]) {
        if (result.code !== 0) return result;
      }
    }
    return { code: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
