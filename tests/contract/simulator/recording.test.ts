import type { Recording } from "../../../simulator/index";
import { exampleSeed as seed } from "../../support/example";
import { started } from "./support/started";

const ORGANIZATION = "/v1/organizations/{organization}";

/** Creates two services in one order or the other, and changes both. */
async function run(names: readonly string[]): Promise<Recording> {
  const { create, call, services, recording } = await started();
  const ids = new Map<string, { id: string; dataWarehouseId: string }>();
  for (const name of names) {
    const { service } = (await create({ name, encryptionKey: "d1sk-key" })).body.result as never;
    ids.set(name, service);
  }
  for (const name of names) {
    const path = `${services}/${ids.get(name)?.id}`;
    await call("GET", `${path}?at=2026-03-01T09:30:00.123Z`);
    await call("PATCH", path, names[0] === name ? { releaseChannel: "fast", name } : { name, releaseChannel: "fast" });
  }
  await create({ name: "second", dataWarehouseId: ids.get("db 1")?.dataWarehouseId });
  return recording();
}

test("is the same for each run, whatever its ids and the order of requests to different objects", async () => {
  const recording = await run(["db 1", "db 2"]);
  expect(await run(["db 2", "db 1"])).toEqual(recording);
  const service = (name: string) => [
    {
      method: "POST",
      path: `${ORGANIZATION}/services`,
      body: { encryptionKey: "[secret]", name },
      status: 200,
    },
    { method: "GET", path: `${ORGANIZATION}/services/{service ${name}}?at={time}`, status: 200 },
    {
      method: "PATCH",
      path: `${ORGANIZATION}/services/{service ${name}}`,
      body: { name, releaseChannel: "fast" },
      status: 200,
    },
  ];
  expect(recording.requests).toEqual([
    ...service("db 1"),
    ...service("db 2"),
    {
      method: "POST",
      path: `${ORGANIZATION}/services`,
      body: { dataWarehouseId: "{warehouse db 1}", name: "second" },
      status: 200,
    },
  ]);
  // The order of members would show in a file.
  expect(Object.keys(recording.requests[2]?.body as object)).toEqual(["name", "releaseChannel"]);
});

test("names the objects of a seed, and distinguishes two of the same name", async () => {
  const { services, call, created, recording } = await started({ seed });
  const path = `${services}/A1B2C3D4-0001-4a53-9c1e-000000000001`;
  await call("GET", `${path}/pipes/b1b2c3d4-0001-4a53-9c1e-000000000001`);
  await call("PATCH", path, { releaseChannel: "slow" });
  await call("GET", await created({ name: "Analytics" }));
  await call("GET", "/v1/organizations/3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640/services");
  const { requests } = recording();
  expect(requests.map(({ path, status }) => [path, status])).toEqual([
    ["/v1/organizations/3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640/services", 405],
    [`${ORGANIZATION}/services`, 200],
    [`${ORGANIZATION}/services/{service Analytics 2}`, 200],
    [`${ORGANIZATION}/services/{service Analytics}`, 200],
    [`${ORGANIZATION}/services/{service Analytics}/pipes/{pipe orders}`, 200],
  ]);
});

test("contains requests without a response, and those of the admin API not", async () => {
  const { call, create, recording } = await started();
  await call("PUT", "/__admin/faults", { faults: [{ times: 1, effect: { kind: "reset", when: "after" } }] });
  await expect(create({ name: "lost" })).rejects.toThrow();
  await create({ name: "found" });
  const { body } = await call("GET", "/__admin/recording");
  expect(body).toEqual(recording());
  expect(recording().requests.map(({ body, status }) => [body, status])).toEqual([
    [{ name: "found" }, 200],
    [{ name: "lost" }, 0],
  ]);
  await call("DELETE", "/__admin/requests");
  expect(recording()).toEqual({ requests: [] });
});

test("is compared with another one by the admin API", async () => {
  const { created, call, recording } = await started();
  const path = await created({ name: "db" });
  const expected = recording();
  const compare = async (body: unknown) => (await call("POST", "/__admin/recording", body)).body as unknown;
  expect(await compare(expected)).toEqual({ difference: null });
  await call("GET", path);
  expect(await compare(expected)).toEqual({
    difference: `  … 1 equal request\n+ GET ${ORGANIZATION}/services/{service db} → 200\n`,
  });
  expect(await compare({ requests: "none" })).toMatchObject({ status: 400 });
  const long = { method: "GET", path: "/v1/long", status: 404, body: "x".repeat(2 * 1024 * 1024) };
  expect(await compare({ requests: [long] })).toEqual({ difference: expect.stringContaining("- GET /v1/long") });
});
