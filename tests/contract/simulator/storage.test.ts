import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { type Seed, startSimulator } from "../../../simulator/index";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { temporaryFolder } from "../../support/temporary-folder";
import { NOBODY, started } from "./support/started";

let folder = "";
beforeEach(() => {
  folder = temporaryFolder("memory");
});

test("every confirmed change of every object survives a restart, in order, with the same key", async () => {
  const data = join(folder, "new");
  const example = exampleSeed as Required<Seed>;
  const [organization] = example.organizations;
  const organizations = [{ id: NOBODY, tier: "ENTERPRISE" as const }, ...example.organizations];
  const seed = { ...example, alerts: [...example.alerts, { id: "🚨" }], organizations };
  const first = await started({ data, seed, keySecret: "first" });
  const path = await first.created({ name: "kept", hasTransparentDataEncryption: true });
  await first.call("PATCH", path, { ipAccessList: { add: [{ source: "203.0.113.7" }] } });
  await first.call("PATCH", path.replace(/\/services.*/, ""), { name: "Renamed" });
  const pipe = `/v1/organizations/${organization?.id}/services/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`;
  await first.call("PATCH", pipe, { settings: { engine_max_threads: 3 } });
  const before = await first.admin("state");
  await first.close();

  const second = await started({ data });
  expect(second).toMatchObject({ isResumed: true, organizationId: NOBODY, keySecret: "first" });
  expect(await second.admin("state")).toEqual(before);
  // A service in the warehouse of a stored one.
  const { dataWarehouseId } = (await second.call("GET", path)).body.result as {
    dataWarehouseId: string;
  };
  expect((await second.create({ dataWarehouseId, numReplicas: 1 })).status).toBe(200);
  await second.close();
  expect(await started({ data, keySecret: "given" })).toMatchObject({ keySecret: "given" });
});

test.each([
  ["another program", "CURRENT", "MANIFEST-000005\n"],
  ["a later release", "state.json", JSON.stringify({ format: 3 })],
])("a folder with data of %s is refused and left unchanged", async (_, name, content) => {
  writeFileSync(join(folder, name), content);
  await expect(startSimulator({ data: folder })).rejects.toThrow(
    `${folder} contains data of another release or another program; choose another folder with --data`,
  );
  expect(readdirSync(folder)).toEqual([name]);
  expect(readFileSync(join(folder, name), "utf8")).toBe(content);
});

test.each<[string, () => string]>([
  ["a file", () => __filename],
  ["a folder that the system refuses", () => "/proc/nowhere/data"],
  ["a folder in a device", () => "/dev/null/data"],
  [
    "a dangling link",
    () => {
      symlinkSync("/proc/nowhere", join(folder, "link"));
      return join(folder, "link");
    },
  ],
])("%s in place of the data folder is reported in one sentence", async (_, prepare) => {
  const data = prepare();
  await expect(startSimulator({ data })).rejects.toThrow(`cannot store data in ${data}: `);
});

test("fault rules are validated even if a stored state is used", async () => {
  await (await started({ data: folder })).close();
  const faults = [{ effect: { kind: "explode" } }] as never;
  await expect(startSimulator({ data: folder, faults })).rejects.toThrow("faults.0.effect");
});

test("a second simulator on a folder fails, and the first one keeps working", async () => {
  const first = await started({ data: folder });
  const path = await first.created();
  await expect(startSimulator({ data: folder })).rejects.toThrow(
    `another simulator uses ${folder}`,
  );
  expect((await first.call("GET", path)).status).toBe(200);
});

test.each([
  ["half a file", '{ "format": 2, "services": ['],
  ["a missing list", JSON.stringify({ format: 2, services: [] })],
])("%s is reported with its folder and advice", async (_, content) => {
  writeFileSync(join(folder, "state.json"), content);
  await expect(startSimulator({ data: folder })).rejects.toThrow(
    new RegExp(
      `^${folder} is corrupted \\(.+\\); restore it from a backup or choose another folder with --data$`,
    ),
  );
});

test("the process id of an ended simulator does not block its folder", async () => {
  await (await started({ data: folder })).close();
  // More than the largest process id of Linux.
  for (const owner of ["4194305", ""]) {
    writeFileSync(join(folder, "pid"), owner);
    await (await startSimulator({ data: folder })).close();
  }
});

