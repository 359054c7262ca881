import { EXAMPLE, table } from "../support/example";
import { useSeededSimulator, useServices } from "./simulators";
import {
  answer,
  create,
  createHandlers,
  type Handlers,
  loseResponse,
  once,
  type Properties,
  type ResourceType,
  refuse,
  type StackResource,
} from "./support";

const UUID = /[0-9a-f-]{36}/;

/**
 * Updates that may or may not have been applied: lost responses, and responses that contradict the
 * request.
 */

const {
  service: SERVICE,
  pipes: { kafka: KAFKA, postgres: POSTGRES },
} = EXAMPLE;

describe("lost responses", () => {
  const seeded = useSeededSimulator();
  const pipes = () => createHandlers("Pipe", seeded.api);

  /**
   * A resource whose update to `next` was applied while every response was lost, and a revert to
   * `first`.
   */
  async function loseUpdate(handlers: Handlers, first: Properties, next: Properties) {
    const before = await create(handlers, first);
    await seeded.api.faults(loseResponse("PATCH"), loseResponse("GET"));
    const { stored, message } = await before.failedUpdate(next);
    await seeded.api.faults();
    await seeded.sent();
    return { before, stored, message, revert: (from = stored) => runUp(from, first) };
  }

  async function runUp(resource: StackResource, program: Properties) {
    const after = await resource.up(program);
    const patches = (await seeded.api.requests()).filter(({ request }) =>
      request.startsWith("PATCH"),
    );
    return { after, sent: patches.map(({ body }) => body) };
  }

  const kafka = (password: string, settings?: Properties) => ({
    serviceId: SERVICE,
    pipeId: KAFKA,
    source: { kafka: { credentials: { username: "reader", password } } },
    ...(settings && { settings }),
  });

  test("an update of a password with a lost response is reverted by one request", async () => {
    const { revert } = await loseUpdate(pipes(), kafka("old-password"), kafka("new-password"));
    const { after, sent } = await revert();
    expect(sent).toEqual([{ source: { kafka: { credentials: "[secret]" } } }]);
    expect(after.outs).toMatchObject({
      source: { kafka: { credentials: { password: "old-password" } } },
    });
    expect(after.outs).not.toHaveProperty("__uncertain");
    expect((await revert(after)).sent).toEqual([]);
  });

  test("an update of a password with a lost response is reverted even after a refresh", async () => {
    const { stored, revert } = await loseUpdate(
      pipes(),
      kafka("old-password"),
      kafka("new-password"),
    );
    const refreshed = await stored.refresh();
    await seeded.sent();
    expect((await revert(refreshed)).sent).toHaveLength(1);
  });

  test("an update whose response was lost is reverted, except for visible values that stayed the same", async () => {
    const { message, revert } = await loseUpdate(
      createHandlers("Service", seeded.api),
      { name: "db", releaseChannel: "slow" },
      { name: "other", releaseChannel: "fast" },
    );
    expect(message).toContain("Not confirmed: name, releaseChannel.");
    expect((await revert()).sent).toEqual([{ name: "db", releaseChannel: "slow" }]);
  });

  test("a rejected update stores no state", async () => {
    const pipe = await create(pipes(), kafka("old-password"));
    await seeded.api.faults(refuse("PATCH", 400));
    expect((await pipe.failedUpdate(kafka("new-password"))).properties).toBeUndefined();
  });

  test("an update of settings with a lost response does not make the password uncertain", async () => {
    const next = kafka("old-password", { engineMaxThreads: 3 });
    const { revert } = await loseUpdate(pipes(), kafka("old-password"), next);
    expect((await revert()).sent).toEqual([]);
  });

  test("an update of a list and credentials with a lost response resends only the credentials", async () => {
    const program = (password: string, tables: readonly string[]) => ({
      serviceId: SERVICE,
      pipeId: POSTGRES,
      source: {
        postgres: {
          credentials: { username: "u", password },
          tableMappings: tables.map((name) => table(name)),
        },
      },
    });
    const pipe = await seeded.adopt(pipes(), program("old-password", ["orders"]));
    await seeded.api.faults(once(loseResponse("PATCH")));
    const wanted = program("new-password", ["orders", "users"]);
    const after = await pipe.update(wanted);
    const [first, , second] = await seeded.sent();
    expect(first?.[1]).toMatchObject({
      source: { postgres: { tableMappingsToAdd: [table("users")] } },
    });
    expect(second?.[1]).toEqual({ source: { postgres: { credentials: "[secret]" } } });
    expect(after.outs).toMatchObject({
      source: { postgres: { credentials: { password: "new-password" } } },
    });
    expect((await runUp(after, wanted)).sent).toEqual([]);
  });

  test.each([
    ["removal", ["one", "two"], ["one"]],
    ["addition", ["one"], ["one", "two"]],
  ])(
    "the lost %s of an organization's endpoint, which cannot be read, is reverted",
    async (_, first, next) => {
      const handlers = createHandlers("Organization", seeded.api);
      const endpoints = (ids: readonly string[]) => ({
        privateEndpoints: ids.map((text) => ({ id: `vpce-${text}` })),
      });
      const { before, revert } = await loseUpdate(handlers, endpoints(first), endpoints(next));
      const { after, sent } = await revert();
      expect(sent).toHaveLength(1);
      expect(after.outs.privateEndpoints).toEqual(before.inputs.privateEndpoints);
      const [organization] = (await seeded.api.organizations()) as unknown as {
        privateEndpoints: { id: string }[];
      }[];
      const ids = organization?.privateEndpoints.map(({ id }) => id) ?? [];
      expect(ids.filter((id) => /one|two/.test(id))).toEqual(first.map((text) => `vpce-${text}`));
      expect((await revert(after)).sent).toEqual([]);
    },
  );
});

