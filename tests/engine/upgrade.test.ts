import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../provider/package.json";
import type { Seed } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import { expectOk, newStack, simulated } from "./support/stack";

/**
 * One recorded state for each release. Later releases must find nothing to change in it.
 * CLOUDDB_RECORD=1 records the state of this release, if there is none yet.
 */
const folder = join(__dirname, "states");
const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";

/** Every resource type, with all sorts of arguments. The program of a recorded state never changes. */
const PROGRAM = `
  new clouddb.Service("created", {
    provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
    idleTimeoutMinutes: 10, encryptionKey: "disk-key", releaseChannel: "default",
    ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }],
    privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"], endpoints: [{ protocol: "mysql", enabled: true }],
  });
  new clouddb.Service("adopted", { existingServiceId: "${ID}", ipAccessList: [] });
  new clouddb.ServiceScaling("size", { serviceId: "${ID}", numReplicas: 4, idleScaling: false });
  new clouddb.Pipe("orders", {
    serviceId: "${ID}", pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001", name: "all orders",
    source: { kafka: { credentials: { username: "reader", password: "kafka-password" } } },
    settings: { streamingMaxInsertWaitMs: 5000 },
  });
  new clouddb.Organization("us", { name: "Renamed", privateEndpoints: [{ id: "vpce-9", description: "nine" }] });
`;

test("this release has a recorded state", async () => {
  const file = join(folder, `${version}.json`);
  if (process.env.CLOUDDB_RECORD !== undefined && !existsSync(file)) {
    const api = await simulated({ seed: exampleSeed as unknown as Seed });
    const stack = await newStack(api, PROGRAM);
    await expectOk(stack.up());
    writeFileSync(file, await expectOk(stack.pulumi("stack", "export", "--show-secrets")));
  }
  expect(existsSync(file)).toBe(true);
});

test.each(readdirSync(folder))("the state of %s needs no change, and no request", async (name) => {
  const api = await simulated({ seed: exampleSeed as unknown as Seed });
  const stack = await newStack(api, PROGRAM);
  await expectOk(stack.pulumi("stack", "import", "--file", join(folder, name)));
  const preview = await expectOk(stack.preview());
  expect(preview).toMatch(/Resources:\s+6 unchanged/);
  expect(await api.requests()).toEqual([]);
  // Secrets are still encrypted in the state.
  const stored = JSON.stringify(await stack.resources());
  for (const secret of ["disk-key", "kafka-password"]) expect(stored).not.toContain(secret);
  expect(readFileSync(join(folder, name), "utf8")).toContain("disk-key");
});