test("another program with the process id of a former simulator does not block its folder", async () => {
  const first = await started({ data: folder });
  const owner = readFileSync(join(folder, "pid"), "utf8");
  await first.close();
  // The first process of a system, since a parent can have the same start as its child.
  writeFileSync(join(folder, "pid"), owner.replace(`${process.pid}`, "1"));
  await (await startSimulator({ data: folder })).close();
});

test("only the user can read the stored key", async () => {
  const data = join(folder, "new");
  await started({ data });
  expect(statSync(data).mode & 0o077).toBe(0);
  expect(statSync(join(data, "state.json")).mode & 0o077).toBe(0);
});

/** Lets all writes fail as on a full disk, until the returned function is called. */
function fill(): () => void {
  const error = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    errno: -constants.errno.ENOSPC,
  });
  const write = jest.spyOn(promises, "writeFile").mockRejectedValue(error);
  return () => write.mockRestore();
}
afterEach(() => jest.restoreAllMocks());

test.each<[string, string, string, object | undefined]>([
  ["a creation", "POST", "ORGANIZATION/services", {}],
  [
    "a change",
    "PATCH",
    "SERVICE",
    { name: "after", ipAccessList: { add: [{ source: "203.0.113.7" }] } },
  ],
  ["scaling", "PATCH", "SERVICE/replicaScaling", { numReplicas: 5 }],
  [
    "the organization's change",
    "PATCH",
    "ORGANIZATION",
    { name: "after", privateEndpoints: { add: [{ id: "vpce-1" }] } },
  ],
  ["a reset", "POST", "/__admin/reset", undefined],
  ["another seed", "PUT", "/__admin/seed", {}],
])(
  "%s that could not be stored has no effect, now or after a restart",
  async (_, method, path, body) => {
    const first = await started({ data: folder });
    const service = await first.created({ name: "before" });
    const before = await first.admin("state");
    const organization = service.replace(/\/services.*/, "");
    const target = path.replace("ORGANIZATION", organization).replace("SERVICE", service);
    const empty = fill();
    const response = await first.call(method, target, body);
    expect([response.status, response.body]).toEqual([
      500,
      {
        requestId: expect.any(String),
        error:
          "INTERNAL_ERROR: the change could not be stored and was not made: no space left on device",
        status: 500,
      },
    ]);
    expect(await first.admin("state")).toEqual(before);
    expect((await first.call("GET", service)).status).toBe(200);
    empty();
    expect((await first.call(method, target, body)).status).toBe(200);
    const after = await first.admin("state");
    await first.close();
    const second = await started({ data: folder });
    expect(await second.admin("state")).toEqual(after);
  },
);

test("a request during a write neither sees nor uses data that is not stored", async () => {
  const first = await started({ data: folder });
  const path = await first.created({ name: "before" });
  const empty = fill();
  const responses = await Promise.all([
    first.call("PATCH", path, { name: "one" }),
    first.call("GET", path),
    first.call("PATCH", path, { ipAccessList: { add: [{ source: "203.0.113.7" }] } }),
    first.call("GET", path),
  ]);
  empty();
  expect(responses.map(({ status }) => status)).toEqual([500, 200, 500, 200]);
  for (const seen of [responses[1], responses[3], await first.call("GET", path)]) {
    expect(seen?.body.result).toMatchObject({ name: "before", ipAccessList: [] });
  }
});

test("a full disk at the start is reported with the folder", async () => {
  const empty = fill();
  await expect(startSimulator({ data: folder })).rejects.toThrow(
    `cannot write to ${folder}: no space left on device`,
  );
  empty();
});

test("a reset during other writes is stored completely", async () => {
  const first = await started({ data: folder });
  const write = async (name: string) => {
    const path = await first.created({ name });
    await first.call("PATCH", path, { name: `${name} later` });
  };
  await Promise.allSettled([
    ...["a", "b", "c", "d"].map(write),
    first.call("POST", "/__admin/reset"),
    ...["e", "f", "g", "h"].map(write),
  ]);
  const before = await first.admin("state");
  await first.close();
  expect(await (await started({ data: folder })).admin("state")).toEqual(before);
});
