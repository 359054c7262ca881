import { type ApiOperation, apiOperations, responseOf } from "../../../simulator/schema/api";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { started } from "./support/started";

const NOBODY = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

test.each(Object.entries<ApiOperation>(apiOperations))(
  "the response of %s matches its schema",
  async (_, operation) => {
    const { call, organizationId, accessToken } = await started({ seed: exampleSeed });
    const ids = { organizationId, serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.postgres, id: "alert-errors" };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_text, name: keyof typeof ids) => ids[name]);
    const headers = path.startsWith("/api") ? { authorization: `Bearer ${accessToken}` } : {};
    const response = await call(operation.method, path, operation.body && {}, headers);
    expect(response.status).toBe(200);
    expect(responseOf(operation).safeParse(response.body).error).toBeUndefined();
  },
);

describe("a creation", () => {
  test("responds with the server's defaults, and with a password once", async () => {
    const { create, call, services } = await started();
    const { result } = (await create()).body;
    const { service, password } = result as { service: { id: string }; password: string };
    expect(password).toMatch(/^\S{20,}$/);
    expect(service).toMatchObject({ numReplicas: 3, idleScaling: true, ipAccessList: [], isPrimary: true });
    const read = (await call("GET", `${services}/${service.id}`)).body.result;
    expect(read).toEqual(service);
    for (const name of ["provider", "region", "tier", "releaseChannel", "profile", "complianceType"]) {
      expect(read).not.toHaveProperty(name);
    }
  });

  test.each<[string, object, string]>([
    ["an unknown field", { colour: "red" }, "body has no field colour"],
    ["a name of 51 characters", { name: "x".repeat(51) }, "name"],
    ["a name with a dash", { name: "a-b" }, "name"],
    ["another provider", { provider: "ibm" }, "provider"],
    ["another region", { region: "us-east-3" }, "region"],
    ["too many replicas", { numReplicas: 21 }, "numReplicas"],
    ["no replicas", { numReplicas: 0 }, "numReplicas"],
    ["one replica in the SCALE tier", { numReplicas: 1 }, "numReplicas"],
    ["memory that is not a multiple of 4", { minReplicaMemoryGb: 10 }, "minReplicaMemoryGb"],
    ["memory over 356", { maxReplicaMemoryGb: 360 }, "maxReplicaMemoryGb"],
    ["total memory under 24", { minTotalMemoryGb: 12 }, "minTotalMemoryGb"],
    ["total memory that is not a multiple of 12", { maxTotalMemoryGb: 100 }, "maxTotalMemoryGb"],
    ["an idle timeout under 5", { idleTimeoutMinutes: 4 }, "idleTimeoutMinutes"],
    ["a string for a number", { numReplicas: "3" }, "numReplicas"],
    ["read only outside a warehouse", { isReadonly: true }, "isReadonly"],
    ["BYOC without sizes", { byocId: "b" }, "byocId"],
    ["BYOC with another size", { byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 }, "byocId"],
    ["TDE outside ENTERPRISE", { hasTransparentDataEncryption: true }, "ENTERPRISE"],
    ["a profile outside ENTERPRISE", { profile: "v1-default" }, "ENTERPRISE"],
    ["scaling of a development service", { tier: "development", numReplicas: 2 }, "production"],
    ["a development service on azure", { tier: "development", provider: "azure" }, "azure"],
    ["min over max", { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 }, "minReplicaMemoryGb"],
    ["min over max in total", { minTotalMemoryGb: 48, maxTotalMemoryGb: 24 }, "minTotalMemoryGb"],
    ["a warehouse that does not exist", { dataWarehouseId: NOBODY }, "dataWarehouseId"],
  ])("with %s is refused", async (_, body, says) => {
    const { create } = await started();
    const response = await create(body);
    expect(response.status).toBe(400);
    expect(response.body.error).toContain(says);
  });

  test("in an unpaid organization has lower limits", async () => {
    const { create } = await started({ organization: { paid: false } });
    expect((await create({ maxReplicaMemoryGb: 124 })).status).toBe(400);
    expect((await create({ maxTotalMemoryGb: 372 })).status).toBe(400);
    // An undeclared bound does not conflict.
    expect((await create({ minReplicaMemoryGb: 124 })).status).toBe(400);
    expect((await create({ minTotalMemoryGb: 372 })).status).toBe(400);
    expect((await create({ maxReplicaMemoryGb: 120 })).status).toBe(200);
  });

  test("in the BASIC tier has one replica", async () => {
    const { create } = await started({ organization: { tier: "BASIC" } });
    expect((await create()).body.result?.service).toMatchObject({ numReplicas: 1 });
  });

  test("in an existing warehouse may have one replica and be read-only", async () => {
    const { create } = await started();
    const { service } = (await create()).body.result as { service: { dataWarehouseId: string } };
    const { dataWarehouseId } = service;
    const response = await create({ dataWarehouseId, numReplicas: 1, isReadonly: true });
    expect(response.body.result?.service).toMatchObject({ isPrimary: false, isReadonly: true });
  });
});

describe("a service from a backup", () => {
  const id = "7d0c1d9e-6a52-4b7e-9d01-2c8a51e7b641";
  const organizations = [{ id: NOBODY, backups: [{ id, region: "us-east-1", tier: "production" }] }];

  test.each<[string, number, object]>([
    ["of the same region and tier is made", 200, { backupId: id, region: "us-east-1", tier: "production" }],
    ["in another region is refused", 400, { backupId: id, region: "us-east-2", tier: "production" }],
    ["of another tier is refused", 400, { backupId: id, region: "us-east-1" }],
    ["that does not exist is refused", 400, { backupId: NOBODY, region: "us-east-1", tier: "production" }],
  ])("%s", async (_, status, body) => {
    const { create } = await started({ seed: { organizations } });
    expect((await create(body)).status).toBe(status);
  });
});

