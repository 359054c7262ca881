// Tests the simulator against its own OpenAPI document with schemathesis, in a separate Python environment.
// Not part of `npm test`, because it needs Python and PyPI. Exits with 1 if there are findings.
import { join } from "node:path";
import { ensureBuild } from "./setup/build";
import { ensurePythonCommand } from "./setup/registry-command";
import { run } from "./support/process";
import { root, textOf } from "./support/repository";

const simulator = join(root, "simulator");

export async function main(): Promise<void> {
  await ensureBuild();
  const schemathesis = await ensurePythonCommand("schemathesis");
  const { startSimulator } = await import("clouddb-simulator");
  const api = await startSimulator({ seed: JSON.parse(textOf("simulator/seeds/example.json")) });
  try {
    const config = ["--config-file", join(simulator, "schemathesis.toml")];
    const target = [join(simulator, "openapi.json"), "--url", api.baseUrl];
    const env = {
      ...process.env,
      CLOUDDB_KEY_ID: api.keyId,
      CLOUDDB_KEY_SECRET: api.keySecret,
      CLOUDDB_ACCESS_TOKEN: api.accessToken,
      SCHEMATHESIS_HOOKS: join(simulator, "schemathesis_formats.py"),
    };
    const options = { env, cwd: join(root, ".cache"), stdio: "inherit" } as const;
    const { code } = await run(schemathesis, [...config, "run", ...target, ...process.argv.slice(2)], options);
    process.exitCode = code;
  } finally {
    await api.close();
  }
}
