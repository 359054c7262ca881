// Prints the folder of the Pulumi engine, to put on PATH (`npm run engine`); installs one if there is none.
//   --languages   installs those of its language hosts that it lacks: YAML, Python, Go and Java
import { ensureEngine } from "./setup/engine";
import { ensureLanguageHosts } from "./setup/languages";

export async function main(): Promise<void> {
  const engine = await ensureEngine();
  if (process.argv.includes("--languages")) {
    for (const reason of Object.values(await ensureLanguageHosts(engine))) process.stderr.write(`${reason}\n`);
  }
  console.log(engine);
}
