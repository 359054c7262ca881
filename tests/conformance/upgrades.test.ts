import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EVERYTHING } from "../engine/support/programs";
import { environmentIn, pluginPath, simulated, testHome } from "../engine/support/stack";
import { EXAMPLE, exampleSeed } from "../support/example";
import { root } from "../support/root";
import { conclude } from "./support/conclude";
import { judge, testWithGo, versionOf } from "./support/go";

const STATES = join(root, "tests/engine/states");

/** One object of each type, with arguments that the API returns. */
const IMPORTED = `
  new clouddb.Service("created", {
    name: "created", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
    ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }],
    privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"], endpoints: [{ protocol: "mysql", enabled: true }],
  });
  new clouddb.ServiceScaling("size", { serviceId: "${EXAMPLE.otherService}", numReplicas: 4 });
  new clouddb.Pipe("orders", { serviceId: "${EXAMPLE.service}", pipeId: "${EXAMPLE.pipes.kafka}", name: "all orders" });
  new clouddb.Organization("us", { name: "Renamed" });
`;

testWithGo("every recorded release is upgraded without a change, and an import equals a creation", async () => {
  const api = await simulated({ seed: exampleSeed });
  const folder = mkdtempSync(join(testHome(), "upgrades-"));
  for (const [name, text] of Object.entries({ upgrade: EVERYTHING, import: IMPORTED })) {
    mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, name, "Pulumi.yaml"), "name: test\nruntime: nodejs\nmain: index.js\n");
    writeFileSync(join(folder, name, "index.js"), `const clouddb = require("pulumi-clouddb/native");\n${text}`);
  }
  for (const state of readdirSync(STATES)) {
    cpSync(join(STATES, state), join(folder, "releases", state.replace(".json", ""), "stack.json"));
  }
  // A change that the judge has to find.
  const control = readFileSync(join(STATES, "0.1.0-native.json"), "utf8").replaceAll(
    '"numReplicas": 3',
    '"numReplicas": 2',
  );
  mkdirSync(join(folder, "releases/control"));
  writeFileSync(join(folder, "releases/control/stack.json"), control);
  const { cases, failures } = await judge("upgrades", {
    ...(await environmentIn(folder, api)),
    PROGRAMS: folder,
    RELEASES: join(folder, "releases"),
    PLUGIN: pluginPath(),
    PULUMITEST_TEMP_DIR: folder,
  });
  conclude({ source: "Pulumi's providertest", version: versionOf("github.com/pulumi/providertest") }, cases, failures);
  // The updates after the imports only send what the API cannot read.
  const sent = (await api.requests()).map(({ request }) => request).filter((request) => !request.startsWith("GET"));
  expect(sent.sort()).toEqual([
    "PATCH ",
    "PATCH ",
    "PATCH /services/{id}",
    "PATCH /services/{id}/pipes/{id}",
    "PATCH /services/{id}/replicaScaling",
    "POST /services",
  ]);
});