describe("a change", () => {
  const [office, ci] = [
    { source: "203.0.113.0/24", description: "office" },
    { source: "198.51.100.7", description: "ci" },
  ];

  test("of a list removes before it adds, and accepts the removal of an absent entry", async () => {
    const { call, created } = await started();
    const path = await created({ ipAccessList: [office] });
    const body = { ipAccessList: { add: [{ ...office, description: "new" }], remove: [office, ci] } };
    expect((await call("PATCH", path, body)).body.result?.ipAccessList).toEqual([{ ...office, description: "new" }]);
  });

  test("of a list compares networks, and adds no entry twice", async () => {
    const { call, created } = await started();
    const path = await created({ ipAccessList: [ci, ci, office] });
    const remove = [{ source: "198.51.100.7/32" }, { source: "203.0.113.9/24" }];
    const response = await call("PATCH", path, { ipAccessList: { add: [office], remove } });
    expect(response.body.result?.ipAccessList).toEqual([office]);
  });

  test.each([
    "300.1.1.1",
    "not an ip",
    "",
    "10.0.0.0/33",
    "2001:db8::/129",
    "fe80::1%eth0",
    "fe80::1%eth0/64",
    "1.2.3",
  ])("of a list takes no entry for %j, neither does a creation or a removal", async (source) => {
    const { call, create, created } = await started();
    const path = await created();
    const entries = [{ source: "198.51.100.7" }, { source }];
    const says = "source: must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24";
    const responses = [
      [await create({ ipAccessList: entries }), `ipAccessList.1.${says}`],
      [await call("PATCH", path, { ipAccessList: { add: entries } }), `ipAccessList.add.1.${says}`],
      [await call("PATCH", path, { ipAccessList: { remove: entries } }), `ipAccessList.remove.1.${says}`],
    ] as const;
    for (const [response, error] of responses) {
      expect([response.status, response.body.error]).toEqual([400, `BAD_REQUEST: ${error}`]);
    }
    expect((await call("GET", path)).body.result?.ipAccessList).toEqual([]);
  });

  test.each(["0.0.0.0/0", "::/0", "2001:DB8::1", "::ffff:192.0.2.1", "203.0.113.77/24", "198.51.100.7"])(
    "of a list accepts %s as it is spelled",
    async (source) => {
      const { call, created } = await started();
      const response = await call("PATCH", await created(), { ipAccessList: { add: [{ source }] } });
      expect(response.body.result?.ipAccessList).toEqual([{ source, description: "" }]);
    },
  );

  test("of a pipe changes only the fields in the request", async () => {
    const { call, services } = await started({ seed: exampleSeed });
    const path = `${services}/a1b2c3d4-0001-4a53-9c1e-000000000001/pipes/b1b2c3d4-0004-4a53-9c1e-000000000004`;
    const before = (await call("GET", path)).body.result as Record<string, Record<string, unknown>>;
    const mapping = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
    const body = {
      name: null,
      source: {
        postgres: { port: 5433, credentials: { username: "u", password: "p" }, tableMappingsToAdd: [mapping] },
      },
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

  test("of a development service's scaling is refused", async () => {
    const { call, created } = await started();
    const path = await created({ tier: "development" });
    expect((await call("PATCH", `${path}/replicaScaling`, { numReplicas: 4 })).status).toBe(400);
  });

  test("accepts ids in upper case, also of objects in a seed", async () => {
    const id = "3F0C1D9E-6A52-4B7E-9D01-2C8A51E7B640";
    const { call } = await started({ seed: { organizations: [{ id, services: [{ id }] }] } });
    for (const text of [id, id.toLowerCase()]) {
      expect((await call("GET", `/v1/organizations/${text}/services/${text}`)).status).toBe(200);
    }
  });

  test("of endpoints enables and disables protocols", async () => {
    const { call, created } = await started();
    const path = await created({ endpoints: [{ protocol: "mysql", enabled: false }] });
    expect((await call("GET", path)).body.result?.endpoints).toEqual([]);
    await call("PATCH", path, { endpoints: [{ protocol: "mysql", enabled: true }] });
    expect((await call("GET", path)).body.result?.endpoints).toMatchObject([{ protocol: "mysql", port: 3306 }]);
  });

  test("of scaling has the same limits", async () => {
    const { call, created } = await started();
    const path = `${await created({ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 64 })}/replicaScaling`;
    expect((await call("PATCH", path, { numReplicas: 5 })).body.result).toMatchObject({ numReplicas: 5 });
    for (const body of [{ numReplicas: 1 }, { maxReplicaMemoryGb: 8 }, { name: "x" }, { idleTimeoutMinutes: 1 }]) {
      expect((await call("PATCH", path, body)).status).toBe(400);
    }
  });

  test("of a field that the service does not support is refused", async () => {
    const { call, created } = await started();
    const path = await created();
    expect((await call("PATCH", path, { transparentDataEncryptionKeyId: "k" })).status).toBe(400);
    expect((await call("PATCH", path, { privateEndpointIds: { add: ["nowhere"] } })).status).toBe(400);
    expect((await call("PATCH", `${await created({ tier: "development" })}`, { releaseChannel: "fast" })).status).toBe(
      400,
    );
  });
});
