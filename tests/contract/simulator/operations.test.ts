import type { Seed } from "../../../simulator/index";
import { type ApiOperation, apiOperations, responseOf } from "../../../simulator/schema/api";
import { EXAMPLE, EXAMPLE_IDS, exampleSeed, table } from "../../support/example";
import { NOBODY, started } from "./support/started";

test.each(Object.entries<ApiOperation>(apiOperations))(
  "the response of %s matches its schema",
  async (_, operation) => {
    const { call, accessToken } = await started({ seed: exampleSeed });
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (text, name) => EXAMPLE_IDS[name] ?? text);
    const headers = path.startsWith("/api") ? { authorization: `Bearer ${accessToken}` } : {};
    const response = await call(operation.method, path, operation.body && {}, headers);
    expect(response.status).toBe(200);
    expect(responseOf(operation).safeParse(response.body).error).toBeUndefined();
  },
);

test("a created service has the server's defaults, and its password in one response", async () => {
  const { create, call, services } = await started();
  const { result } = (await create()).body;
  const { service, password } = result as { service: { id: string }; password: string };
  expect(password).toMatch(/^\S{20,}$/);
  expect(service).toMatchObject({
    numReplicas: 3,
    idleScaling: true,
    ipAccessList: [],
    isPrimary: true,
  });
  const read = (await call("GET", `${services}/${service.id}`)).body.result;
  expect(read).toEqual(service);
  for (const name of [
    "provider",
    "region",
    "tier",
    "releaseChannel",
    "profile",
    "complianceType",
  ]) {
    expect(read).not.toHaveProperty(name);
  }
});

// The limits of numbers are compared with the specification: see specification.test.ts.
test.each<[string, object, string]>([
  ["an unknown field", { colour: "red" }, "body has no field colour"],
  ["a name of 51 characters", { name: "x".repeat(51) }, "name"],
  ["a name with a dash", { name: "a-b" }, "name"],
  ["another provider", { provider: "ibm" }, "provider"],
  ["another region", { region: "us-east-3" }, "region"],
  ["too many replicas", { numReplicas: 21 }, "numReplicas"],
  ["one replica in the SCALE tier", { numReplicas: 1 }, "numReplicas"],
  ["a string for a number", { numReplicas: "3" }, "numReplicas"],
  ["read only outside a warehouse", { isReadonly: true }, "isReadonly"],
  ["BYOC without sizes", { byocId: "b" }, "byocId"],
  [
    "BYOC with another size",
    { byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 },
    "byocId",
  ],
  ["TDE outside ENTERPRISE", { hasTransparentDataEncryption: true }, "ENTERPRISE"],
  ["a profile outside ENTERPRISE", { profile: "v1-default" }, "ENTERPRISE"],
  ["scaling of a development service", { tier: "development", numReplicas: 2 }, "production"],
  ["a development service on azure", { tier: "development", provider: "azure" }, "azure"],
  ["min over max", { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 }, "minReplicaMemoryGb"],
  ["min over max in total", { minTotalMemoryGb: 48, maxTotalMemoryGb: 24 }, "minTotalMemoryGb"],
  ["a warehouse that does not exist", { dataWarehouseId: NOBODY }, "dataWarehouseId"],
])("a creation with %s is refused", async (_, body, says) => {
  const { create } = await started();
  const response = await create(body);
  expect(response.status).toBe(400);
  expect(response.body.error).toContain(says);
});

// An undeclared bound does not conflict.
test.each<[object, number]>([
  [{ maxReplicaMemoryGb: 124 }, 400],
  [{ maxTotalMemoryGb: 372 }, 400],
  [{ minReplicaMemoryGb: 124 }, 400],
  [{ minTotalMemoryGb: 372 }, 400],
  [{ maxReplicaMemoryGb: 120 }, 200],
])("a creation with %j in an unpaid organization is refused with %i", async (body, status) => {
  const { create } = await started({ organization: { paid: false } });
  expect((await create(body)).status).toBe(status);
});

test("a service created in the BASIC tier has one replica", async () => {
  const { create } = await started({ organization: { tier: "BASIC" } });
  expect((await create()).body.result?.service).toMatchObject({ numReplicas: 1 });
});

test("a service created in an existing warehouse may have one replica and be read-only", async () => {
  const { create } = await started();
  const { service } = (await create()).body.result as { service: { dataWarehouseId: string } };
  const { dataWarehouseId } = service;
  const response = await create({ dataWarehouseId, numReplicas: 1, isReadonly: true });
  expect(response.body.result?.service).toMatchObject({ isPrimary: false, isReadonly: true });
});

test.each<[string, number, object]>([
  ["of the same region and tier is created", 200, { region: "us-east-1", tier: "production" }],
  ["in another region is refused", 400, { region: "us-east-2", tier: "production" }],
  ["of another tier is refused", 400, { region: "us-east-1" }],
  [
    "that does not exist is refused",
    400,
    { backupId: NOBODY, region: "us-east-1", tier: "production" },
  ],
])("a service from a backup %s", async (_, status, body) => {
  const backupId = "7d0c1d9e-6a52-4b7e-9d01-2c8a51e7b641";
  const organizations = [
    { id: NOBODY, backups: [{ id: backupId, region: "us-east-1", tier: "production" }] },
  ];
  const { create } = await started({ seed: { organizations } as Seed });
  expect((await create({ backupId, ...body })).status).toBe(status);
});

const [office, ci] = [
  { source: "203.0.113.0/24", description: "office" },
  { source: "198.51.100.7", description: "ci" },
];
const renamed = { ...office, description: "new" };
const network = (source: string) => ({ source, description: "" });

