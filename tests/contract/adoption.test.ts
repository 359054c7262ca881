import { EXAMPLE } from "../support/example";
import { ci, office, useSeededSimulator, useServices } from "./simulators";
import {
  checkInputs,
  create,
  createHandlers,
  failedCreation,
  failureOf,
  type Properties,
  refuse,
  startProcess,
} from "./support";

/** Adoptions: a preview reads nothing, and `up` changes what differs and says so. */

const reading =
  "`pulumi up` reads it, compares it with the program and changes what differs; a preview reads nothing.";

describe("the adoption of a service", () => {
  const setup = useServices();
  const GET = "GET /services/{id}";
  const ENDPOINT = "vpce-0a1b2c3d4e5f60001";

  /** A program that adopts a service with other arguments, and the messages of its preview. */
  async function preview(existing: Properties, declared: Properties = {}) {
    const { id } = await setup.createService({ name: "old", ...existing });
    setup.messages.length = 0;
    const args = { ...declared, existingServiceId: id };
    const inputs = await setup.checkArgs(args);
    const previewed = setup.messages.splice(0);
    return { id, args, previewed, apply: () => setup.handlers.create(inputs) };
  }

  async function adopt(existing: Properties, declared?: Properties) {
    const { args } = await preview(existing, declared);
    const db = await setup.createService(args);
    setup.messages.length = 0;
    return { db, args };
  }

  test("an adoption sends only differences, and announces removed entries and other changes", async () => {
    const same = { idleScaling: true, endpoints: [{ protocol: "mysql", enabled: true }] };
    const list = [{ ...office, description: "head office" }, ci];
    const { id, previewed, apply } = await preview(
      {
        ...same,
        numReplicas: 3,
        ipAccessList: [office, { source: "192.0.2.5" }],
        privateEndpointIds: [ENDPOINT],
      },
      {
        ...same,
        numReplicas: 2,
        ipAccessList: list,
        privateEndpointIds: [],
        releaseChannel: "fast",
        name: "new",
      },
    );
    expect(previewed).toEqual([
      `Adopting service ${id}: ${reading} Entries of ipAccessList and privateEndpointIds that the program does not declare are removed. [CDB5009]`,
    ]);
    await apply();
    const access =
      "ipAccessList, adding 1 entry (198.51.100.7/32), removing 1 entry (192.0.2.5/32)";
    const others = `privateEndpointIds, removing 1 entry (${ENDPOINT}); releaseChannel; numReplicas from 3 to 2`;
    expect(setup.messages).toEqual([
      `Adopting service ${id} ("new") changed name from "old" to "new"; ${access}; ${others}. [CDB5009]`,
    ]);
    const ipAccessList = { add: list, remove: [office, { source: "192.0.2.5", description: "" }] };
    expect(await setup.sent()).toEqual([
      GET,
      [
        "PATCH /services/{id}",
        {
          name: "new",
          releaseChannel: "fast",
          ipAccessList,
          privateEndpointIds: { remove: [ENDPOINT] },
        },
      ],
      ["PATCH /services/{id}/replicaScaling", { numReplicas: 2 }],
    ]);
  });

  test("an undefined Output as existingServiceId causes one warning, until the stack has the service", async () => {
    const args = { name: "new", __empty: "existingServiceId" };
    const warning =
      'existingServiceId of "db" is an Output that is undefined, so `pulumi up` creates a new service, which costs money. Check the name of that output, or omit existingServiceId. [CDB1021]';
    const inputs = await setup.checkArgs(args);
    expect(setup.messages.splice(0)).toEqual([warning]);
    expect(inputs).not.toHaveProperty("__empty");
    await setup.handlers.check(inputs, args);
    expect(setup.messages).toEqual([]);
  });

  test("an adoption without a difference sends no update and reports no change", async () => {
    const { id, previewed, apply } = await preview({ numReplicas: 4 }, { numReplicas: 4 });
    expect(previewed).toEqual([`Adopting service ${id}: ${reading} [CDB5009]`]);
    expect((await apply()).outs).toMatchObject({ name: "old", numReplicas: 4 });
    expect(setup.messages).toEqual([]);
    expect(await setup.sent()).toEqual([GET]);
  });

  test("an adoption that fails halfway reports its changes", async () => {
    const { id, apply } = await preview({ numReplicas: 3 }, { name: "new", numReplicas: 2 });
    await setup.api.faults({ ...refuse("PATCH", 422), path: "replicaScaling" });
    await failureOf(apply());
    expect(setup.messages).toEqual([
      `Adopting service ${id} ("new") changed name from "old" to "new". [CDB5009]`,
    ]);
  });

  test("an adoption rejects a difference that only a creation could set", async () => {
    const declared = { hasTransparentDataEncryption: false, region: "us-east-1" };
    const { apply } = await preview({ hasTransparentDataEncryption: true }, declared);
    const { message } = await failureOf(apply());
    expect(message).toContain(
      "hasTransparentDataEncryption is true but the program declares false",
    );
    expect(await setup.sent()).toEqual([GET]);
  });

  test("a 404 during an adoption names the argument and the setting to check", async () => {
    const missing = "a1b2c3d4-0009-4a53-9c1e-000000000009";
    const setting = "organizationId or clouddb:organizationId (CLOUDDB_ORGANIZATION_ID)";
    const adoption = await failedCreation(setup.handlers, { existingServiceId: missing });
    expect(adoption.message).toContain(
      `Nothing was changed. Check existingServiceId and ${setting}. The request went to `,
    );
    const creation = await failedCreation(setup.handlers, { organizationId: missing });
    expect(creation.message).toContain(
      `Nothing was created. Check ${setting}. The request went to `,
    );
  });

  test("existingServiceId causes no change if it stays, is removed or is the service's own id", async () => {
    const { db, args } = await adopt({});
    for (const program of [args, {}])
      expect(await db.diff(program)).toMatchObject({ changes: false, replaces: [] });
    const other = await setup.createService({});
    expect(await other.diff({ name: "db", existingServiceId: other.id })).toMatchObject({
      changes: false,
    });
    for (const [service, existingServiceId] of [
      [db, other.id],
      [other, db.id],
    ] as const)
      expect(await service.diff({ existingServiceId })).toMatchObject({
        replaces: ["existingServiceId"],
      });
  });

  test("an adoption does not compare a create-only argument that no response shows", async () => {
    const { db, args } = await adopt({}, { region: "us-east-1", encryptionKey: "one" });
    const changed = { region: "eu-west-1", encryptionKey: "two" };
    for (const program of [{ ...args, ...changed }, changed]) {
      expect(await db.diff(program)).toMatchObject({ replaces: [] });
      expect(setup.messages.at(-1)).toBe(
        `The API does not show region, encryptionKey of service ${db.id}, which was adopted: the new value is only recorded in the state. [CDB5010]`,
      );
    }
    const updated = await db.update({ ...args, ...changed });
    expect(await setup.sent()).toEqual([]);
    expect(updated.outs).toMatchObject(changed);
    expect(await updated.diff({ ...args, ...changed })).toMatchObject({ changes: false });
    const elsewhere = await db.diff({ ...args, isReadonly: true, dataWarehouseId: "w" });
    expect(elsewhere).toMatchObject({ replaces: ["isReadonly", "dataWarehouseId"] });
  });

  test("releasing an adopted service removes it from the state with a message", async () => {
    const { db } = await adopt({});
    await db.delete();
    expect(setup.messages).toEqual([
      expect.stringMatching(/^Service .* \("old"\) keeps running and costing money/),
    ]);
  });
});

