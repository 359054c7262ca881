// What the policy pack adds to a preview, beside a pack without policies and no pack at all, in one run each.
// The program has services alone, half of them with something to say about.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureAll } from "../scripts/setup/all.mjs";
import { withEngine } from "../scripts/setup/engine.mjs";
import { root } from "../scripts/setup/root.mjs";

/** How often for how many services. */
const SIZES = { 100: 5, 1000: 3 };

const engine = await ensureAll();
mkdirSync(join(root, ".cache"), { recursive: true });
const folder = mkdtempSync(join(root, ".cache", "bench-"));
try {
  const empty = join(folder, "empty");
  mkdirSync(empty);
  const yaml = "runtime:\n  name: nodejs\n  options:\n    typescript: false\n";
  writeFileSync(join(empty, "PulumiPolicy.yaml"), yaml);
  writeFileSync(join(empty, "package.json"), '{"name":"empty","version":"1.0.0","main":"index.js"}');
  writeFileSync(
    join(empty, "index.js"),
    'const p = require("@pulumi/policy"); new p.PolicyPack("empty", { policies: [] });',
  );
  const settings = join(folder, "policies.json");
  writeFileSync(settings, '{"capacity-budget":{"maxTotalGb":1000000}}');
  const packs = {
    "no pack": [],
    "an empty pack": ["--policy-pack", empty],
    "the policies": ["--policy-pack", join(root, "policies"), "--policy-pack-config", settings],
  };
  console.log("| services | no pack | an empty pack | the policies | added to the empty pack |\n|---|---|---|---|---|");
  for (const [size, rounds] of Object.entries(SIZES)) measure(size, rounds, packs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(size, rounds, packs) {
  const project = join(folder, `project-${size}`);
  mkdirSync(join(project, "state"), { recursive: true });
  writeFileSync(join(project, "Pulumi.yaml"), "name: bench\nruntime: nodejs\n");
  writeFileSync(join(project, "package.json"), '{"name":"bench","main":"index.js"}');
  writeFileSync(
    join(project, "index.js"),
    `const clouddb = require("pulumi-clouddb");
     for (let number = 0; number < ${size}; number += 1) {
       const description = number % 2 === 0 ? "office" : undefined;
       new clouddb.Service("service" + number, {
         provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
         ipAccessList: [{ source: "203.0.113.0/24", description }],
       });
     }`,
  );
  const env = {
    ...withEngine(engine),
    PULUMI_HOME: join(project, "home"),
    PULUMI_BACKEND_URL: `file://${join(project, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    CLOUDDB_ORGANIZATION_ID: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
  };
  const pulumi = (...args) =>
    execFileSync("pulumi", [...args, "--non-interactive"], {
      cwd: project,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  pulumi("stack", "init", "dev");
  const times = Object.fromEntries(Object.keys(packs).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(packs)) {
      const startedAt = performance.now();
      pulumi("preview", ...args);
      // The first round only warms up.
      if (round > 0) times[name].push((performance.now() - startedAt) / 1000);
    }
  }
  const [none, empty, ours] = Object.values(times).map(
    (values) => values.sort((a, b) => a - b)[Math.floor(rounds / 2)],
  );
  const seconds = (value) => `${value.toFixed(2)} s`;
  console.log(`| ${size} | ${seconds(none)} | ${seconds(empty)} | ${seconds(ours)} | ${seconds(ours - empty)} |`);
}
