// Makes the examples in Python, Go, C# and Java from those in YAML, with Pulumi's own converter (`npm run examples`).
// Reference pages show all of these languages, and so do the descriptions in the package schema.
// `--check` only compares.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import versions from "./../versions.json";
import { examplesFolder } from "./docs/examples";
import { ensureBuild } from "./setup/build";
import { go } from "./setup/go";
import { SetupError } from "./support/progress";
import { root } from "./support/repository";

/** Functions in Go and Java are written by hand: what the converter makes of them does not compile. */
const BY_HAND = /^get.*\.(go|java)$/;

export async function main(): Promise<void> {
  await ensureBuild();
  const converted = mkdtempSync(join(tmpdir(), "clouddb-examples-"));
  try {
    await convertTo(converted);
    const names = readdirSync(converted).filter((name) => !BY_HAND.test(name));
    const files = names.map((name) => ({ name, text: readFileSync(join(converted, name), "utf8") }));
    const stale = files.filter(({ name, text }) => text !== committed(name));
    if (process.argv.includes("--check")) return refuse(stale);
    for (const { name, text } of stale) {
      writeFileSync(join(examplesFolder, name), text);
      console.log(`Updated ${name}`);
    }
  } finally {
    rmSync(converted, { recursive: true, force: true });
  }
}

async function convertTo(folder: string): Promise<void> {
  const args = ["run", "-mod=readonly", ".", join(root, "provider/schema.json"), examplesFolder, folder];
  try {
    await go("Converting examples (a minute the first time)", join(root, "tools/convert"), args);
  } catch (error) {
    const { message } = error as Error;
    throw new SetupError(`The examples cannot be converted: ${message}\nThis needs Go ${versions.go} or newer.`);
  }
}

function refuse(stale: readonly { readonly name: string }[]): void {
  if (stale.length === 0) return;
  throw new SetupError(`Out of date: ${stale.map(({ name }) => name).join(", ")}. Run \`npm run examples\`.`);
}

function committed(name: string): string | undefined {
  try {
    return readFileSync(join(examplesFolder, name), "utf8");
  } catch {
    return undefined;
  }
}
