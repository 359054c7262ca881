import { type Seed, startSimulator } from "../../../simulator/index";
import { started } from "./support/started";

const NOBODY = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

test.each<[string, object, string]>([
  ["an unknown member", { organisations: [] }, "has no field organisations"],
  ["an invalid date", { organizations: [{ id: NOBODY, createdAt: "yesterday" }] }, "createdAt"],
  [
    "an organization twice",
    { organizations: [{ id: NOBODY }, { id: NOBODY.toUpperCase() }] },
    "duplicate organization",
  ],
  ["an unknown effect", { faults: [{ effect: { kind: "explode" } }] }, "faults.0.effect"],
  [
    "an access entry that is not a network",
    { organizations: [{ id: NOBODY, services: [{ id: NOBODY, create: { ipAccessList: [{ source: "office" }] } }] }] },
    "ipAccessList.0.source: must be an IPv4",
  ],
])("a seed with %s is refused, at the start and later", async (_, seed, says) => {
  await expect(startSimulator({ seed: seed as Seed })).rejects.toThrow(says);
  const { call, created } = await started();
  const path = await created();
  const response = await call("PUT", "/__admin/seed", seed);
  expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(says)]);
  expect((await call("GET", path)).status).toBe(200);
});

test.each<[string, object, string]>([
  ["faults", { faults: [{ effect: { kind: "explode" } }] }, "invalid options: faults.0.effect"],
  ["an organization", { organization: { id: "x" } }, "invalid options: seed.organizations.0.id: must be a UUID"],
  [
    "a rate limit",
    { rateLimit: { requests: 0, seconds: 1 } },
    "invalid options: rateLimit.requests: expected number to be >=1",
  ],
  ["an empty secret", { keySecret: "" }, "invalid options: keySecret: expected string to have >=1 characters"],
])("%s that cannot be used are refused under their own name", async (_, options, says) => {
  await expect(startSimulator(options)).rejects.toThrow(says);
});

test("a pipe of a seed has all of its parts", async () => {
  const organizations = [{ id: NOBODY, services: [{ id: NOBODY, pipes: [{ id: NOBODY, source: { postgres: {} } }] }] }];
  const { call } = await started({ seed: { organizations } as Seed });
  const path = `/v1/organizations/${NOBODY}/services/${NOBODY}/pipes/${NOBODY}`;
  expect((await call("GET", `${path}/settings`)).body.result).toEqual({});
  const mapping = { sourceSchemaName: "s", sourceTable: "t", targetTable: "t" };
  const response = await call("PATCH", path, { source: { postgres: { tableMappingsToAdd: [mapping] } } });
  expect(response.body.result?.source).toMatchObject({ postgres: { tableMappings: [mapping] } });
});
