import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ClassicLevel } from "classic-level";
import { type Seed, startSimulator } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import { createWriter } from "../../simulator/world/memory";
import { started } from "./support/started";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clouddb-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("what was answered is there after a restart, with the same key", async () => {
  const data = join(folder, "new");
  const seed = { organizations: [{ id: "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", tier: "ENTERPRISE" as const }] };
  const first = await started({ data, seed });
  const path = await first.created({ name: "kept", hasTransparentDataEncryption: true });
  await first.call("PATCH", path, { ipAccessList: { add: [{ source: "203.0.113.7" }] } });
  await first.call("PATCH", path.replace(/\/services.*/, ""), { name: "Renamed" });
  await first.call("PUT", "/__admin/credentials", { keySecret: "rotated" });
  const before = (await first.call("GET", "/__admin/state")).body;
  await first.close();

  const second = await started({ data });
  expect(second).toMatchObject({ isResumed: true, organizationId: first.organizationId, keySecret: "rotated" });
  expect((await second.call("GET", "/__admin/state")).body).toEqual(before);
  // A service in the warehouse of one that was kept.
  const { dataWarehouseId } = (await second.call("GET", path)).body.result as { dataWarehouseId: string };
  expect((await second.create({ dataWarehouseId, numReplicas: 1 })).status).toBe(200);
});

test("all kinds of things are kept, in their order, with what changed in a pipe", async () => {
  const id = "fff0c1d9-6a52-4b7e-9d01-2c8a51e7b640";
  const example = exampleSeed as unknown as Required<Seed>;
  const alerts = [...example.alerts, { id: "🚨" }];
  const seed = { ...example, alerts, organizations: [{ id }, ...example.organizations] };
  const first = await started({ data: folder, seed });
  const [organization] = example.organizations;
  const path = `/v1/organizations/${organization?.id}/services/a1b2c3d4-0001-4a53-9c1e-000000000001`;
  await first.call("PATCH", `${path}/pipes/b1b2c3d4-0001-4a53-9c1e-000000000001`, {
    settings: { engine_max_threads: 3 },
  });
  const before = (await first.call("GET", "/__admin/state")).body;
  await first.close();
  const second = await started({ data: folder, keySecret: "given" });
  expect((await second.call("GET", "/__admin/state")).body).toEqual(before);
  expect(second).toMatchObject({ organizationId: id, keySecret: "given" });
});

test("what another release has written is left alone", async () => {
  const store = new ClassicLevel<string, unknown>(folder, { valueEncoding: "json" });
  await store.put("format", 2);
  await store.close();
  await expect(startSimulator({ data: folder })).rejects.toThrow("was written by another release");
});

test("faults are looked at, also where the world goes on", async () => {
  const first = await started({ data: folder });
  await first.close();
  const faults = [{ effect: { kind: "explode" } }] as never;
  await expect(startSimulator({ data: folder, faults })).rejects.toThrow("faults.0.effect");
});

test("writes come one after the other, and a new world after those of the old one", async () => {
  const written: string[] = [];
  const { put, alone } = createWriter(async (entries) => {
    await new Promise((resolve) => setTimeout(resolve, written.length === 0 ? 20 : 1));
    written.push(entries.map(([key, value]) => `${key}${value}`).join());
  });
  const done = [put(["a", 1]), put(["a", 2])];
  await new Promise((resolve) => setTimeout(resolve, 5));
  done.push(
    put(["a", 3]),
    put(["b", 1]),
    alone(async () => void written.push("anew")),
    put(["a", 4]),
  );
  await Promise.all(done);
  expect(written).toEqual(["a2", "a3,b1", "anew", "a4"]);
});

test("a reset is kept, too", async () => {
  const first = await started({ data: folder });
  const path = await first.created();
  await first.call("POST", "/__admin/reset");
  const other = await first.created({ name: "later" });
  await first.close();
  const second = await started({ data: folder });
  expect([(await second.call("GET", path)).status, (await second.call("GET", other)).status]).toEqual([404, 200]);
});

test("a second simulator on a folder says so and ends, and leaves it usable", async () => {
  const first = await started({ data: folder });
  const path = await first.created();
  await expect(startSimulator({ data: folder })).rejects.toThrow(`another simulator uses ${folder}`);
  expect((await first.call("GET", path)).status).toBe(200);
});

test("a folder that cannot be used is said in a sentence", async () => {
  await expect(startSimulator({ data: __filename })).rejects.toThrow(`${__filename} cannot be used to keep data in: `);
});
