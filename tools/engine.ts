// Prints the folder of the Pulumi engine, to put on PATH (`npm run engine`); installs one if there
// is none.   --build       builds the packages first (`npm run setup`)   --languages   builds, then
// installs those of its language hosts that it lacks: YAML, Python, Go and Java
import { ensureAll, ensureEngine } from "./setup/engine";

export async function main(): Promise<void> {
  const has = (option: string) => process.argv.includes(option);
  const engine = await (has("--build") || has("--languages") ? ensureAll() : ensureEngine());
  if (has("--build")) process.stderr.write("Ready. The Pulumi engine is in this folder:\n");
  if (has("--languages")) {
    // Imported after the build, because languages.ts loads built packages.
    const {
      ensureLanguageHosts,
    }: typeof import("./setup/languages") = require("./setup/languages");
    for (const reason of Object.values(await ensureLanguageHosts(engine)))
      process.stderr.write(`${reason}\n`);
  }
  console.log(engine);
}
