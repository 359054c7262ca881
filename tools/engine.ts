// Prints the folder of the Pulumi engine, to put on PATH (`npm run engine`); installs one if there is none.
//   --build       builds the packages first (`npm run setup`)
//   --languages   installs those of its language hosts that it lacks: YAML, Python, Go and Java
import { ensureAll, ensureEngine } from "./setup/engine";

export async function main(): Promise<void> {
  const engine = await (process.argv.includes("--build") ? ensureAll() : ensureEngine());
  if (process.argv.includes("--languages")) {
    // It loads the packages, which have to be built before.
    const { ensureLanguageHosts }: typeof import("./setup/languages") = require("./setup/languages");
    for (const reason of Object.values(await ensureLanguageHosts(engine))) process.stderr.write(`${reason}\n`);
  }
  console.log(engine);
}
