import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { exampleStack, newStack, simulated, testHome } from "../engine/support/stack";
import { EXAMPLE, exampleSeed } from "../support/example";
import { expectPipeline } from "../support/pipeline";
import { root } from "../support/root";

const SERVICE = EXAMPLE.service;
const seeded = () => simulated({ seed: exampleSeed });

test("pipeline: the example creates a service, its size and its pipe", async () => {
  const api = await seeded();
  const stack = await exampleStack(api, "pipeline", {
    serviceId: SERVICE,
    pipeId: EXAMPLE.pipes.kafka,
    kafkaPassword: "hush-hush",
  });
  expect(await expectPipeline(api, stack)).toMatch(/totalGb\s*: 192/);
  await stack.refresh("--expect-no-changes");
});

test("shared-access: two stacks add and remove only their own networks", async () => {
  const api = await seeded();
  const team = (...networks: string[]) =>
    exampleStack(api, "shared-access", { serviceId: SERVICE, networks: JSON.stringify(networks) });
  const [web, jobs] = [await team("192.0.2.1"), await team("192.0.2.2", "203.0.113.0/24")];
  await web.up();
  expect(await jobs.up()).toContain("203.0.113.0/24");
  await web.refresh("--expect-no-changes");
  await web.destroy();
  await jobs.destroy();
  const [service] = (await api.services()).filter(({ id }) => id === SERVICE);
  expect(service?.ipAccessList).toEqual([
    { source: "203.0.113.0/24", description: "office" },
    { source: "198.51.100.7", description: "build server" },
  ]);
});

test("`pulumi up` works in the repository's root", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  const name = `check-${process.pid}`;
  try {
    await stack.pulumi("stack", "init", name, "--cwd", root);
    await stack.up("--cwd", root, "--stack", name);
    expect(await api.requestNames()).toEqual(["POST /services"]);
  } finally {
    rmSync(join(root, `Pulumi.${name}.yaml`), { force: true });
  }
});

const hasPytest = spawnSync("python3", ["-m", "pytest", "--version"]).status === 0;
const needsPytest = hasPytest ? "" : " (needs pytest: pip install pytest)";
(hasPytest ? test : test.skip)(
  `simulator-python: its tests pass with the packed simulator${needsPytest}`,
  async () => {
    const folder = mkdtempSync(join(testHome(), "python-"));
    const example = join(root, "examples/simulator-python");
    for (const file of readdirSync(example).filter((file) => file.endsWith(".py"))) {
      cpSync(join(example, file), join(folder, file));
    }
    const args = ["--no-install", "-c", "python3 -m pytest -p no:cacheprovider"];
    const { stdout } = await promisify(execFile)("npx", args, { cwd: folder });
    expect(stdout).toMatch(/= 4 passed in /);
  },
);
