// Time that the policy pack adds to a preview, compared in one run with an empty pack and with none.
// The program has only services, half of which violate a policy.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withProject } from "./support/project.mjs";
import { median, printTable } from "./support/table.mjs";
import { root } from "./support/tools.mjs";

/** Rounds by number of services. */
const SIZES = { 100: 5, 1000: 3 };
/** A preview of new services checks the settings and sends nothing. */
const ENVIRONMENT = {
  CLOUDDB_BASE_URL: "http://127.0.0.1:1",
  CLOUDDB_KEY_ID: "bench",
  CLOUDDB_KEY_SECRET: "bench",
  CLOUDDB_ORGANIZATION_ID: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
};

const rows = [];
for (const [size, rounds] of Object.entries(SIZES)) {
  rows.push(await withProject(ENVIRONMENT, (project) => measure(project, size, rounds)));
}
printTable(["services", "no pack", "an empty pack", "the policies", "added to the empty pack"], rows);

async function measure(project, size, rounds) {
  const packs = packsIn(project.folder);
  project.program(
    `const clouddb = require("pulumi-clouddb");
     for (let number = 0; number < ${size}; number += 1) {
       const description = number % 2 === 0 ? "office" : undefined;
       new clouddb.Service("service" + number, {
         provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
         ipAccessList: [{ source: "203.0.113.0/24", description }],
       });
     }`,
  );
  const times = packs.map(() => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, args] of packs.entries()) {
      const { seconds } = await project.pulumi("preview", ...args);
      // The first round is a warm-up.
      if (round > 0) times[index].push(seconds);
    }
  }
  const [none, empty, ours] = times.map(median);
  return [size, ...[none, empty, ours, ours - empty].map((value) => `${value.toFixed(2)} s`)];
}

/** The arguments for no pack, an empty one and ours. */
function packsIn(folder) {
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
  return [[], ["--policy-pack", empty], ["--policy-pack", join(root, "policies"), "--policy-pack-config", settings]];
}
