import { ci, office, useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

const setup = useServices();

describe("updating", () => {
  test("an update sends one request for each operation with a change", async () => {
    const { id, outs } = await setup.createService({ numReplicas: 2, ipAccessList: [office] });
    const wanted = await setup.checkArgs({ name: "db two", numReplicas: 3, ipAccessList: [office, ci] });
    const changed = await setup.handlers.update(id, outs, wanted);
    expect(await setup.api.requests()).toEqual([
      { request: "PATCH /services/{id}", status: 200, body: { name: "db two", ipAccessList: { add: [ci] } } },
      { request: "PATCH /services/{id}/replicaScaling", status: 200, body: { numReplicas: 3 } },
    ]);
    expect(changed.outs).toMatchObject({ password: outs.password, name: "db two", numReplicas: 3 });
  });

  test("an update corrects a list once if the server adds before it removes", async () => {
    const { id, outs } = await setup.createService({ ipAccessList: [office, ci] });
    await setup.api.faults({
      method: "PATCH",
      times: 1,
      effect: { kind: "answer", result: { ipAccessList: [office] } },
    });
    const other = { ...ci, description: "build" };
    const { outs: after } = await setup.handlers.update(
      id,
      outs,
      await setup.checkArgs({ ipAccessList: [office, other] }),
    );
    expect((await setup.api.requests()).map(({ body }) => body)).toEqual([
      { ipAccessList: { add: [other], remove: [ci] } },
      { ipAccessList: { add: [other] } },
    ]);
    expect(after?.ipAccessList).toEqual([office, other]);
  });

  test("an update fails if the server ignores a list change twice", async () => {
    const { id, outs } = await setup.createService({ ipAccessList: [office] });
    await setup.api.faults({ method: "PATCH", effect: { kind: "answer", result: { ipAccessList: [office] } } });
    const failure = await failureOf(
      setup.handlers.update(id, outs, await setup.checkArgs({ ipAccessList: [office, ci] })),
    );
    expect(await setup.api.requests()).toHaveLength(2);
    expect(failure.message).toContain("the API accepted the update of ipAccessList twice");
  });

  test("an update resends the whole body if it was cut off before it was applied", async () => {
    const { id, outs } = await setup.createService({ ipAccessList: [office] });
    await setup.api.faults({ method: "PATCH", times: 1, effect: { kind: "reset", when: "before" } });
    const wanted = { name: "other", releaseChannel: "slow", ipAccessList: [office, ci] };
    await setup.handlers.update(id, outs, await setup.checkArgs(wanted));
    const [first, , second] = await setup.api.requests();
    expect(second?.body).toEqual(first?.body);
    expect(second?.body).toEqual({ ...wanted, ipAccessList: { add: [ci] } });
  });

  test("an update stores and reports the effect of the first request if the second fails", async () => {
    const { id, outs } = await setup.createService({ numReplicas: 2 });
    await setup.api.faults({ path: "replicaScaling", effect: { kind: "status", status: 422 } });
    const wanted = await setup.checkArgs({ name: "other", numReplicas: 3 });
    const failure = await failureOf(setup.handlers.update(id, outs, wanted));
    expect(failure).toMatchObject({ id, properties: { name: "other", numReplicas: 2, password: outs.password } });
    expect(failure.message).toContain("Done: name. Not done: numReplicas.");
    expect(failure.reasons).toEqual([failure.message]);
    await setup.api.faults();
    await setup.api.requests();
    await setup.handlers.update(id, failure.properties as Properties, wanted);
    expect(await setup.api.requests()).toMatchObject([{ body: { numReplicas: 3 } }]);
  });

  test("an update leaves a protocol unchanged after it is removed from the program", async () => {
    const both = [
      { protocol: "mysql", enabled: true },
      { protocol: "https", enabled: true },
    ];
    const { id, outs } = await setup.createService({ endpoints: both });
    const { outs: after } = await setup.handlers.update(
      id,
      outs,
      await setup.checkArgs({ endpoints: both.slice(0, 1) }),
    );
    expect(await setup.api.requests()).toEqual([]);
    expect(after?.endpoints).toEqual(both.slice(0, 1));
  });

  test("an update resends a release channel that was undeclared meanwhile, since it cannot be read", async () => {
    const { id, outs } = await setup.createService({ releaseChannel: "fast" });
    const { outs: undeclared } = await setup.handlers.update(id, outs, await setup.checkArgs({}));
    await setup.handlers.update(id, undeclared as Properties, await setup.checkArgs({ releaseChannel: "fast" }));
    expect(await setup.api.requests()).toMatchObject([{ body: { releaseChannel: "fast" } }]);
  });

  test("an update sends nothing if arguments are removed", async () => {
    const { id, outs } = await setup.createService({
      numReplicas: 4,
      region: "us-east-1",
      endpoints: [{ protocol: "mysql", enabled: false }],
    });
    const { outs: after } = await setup.handlers.update(id, outs, await setup.checkArgs({}));
    expect(await setup.api.requests()).toEqual([]);
    expect(after).toMatchObject({ numReplicas: 4, region: "us-east-1", __declared: ["name", "organizationId"] });
  });

  test("an update sends only the endpoints that change", async () => {
    const { id, outs } = await setup.createService({ endpoints: [{ protocol: "mysql", enabled: true }] });
    const off = [{ protocol: "mysql", enabled: false }];
    const { outs: after } = await setup.handlers.update(id, outs, await setup.checkArgs({ endpoints: off }));
    expect(await setup.api.requests()).toMatchObject([{ body: { endpoints: off } }]);
    expect(after).toMatchObject({ endpoints: off, serviceEndpoints: [] });
  });
});

describe("an entry that was added outside of the program", () => {
  const foreign = (sources: readonly string[]) => sources.map((source) => ({ source, description: "by hand" }));

  async function addedTo(args: Properties, body: Properties) {
    const { id, outs, inputs } = await setup.createService(args);
    await setup.api.change("PATCH", `/${id}`, body);
    setup.messages.length = 0;
    const update = async (change: Properties, state: Properties = outs) =>
      setup.handlers.update(id, state, await setup.checkArgs({ ...args, ...change }, inputs));
    return { id, update, name: `service ${id} ("db")` };
  }

  test("an entry that was added outside of the program stays, and an update whose response shows it warns", async () => {
    const { update, name, id } = await addedTo(
      { ipAccessList: [office] },
      { ipAccessList: { add: foreign(["0.0.0.0/0"]) } },
    );
    const { outs } = await update({ ipAccessList: [office, ci] });
    expect(setup.messages).toEqual([
      `ipAccessList of ${name} has 1 entry (0.0.0.0/0) that the program does not declare. The update did not change this: \`pulumi up --refresh\` removes what the program does not declare. [CDB5008]`,
    ]);
    expect(outs.ipAccessList).toEqual([office, ci]);
    // After a refresh, it is drift, and an update removes it without a warning.
    const { props = {} } = await setup.handlers.read(id, outs);
    await setup.api.requests();
    await update({ ipAccessList: [office, ci] }, props);
    expect(await setup.api.requests()).toMatchObject([{ body: { ipAccessList: { remove: foreign(["0.0.0.0/0"]) } } }]);
    expect(setup.messages).toHaveLength(1);
  });

  test("an entry that was added outside of the program is counted once for each list, whatever the number of requests", async () => {
    const sources = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.51.100.7", "0.0.0.0/0"];
    const { update, name } = await addedTo(
      { ipAccessList: [office], privateEndpointIds: [] },
      {
        ipAccessList: { add: foreign(sources) },
        privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] },
      },
    );
    await update({ ipAccessList: [office, ci], releaseChannel: "fast", numReplicas: 4 });
    expect(await setup.api.requests()).toHaveLength(2);
    expect(setup.messages.map((line) => line.split(" that ")[0])).toEqual([
      `ipAccessList of ${name} has 4 entries (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16 and 1 more)`,
      `privateEndpointIds of ${name} has 1 entry (vpce-0a1b2c3d4e5f60001)`,
    ]);
  });

  test("an entry that was added outside of the program in a list that the program does not declare is expected", async () => {
    const { update } = await addedTo({}, { ipAccessList: { add: foreign(["0.0.0.0/0"]) } });
    await update({ numReplicas: 4 });
    expect(setup.messages).toEqual([]);
  });
});
