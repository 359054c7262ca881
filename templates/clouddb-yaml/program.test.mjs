// Programs in YAML have no mocks. This test previews the program on Pulumi's engine with the
// policies, in a stack of its own; a simulator takes the place of the API.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { startSimulator } from "clouddb-simulator";

const project = fileURLToPath(new URL(".", import.meta.url));
const policies = [
  "--policy-pack",
  "node_modules/pulumi-clouddb-policies",
  "--policy-pack-config",
  "policies.json",
];
const folder = mkdtempSync(join(tmpdir(), "program-test-"));
let simulator;
let services;

before(async () => {
  simulator = await startSimulator();
  for (const name of ["Pulumi.yaml", "policies.json"])
    cpSync(join(project, name), join(folder, name));
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"), "junction");
  await pulumi("stack", "init", "test");
  const config = { numReplicas: 3, allowedNetwork: "198.51.100.0/24" };
  for (const [key, value] of Object.entries(config))
    await pulumi("config", "set", key, String(value));
  const { steps } = JSON.parse(await pulumi("preview", "--json", ...policies));
  services = steps
    .map(({ newState }) => newState)
    .filter(({ type }) => type === "clouddb:index:Service");
});

after(async () => {
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

async function pulumi(...args) {
  const env = {
    ...process.env,
    PULUMI_BACKEND_URL: pathToFileURL(folder).href,
    PULUMI_CONFIG_PASSPHRASE: "test",
    PULUMI_STACK: "test",
    CLOUDDB_BASE_URL: simulator.baseUrl,
    CLOUDDB_ORGANIZATION_ID: simulator.organizationId,
    CLOUDDB_KEY_ID: simulator.keyId,
    CLOUDDB_KEY_SECRET: simulator.keySecret,
  };
  return (await promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd: folder, env }))
    .stdout;
}

test("there is one service, and it is protected", () => {
  assert.deepEqual(
    services.map(({ urn }) => urn.split("::").at(-1)),
    ["analytics"],
  );
  assert.equal(services[0].protect, true);
});

test("the service has the configured size", () => {
  const { minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas, idleScaling } = services[0].inputs;
  assert.deepEqual(
    [minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas, idleScaling],
    [8, 32, 3, true],
  );
});

test("only the configured network may connect", () => {
  assert.deepEqual(services[0].inputs.ipAccessList, [
    { source: "198.51.100.0/24", description: "office" },
  ]);
});
