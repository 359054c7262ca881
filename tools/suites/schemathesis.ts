import { join } from "node:path";
import versions from "../../versions.json";
import { ensureBuild } from "../setup/build";
import { ensurePythonCommand } from "../setup/registry-command";
import { run } from "../support/process";
import { root, textOf } from "../support/repository";
import type { Row } from "./row";

const simulator = join(root, "simulator");

/** Tests the simulator against its own OpenAPI document with schemathesis, in a separate Python environment. */
export async function testSchemathesis(): Promise<Row> {
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
    const options = { env, cwd: join(root, ".cache") };
    const { code, stdout, stderr } = await run(schemathesis, [...config, "run", ...target], options);
    process.stdout.write(stdout + stderr);
    const [, cases = 0, passed = 0] = /(\d+) generated, (\d+) passed/.exec(stdout) ?? [];
    const version = versions.pythonTools.schemathesis;
    const failures = code === 0 ? 0 : Math.max(1, Number(cases) - Number(passed));
    return { suite: "schemathesis", source: "schemathesis on PyPI", version, cases: Number(cases), failures };
  } finally {
    await api.close();
  }
}