describe("responses that contradict the request", () => {
  const setup = useServices();
  const SCALE = "PATCH /services/{id}/replicaScaling";
  const GET = "GET /services/{id}";
  const line = (id: string, differences: string) =>
    `The API's response for service ${id} ("db") contradicts the program: ${differences}. The next preview shows what an update can change. [CDB5015]`;

  /** A service with 2 replicas, for an update that declares 6. */
  async function serviceToScale() {
    const db = await setup.createService({ numReplicas: 2 });
    return { db, update: () => db.update({ numReplicas: 6 }) };
  }

  test("a contradicting value is stored, and the next update sends the declared value again", async () => {
    const { db, update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 3 }));
    const updated = await update();
    expect(await setup.sent()).toEqual([[SCALE, { numReplicas: 6 }]]);
    expect(updated.outs.numReplicas).toBe(3);
    expect(setup.messages).toEqual([line(db.id, "numReplicas is 3 but the program declares 6")]);
    await setup.api.faults();
    expect((await updated.up({ numReplicas: 6 })).outs.numReplicas).toBe(6);
    expect(await setup.sent()).toEqual([[SCALE, { numReplicas: 6 }]]);
  });

  describe("next preview", () => {
    const seeded = useSeededSimulator();
    const ids = { serviceId: SERVICE, pipeId: KAFKA };

    test.each<[string, ResourceType, Properties, Properties, Properties, string]>([
      [
        "for a field of a service that the update did not send",
        "Service",
        { name: "first", numReplicas: 3 },
        { name: "second", numReplicas: 3 },
        { numReplicas: 5 },
        "The state of service … differs from its unchanged arguments: `pulumi up` changes numReplicas from 5 to 3.",
      ],
      [
        "for a scaling",
        "ServiceScaling",
        { serviceId: SERVICE, numReplicas: 2 },
        { serviceId: SERVICE, numReplicas: 3 },
        { numReplicas: 5 },
        "The state of scaling of service … differs from its unchanged arguments: `pulumi up` changes numReplicas from 5 to 3.",
      ],
      [
        "for a setting of a pipe",
        "Pipe",
        { ...ids, settings: { engineMaxThreads: 2 } },
        { ...ids, settings: { engineMaxThreads: 3 } },
        { settings: { engine_max_threads: 5 } },
        "The state of pipe … differs from its unchanged arguments: `pulumi up` changes settings.engineMaxThreads from 5 to 3.",
      ],
    ])("%s", async (_, type, first, second, response, line) => {
      const before = await create(createHandlers(type, seeded.api), first);
      await seeded.api.faults(answer("PATCH", response), answer("GET", response));
      const updated = await before.update(second);
      const refreshed = await updated.refresh();
      await seeded.api.faults();
      const { messages, ...handlers } = createHandlers(type, seeded.api);
      const next = updated.in(handlers);
      expect((await next.diff(second)).changes).toBe(true);
      expect(messages.map((message) => message.replace(UUID, "…"))).toEqual([`${line} [CDB5019]`]);
      expect(await (await next.up(second)).diff(second)).toMatchObject({ changes: false });
      // The refreshed inputs show the difference.
      expect(await refreshed.diff(second)).toMatchObject({ changes: true });
    });
  });

  test("a response with the former value is verified by a read", async () => {
    const { update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 2 }));
    expect((await update()).outs.numReplicas).toBe(6);
    expect(await setup.sent()).toEqual([[SCALE, { numReplicas: 6 }], GET]);
    expect(setup.messages).toEqual([]);
  });

  test("a failed verifying read stores no value, and the next update reads again", async () => {
    const { db } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 2 }), refuse("GET", 403));
    const { message, stored } = await db.failedUpdate({ numReplicas: 6 });
    expect(message).toContain("Not confirmed: numReplicas.");
    await setup.api.faults();
    await setup.sent();
    expect((await stored.update({ numReplicas: 6 })).outs.numReplicas).toBe(6);
    expect(await setup.sent()).toEqual([GET]);
  });

  test("the former value is stored if the verifying read shows it", async () => {
    const { db, update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 2 }), answer("GET", { numReplicas: 2 }));
    expect((await update()).outs.numReplicas).toBe(2);
    expect(setup.messages).toEqual([line(db.id, "numReplicas is 2 but the program declares 6")]);
  });

  test("a contradicting value that the update did not send is stored after the remaining requests", async () => {
    const db = await setup.createService({ numReplicas: 2, idleScaling: true });
    await setup.api.faults(
      { ...refuse("PATCH", 422), path: "replicaScaling" },
      answer("PATCH", { idleScaling: false, numReplicas: 4 }),
    );
    const failure = await db.failedUpdate({ numReplicas: 6, idleScaling: true, name: "other" });
    expect(failure.message).toContain("Done: name. Not done: numReplicas, idleScaling.");
    expect(failure.properties).toMatchObject({ name: "other", numReplicas: 2, idleScaling: false });
    expect(setup.messages).toEqual([
      expect.stringContaining("idleScaling is false but the program declares true."),
    ]);
  });

  test.each([
    ["null", { numReplicas: null }],
    ["of another type", { numReplicas: "6" }],
  ])("a contradicting value is ignored if it is %s", async (_, result) => {
    const { update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", result));
    expect((await update()).outs.numReplicas).toBe(6);
    expect(setup.messages.join()).not.toContain("CDB5015");
  });

  test("a response that spells a text differently does not contradict the request", async () => {
    const db = await setup.createService({});
    await setup.api.faults(answer("PATCH", { name: "DB TWO" }));
    expect((await db.update({ name: "db two" })).outs.name).toBe("db two");
    expect(setup.messages).toEqual([]);
  });

  test("a contradicting response to a creation is stored, except for create-only values", async () => {
    await setup.api.faults(answer("POST", { numReplicas: 3, hasTransparentDataEncryption: false }));
    const program = { numReplicas: 6, hasTransparentDataEncryption: true };
    const created = await create(setup.handlers, program);
    expect(await setup.sent()).toEqual([["POST /services", expect.anything()]]);
    expect(created.outs).toMatchObject({ numReplicas: 3, hasTransparentDataEncryption: true });
    const differences =
      "numReplicas is 3 but the program declares 6; hasTransparentDataEncryption is false but the program declares true";
    expect(setup.messages).toEqual([line(created.id, differences)]);
    expect(await created.diff(program)).toMatchObject({ replaces: [] });
  });

  describe("of an adoption", () => {
    const seeded = useSeededSimulator();

    test("a contradicting response to an adoption is stored, even for an argument in a group", async () => {
      const handlers = createHandlers("Pipe", seeded.api);
      const program = { serviceId: SERVICE, pipeId: KAFKA, settings: { engineMaxThreads: 3 } };
      await seeded.api.faults(answer("PATCH", { settings: { engine_max_threads: 5 } }));
      const adopted = await create(handlers, program);
      expect(adopted.outs).toMatchObject({ settings: { engineMaxThreads: 5 } });
      expect(handlers.messages.at(-1)).toContain(
        "settings.engineMaxThreads is 5 but the program declares ",
      );
      expect((await adopted.diff(program)).changes).not.toBe(false);
    });
  });
});