test.each<[string, object[], object, object[]]>([
  [
    "removes before it adds, also an absent entry",
    [office],
    { add: [renamed], remove: [office, ci] },
    [renamed],
  ],
  [
    "compares networks",
    [ci, office],
    { remove: [{ source: "198.51.100.7/32" }, { source: "203.0.113.9/24" }] },
    [],
  ],
  ["adds no entry twice", [ci, ci, office], { add: [office] }, [ci, office]],
  ...[
    "0.0.0.0/0",
    "::/0",
    "2001:DB8::1",
    "::ffff:192.0.2.1",
    "203.0.113.77/24",
    "198.51.100.7",
  ].map((source): [string, object[], object, object[]] => [
    `keeps the spelling ${source}`,
    [],
    { add: [{ source }] },
    [network(source)],
  ]),
])("a change of an access list %s", async (_, before, ipAccessList, after) => {
  const { call, created } = await started();
  const response = await call("PATCH", await created({ ipAccessList: before }), { ipAccessList });
  expect(response.body.result?.ipAccessList).toEqual(after);
});

test("a changed access list accepts only addresses and networks, as in a creation", async () => {
  const { call, create, created } = await started();
  const path = await created();
  const says = "source: must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24";
  const wrong = [
    "300.1.1.1",
    "not an ip",
    "",
    "10.0.0.0/33",
    "2001:db8::/129",
    "fe80::1%eth0",
    "fe80::1%eth0/64",
  ];
  for (const source of [...wrong, "1.2.3"]) {
    const entries = [{ source: "198.51.100.7" }, { source }];
    const responses = [
      await create({ ipAccessList: entries }),
      await call("PATCH", path, { ipAccessList: { add: entries } }),
      await call("PATCH", path, { ipAccessList: { remove: entries } }),
    ];
    expect(responses.map(({ status, body }) => `${status} ${body.error}`)).toEqual([
      `400 BAD_REQUEST: ipAccessList.1.${says}`,
      `400 BAD_REQUEST: ipAccessList.add.1.${says}`,
      `400 BAD_REQUEST: ipAccessList.remove.1.${says}`,
    ]);
  }
  expect((await call("GET", path)).body.result?.ipAccessList).toEqual([]);
});

test("a change of a pipe changes only the fields in the request", async () => {
  const { call, services } = await started({ seed: exampleSeed });
  const path = `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.postgres}`;
  const before = (await call("GET", path)).body.result as Record<string, Record<string, unknown>>;
  const mapping = table("orders");
  const credentials = { username: "u", password: "p" };
  const body = {
    name: null,
    source: { postgres: { port: 5433, credentials, tableMappingsToAdd: [mapping] } },
    settings: { engine_max_threads: 3 },
  };
  const after = (await call("PATCH", path, body)).body.result as typeof before;
  expect(after).toMatchObject({ name: before.name, destination: before.destination });
  expect(after.settings).toEqual({ ...before.settings, engine_max_threads: 3 });
  expect(after.source?.postgres).toMatchObject({ host: "pg.example.com", port: 5433 });
  expect(after.source?.postgres).not.toHaveProperty("credentials");
  expect(after.source?.postgres).toHaveProperty("tableMappings.length", 3);
  expect(after.updatedAt).not.toBe(before.updatedAt);
  expect((await call("GET", `${path}/settings`)).body.result).toEqual(after.settings);
  expect((await call("PATCH", path, { source: { kafka: { iamRole: "r" } } })).status).toBe(400);
});

test("ids in upper case are accepted, even for seeded objects", async () => {
  const id = NOBODY.toUpperCase();
  const { call } = await started({ seed: { organizations: [{ id, services: [{ id }] }] } });
  for (const text of [id, NOBODY]) {
    expect((await call("GET", `/v1/organizations/${text}/services/${text}`)).status).toBe(200);
  }
});

test("a change of endpoints enables and disables protocols", async () => {
  const { call, created } = await started();
  const path = await created({ endpoints: [{ protocol: "mysql", enabled: false }] });
  expect((await call("GET", path)).body.result?.endpoints).toEqual([]);
  await call("PATCH", path, { endpoints: [{ protocol: "mysql", enabled: true }] });
  expect((await call("GET", path)).body.result?.endpoints).toMatchObject([
    { protocol: "mysql", port: 3306 },
  ]);
});

const scaled = { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 };
const development = { tier: "development" };
test.each<[string, number, object, string, object]>([
  ["the number of replicas", 200, scaled, "/replicaScaling", { numReplicas: 5 }],
  ["the number of replicas to one", 400, scaled, "/replicaScaling", { numReplicas: 1 }],
  [
    "one bound of the memory beyond the other",
    400,
    scaled,
    "/replicaScaling",
    { maxReplicaMemoryGb: 8 },
  ],
  ["the name with the scaling", 400, scaled, "/replicaScaling", { name: "x" }],
  ["the idle timeout to a minute", 400, scaled, "/replicaScaling", { idleTimeoutMinutes: 1 }],
  ["a development service's scaling", 400, development, "/replicaScaling", { numReplicas: 4 }],
  ["a development service's release channel", 400, development, "", { releaseChannel: "fast" }],
  ["the key of a service without encryption", 400, {}, "", { transparentDataEncryptionKeyId: "k" }],
  [
    "a private endpoint that does not exist",
    400,
    {},
    "",
    { privateEndpointIds: { add: ["nowhere"] } },
  ],
])("a change of %s gets the status %i", async (_, status, body, path, change) => {
  const { call, created } = await started();
  expect((await call("PATCH", `${await created(body)}${path}`, change)).status).toBe(status);
});
