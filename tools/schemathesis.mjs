// Tests the simulator against its own OpenAPI document with schemathesis, in a separate Python environment.
// Not part of `npm test`, because it needs Python and PyPI. Exits with 1 if there are findings.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild } from "./setup/build.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { ensurePythonCommand } from "./setup/python.mjs";
import { runMain } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const simulator = join(root, "simulator");

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  const schemathesis = await ensurePythonCommand("schemathesis");
  const { startSimulator } = await import("clouddb-simulator");
  const { close, ...ready } = await startSimulator({
    seed: JSON.parse(readFileSync(join(simulator, "seeds/example.json"), "utf8")),
  });
  try {
    process.exitCode = await runSchemathesis(schemathesis, ready);
  } finally {
    await close();
  }
});

/**
 * @param {string} command
 * @param {{ baseUrl: string, keyId: string, keySecret: string, accessToken: string }} ready
 */
function runSchemathesis(command, { baseUrl, keyId, keySecret, accessToken }) {
  const config = join(simulator, "schemathesis.toml");
  const args = ["--config-file", config, "run", join(simulator, "openapi.json"), "--url", baseUrl];
  const child = spawn(command, [...args, ...process.argv.slice(2)], {
    env: {
      ...process.env,
      CLOUDDB_KEY_ID: keyId,
      CLOUDDB_KEY_SECRET: keySecret,
      CLOUDDB_ACCESS_TOKEN: accessToken,
      SCHEMATHESIS_HOOKS: join(simulator, "schemathesis_formats.py"),
    },
    cwd: join(root, ".cache"),
    stdio: "inherit",
  });
  return new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
}
