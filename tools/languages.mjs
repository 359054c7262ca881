// Tests programs in YAML, Python and Go: npm run languages [FILE...]
// Skipped tests say in their names what this machine is missing.
import { delimiter } from "node:path";
import { ensureAll } from "./setup/all.mjs";
import { run } from "./setup/command.mjs";
import { ensureLanguageHosts } from "./setup/languages.mjs";
import { ensurePython } from "./setup/python-sdk.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";
import { generateSdks } from "./setup/sdks.mjs";
import { versions } from "./setup/versions.mjs";

await runMain(async () => {
  const missing = await ensureLanguageHosts(await ensureAll());
  const PATH = [...(await ensureSdks(missing)), process.env.PATH].join(delimiter);
  for (const reason of Object.values(missing)) process.stderr.write(`${reason}\n`);
  const args = ["tools/test.mjs", ...process.argv.slice(2), "--selectProjects", "languages"];
  const env = { ...process.env, PATH, CLOUDDB_MISSING_LANGUAGES: JSON.stringify(missing) };
  // A Ctrl-C reaches jest itself; this process waits for it to clean up.
  process.on("SIGINT", () => {});
  process.exitCode = (await run(process.execPath, args, { cwd: root, env, stdio: "inherit" })).code;
});

/** Generates the SDKs and installs the one for Python; returns the folder of its programs. Notes which language has none. */
async function ensureSdks(missing) {
  try {
    await generateSdks();
  } catch (error) {
    const reason = `SDKs cannot be generated: ${error.message}\nInstall Go ${versions.go} or newer.`;
    missing.python ??= reason;
    missing.go ??= reason;
  }
  if (missing.python !== undefined) return [];
  try {
    return [await ensurePython()];
  } catch (error) {
    missing.python = `Python cannot be set up: ${error.message}\nInstall Python ${versions.python} or newer, and make sure that it reaches PyPI.`;
    return [];
  }
}
