import { ci, office, useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

const setup = useServices();

describe("adopting", () => {
  const existing = async (body: Properties = {}) =>
    String(((await setup.api.change("POST", "", { name: "old", ...body })).service as Properties).id);

  test("an adoption reads, and sends nothing if nothing differs", async () => {
    const existingServiceId = await existing({ numReplicas: 4 });
    const { id, outs } = await setup.handlers.create(await setup.checkArgs({ existingServiceId, numReplicas: 4 }));
    expect(id).toBe(existingServiceId);
    expect(outs).toMatchObject({ name: "old", numReplicas: 4 });
    expect(await setup.api.requests()).toMatchObject([{ request: "GET /services/{id}" }]);
  });

  test("an adoption updates only what differs", async () => {
    const existingServiceId = await existing({ ipAccessList: [office, ci], endpoints: [] });
    await setup.handlers.create(
      await setup.checkArgs({
        existingServiceId,
        ipAccessList: [office],
        endpoints: [{ protocol: "mysql", enabled: true }],
      }),
    );
    expect(await setup.api.requests()).toMatchObject([
      { request: "GET /services/{id}" },
      { request: "PATCH /services/{id}", body: { ipAccessList: { remove: [ci] } } },
    ]);
  });

  test("an adoption rejects a difference that only a creation could set", async () => {
    const existingServiceId = await existing({ hasTransparentDataEncryption: true });
    const failure = await failureOf(
      setup.handlers.create(
        await setup.checkArgs({ existingServiceId, hasTransparentDataEncryption: false, region: "us-east-1" }),
      ),
    );
    expect(failure.message).toContain("hasTransparentDataEncryption is true but the program declares false");
    expect(await setup.api.requests()).toHaveLength(1);
  });

  test("existingServiceId causes no change if it stays, is removed or is the service's own id", async () => {
    const existingServiceId = await existing();
    const { id, outs } = await setup.handlers.create(await setup.checkArgs({ existingServiceId }));
    for (const args of [{ existingServiceId }, {}]) {
      const inputs = await setup.checkArgs(args, { existingServiceId });
      expect(await setup.handlers.diff(id, outs as Properties, inputs)).toMatchObject({ changes: false, replaces: [] });
    }
    const other = await setup.createService({});
    const own = await setup.checkArgs({ existingServiceId: other.id }, other.inputs);
    expect(await setup.handlers.diff(other.id, other.outs, { ...own, name: "db" })).toMatchObject({ changes: false });
    const another = await setup.checkArgs({ existingServiceId: setup.simulator.organizationId });
    expect(await setup.handlers.diff(id, outs as Properties, another)).toMatchObject({
      replaces: ["existingServiceId"],
    });
  });

  test("an adoption never compares an argument that only a creation sends and no response shows", async () => {
    const args = { existingServiceId: await existing(), region: "us-east-1", encryptionKey: "one" };
    const { id, outs = {} } = await setup.handlers.create(await setup.checkArgs(args));
    const inputs = await setup.checkArgs({ ...args, region: "eu-west-1", encryptionKey: "two" }, args);
    for (const declared of [inputs, await setup.checkArgs({ region: "eu-west-1", encryptionKey: "two" }, args)]) {
      expect(await setup.handlers.diff(id, outs, declared)).toMatchObject({ replaces: [] });
      expect(setup.messages.at(-1)).toBe(
        `The API does not show region, encryptionKey of service ${id}, which was adopted: the new value is only recorded in the state. [CDB5010]`,
      );
    }
    await setup.api.requests();
    const { outs: updated = {} } = await setup.handlers.update(id, outs, inputs);
    expect(await setup.api.requests()).toEqual([]);
    expect(updated).toMatchObject({ region: "eu-west-1", encryptionKey: "two" });
    expect(await setup.handlers.diff(id, updated, inputs)).toMatchObject({ changes: false });
    const elsewhere = await setup.checkArgs({ ...args, isReadonly: true, dataWarehouseId: "w" }, args);
    expect(await setup.handlers.diff(id, outs, elsewhere)).toMatchObject({
      replaces: ["isReadonly", "dataWarehouseId"],
    });
  });

  test("an adoption is undone by removing the service from the state, with a message", async () => {
    const existingServiceId = await existing();
    const { id, outs } = await setup.handlers.create(await setup.checkArgs({ existingServiceId }));
    await setup.handlers.delete(id, outs as Properties);
    expect(setup.messages).toEqual([
      `Adopting service ${existingServiceId}: \`pulumi up\` reads it, compares it with the program and changes what differs; a preview reads nothing. [CDB5009]`,
      expect.stringMatching(/^Service .* \("old"\) keeps running and costing money/),
    ]);
  });
});

describe("reading", () => {
  test("a read shows drift of declared values only", async () => {
    const { id, outs } = await setup.createService({ numReplicas: 2, ipAccessList: [office] });
    await setup.api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 5, idleTimeoutMinutes: 60 });
    await setup.api.change("PATCH", `/${id}`, { ipAccessList: { add: [ci] } });
    const { props, inputs } = await setup.handlers.read(id, outs);
    expect(await setup.api.requests()).toMatchObject([{ request: "GET /services/{id}" }]);
    expect(inputs).toEqual({
      name: "db",
      organizationId: setup.simulator.organizationId,
      numReplicas: 5,
      ipAccessList: [office, ci],
    });
    expect(props).toMatchObject({ password: outs.password, idleTimeoutMinutes: 60 });
  });

  test("a read keeps the declared spelling and create-only values", async () => {
    const { id, outs } = await setup.createService({ ipAccessList: [{ source: "198.51.100.7" }], isReadonly: false });
    const result = { ipAccessList: [{ source: "198.51.100.7/32", description: "" }], isReadonly: true };
    await setup.api.faults({ effect: { kind: "answer", result } });
    expect((await setup.handlers.read(id, outs)).inputs).toMatchObject({
      ipAccessList: [{ source: "198.51.100.7" }],
      isReadonly: false,
    });
  });

  test.each([
    ["::102:304/128", "::1.2.3.4"],
    ["::ffff:1.2.3.4/128", "::ffff:1.2.3.4/128"],
  ])("a read shows %s for the declared ::1.2.3.4 as %s", async (source, read) => {
    const { id, outs } = await setup.createService({ ipAccessList: [{ source: "::1.2.3.4" }] });
    await setup.api.faults({ effect: { kind: "answer", result: { ipAccessList: [{ source }] } } });
    expect((await setup.handlers.read(id, outs)).inputs).toMatchObject({ ipAccessList: [{ source: read }] });
  });

  test("a read shows only the declared protocols", async () => {
    const { id, outs } = await setup.createService({ endpoints: [{ protocol: "mysql", enabled: true }] });
    await setup.api.change("PATCH", `/${id}`, {
      endpoints: [
        { protocol: "mysql", enabled: false },
        { protocol: "https", enabled: true },
      ],
    });
    expect((await setup.handlers.read(id, outs)).inputs?.endpoints).toEqual([{ protocol: "mysql", enabled: false }]);
  });

  test("a read uses the stored organization, regardless of the current setting", async () => {
    const { id, outs } = await setup.createService({});
    setup.restartWith({ CLOUDDB_ORGANIZATION_ID: "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640" });
    expect((await setup.handlers.read(id, outs)).id).toBe(id);
  });

  test("a read uses the organization of the settings if the program passes null", async () => {
    const { id } = await setup.createService({});
    expect((await setup.handlers.read(id, { organizationId: null })).id).toBe(id);
  });
});

describe("deleting and replacing", () => {
  test("a created service cannot be deleted, and the error says how to release it", async () => {
    const { id, outs } = await setup.createService({});
    const failure = await failureOf(setup.handlers.delete(id, outs));
    expect(failure.message).toMatch(/the API cannot delete services.*retainOnDelete: true/);
    expect(await setup.api.requests()).toEqual([]);
  });

  test("a created service cannot be deleted even after its own id was declared", async () => {
    const { id, outs } = await setup.createService({});
    const { outs: after } = await setup.handlers.update(
      id,
      outs,
      await setup.checkArgs({ existingServiceId: id, name: "other" }),
    );
    expect((await failureOf(setup.handlers.delete(id, after as Properties))).message).toContain(
      "cannot delete services",
    );
  });

  test("another spelling of an id does not cause a replacement", async () => {
    const { id, outs } = await setup.createService({});
    const upper = await setup.checkArgs({ organizationId: setup.simulator.organizationId.toUpperCase() });
    expect(await setup.handlers.diff(id, outs, upper)).toMatchObject({ changes: false, replaces: [] });
  });
});
