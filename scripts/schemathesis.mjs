// Tests the simulator against its own OpenAPI document with schemathesis, in a separate Python environment.
// Not part of `npm test`, because it needs Python 3.10 or later and PyPI. Exits with 1 if there are findings.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuild } from "./setup/build.mjs";
import { lastLines, run } from "./setup/command.mjs";
import { ensureDependencies } from "./setup/dependencies.mjs";
import { during, runMain, SetupError } from "./setup/report.mjs";
import { root } from "./setup/root.mjs";

const VERSION = "4.32.5";
const environment = join(root, ".cache", `schemathesis-${VERSION}`);
const schemathesis = join(environment, "bin", "schemathesis");
const simulator = join(root, "simulator");

await runMain(async () => {
  await ensureDependencies();
  await ensureBuild();
  if (!existsSync(schemathesis)) await during(`installing schemathesis ${VERSION}`, install);
  const { startSimulator } = await import("clouddb-simulator");
  const { close, ...ready } = await startSimulator({
    seed: JSON.parse(readFileSync(join(simulator, "seeds/example.json"), "utf8")),
  });
  try {
    process.exitCode = await runSchemathesis(ready);
  } finally {
    await close();
  }
});

async function install() {
  for (const [command, ...args] of [
    ["python3", "-m", "venv", environment],
    [join(environment, "bin", "pip"), "install", "--quiet", `schemathesis==${VERSION}`],
  ]) {
    const result = await run(command, args);
    if (result.code === 0) continue;
    rmSync(environment, { recursive: true, force: true });
    throw new SetupError(`Installing schemathesis failed; its output follows.\n${lastLines(result)}`);
  }
}

/** @param {{ baseUrl: string, keyId: string, keySecret: string, accessToken: string }} ready */
function runSchemathesis({ baseUrl, keyId, keySecret, accessToken }) {
  const config = join(simulator, "schemathesis.toml");
  const args = ["--config-file", config, "run", join(simulator, "openapi.json"), "--url", baseUrl];
  const child = spawn(schemathesis, [...args, ...process.argv.slice(2)], {
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