describe("adoption of other objects", () => {
  const seeded = useSeededSimulator();
  const { service: serviceId, pipes } = EXAMPLE;

  test("the adoption of a pipe names its secrets without showing them", async () => {
    const handlers = createHandlers("Pipe", seeded.api);
    const credentials = { username: "reader", password: "canary-5f2a" };
    await create(handlers, {
      serviceId,
      pipeId: pipes.kafka,
      source: { kafka: { credentials } },
      settings: { engineMaxThreads: 4 },
    });
    expect(handlers.messages).toEqual([
      `Adopting pipe ${pipes.kafka}, and each further one: ${reading} [CDB5009]`,
      `Adopting pipe ${pipes.kafka} changed source.kafka.credentials; settings.engineMaxThreads from 8 to 4. [CDB5009]`,
    ]);
  });

  test("access to a service is announced once, for any number of ServiceAccess resources", async () => {
    const { handlersFor, messages } = startProcess(seeded.api);
    for (const source of ["192.0.2.1", "192.0.2.2"]) {
      await checkInputs(handlersFor("ServiceAccess", `from ${source}`), {
        serviceId,
        ipAccessList: [{ source }],
      });
    }
    const effect = "adds the declared entries that it lacks and leaves those of others";
    expect(messages).toEqual([
      `Adopting access to service ${serviceId}, and each further one: \`pulumi up\` reads it, ${effect}; a preview reads nothing. [CDB5009]`,
    ]);
  });
});
