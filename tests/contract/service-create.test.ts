import type { FaultRule } from "../../simulator/index";
import { office, useServices } from "./simulators";
import {
  answer,
  create,
  failedCreation,
  loseResponse,
  once,
  type Properties,
  startProcess,
} from "./support";

/** The creation of services, and the names that they get. */

const setup = useServices();
const createService = (args: Properties) => create(setup.handlers, args);
const failCreation = (args: Properties) => failedCreation(setup.handlers, args);
const ENDPOINT = "vpce-0a1b2c3d4e5f60001";
const POST = "POST /services";
const PATCH = "PATCH /services/{id}";

test("a creation sends the declared arguments and stores the response", async () => {
  const { id, outs } = await createService({ numReplicas: 2, ipAccessList: [office] });
  expect(await setup.sent()).toEqual([
    [POST, { name: "db", numReplicas: 2, ipAccessList: [office] }],
  ]);
  expect(outs).toMatchObject({
    name: "db",
    password: expect.stringMatching(/.{20}/),
    serviceEndpoints: [{ protocol: "mysql", port: 3306 }],
    organizationId: setup.api.organizationId,
    __declared: ["ipAccessList", "name", "numReplicas", "organizationId"],
  });
  expect(outs).not.toHaveProperty("id", id);
  expect(JSON.parse(JSON.stringify(outs))).toEqual(outs);
});

test("a creation prints its id before the PATCH with the remaining arguments", async () => {
  const { id } = await createService({
    hasTransparentDataEncryption: true,
    transparentDataEncryptionKeyId: "key-2",
    privateEndpointIds: [ENDPOINT],
  });
  expect(await setup.sent()).toEqual([
    [POST, { name: "db", hasTransparentDataEncryption: true }],
    [PATCH, { transparentDataEncryptionKeyId: "key-2", privateEndpointIds: { add: [ENDPOINT] } }],
  ]);
  expect(setup.messages).toEqual([
    `Service ${id} ("db") was created in organization ${setup.api.organizationId}; applying the remaining arguments. [CDB4003]`,
  ]);
});

test.each<[string, FaultRule]>([
  ["is cut off after it is applied", loseResponse("POST")],
  ["returns an empty id", answer("POST", { id: "" })],
])(
  "a creation that %s is not retried, and the error says how to adopt the service",
  async (_, fault) => {
    await setup.api.faults(fault);
    const failure = await failCreation({});
    expect((await setup.sent()).flat()).toEqual([POST, { name: "db" }]);
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(/^Creating service "db" in organization 5e0d8c1a/);
    expect(failure.message).toContain(
      "The service may still have been created, at 2026-11-21T10:00:00.000Z",
    );
    expect(failure.message).toContain("set existingServiceId to its id");
  },
);

test("a creation removes access entries that the server added", async () => {
  const added = { source: "0.0.0.0/0", description: "default" };
  await setup.api.faults(answer("POST", { ipAccessList: [office, added] }));
  await createService({ ipAccessList: [office] });
  expect((await setup.sent())[1]).toEqual([PATCH, { ipAccessList: { remove: [added] } }]);
});

describe("responses to a creation", () => {
  test("a response with an undocumented type leaves the declared value, with a message", async () => {
    await setup.api.faults(answer("POST", { numReplicas: "many" }));
    const { id, outs } = await createService({ numReplicas: 2 });
    expect(id).toBe((await setup.api.services())[0]?.id);
    expect(outs).toMatchObject({ password: expect.any(String), numReplicas: 2 });
    expect(setup.messages).toEqual([
      `The API's response for service ${id} ("db") has a value of an undocumented type in numReplicas; it was ignored. [CDB3011]`,
    ]);
  });

  test("an absent, null or empty description in a response equals no description", async () => {
    await setup.api.faults(
      answer("POST", { ipAccessList: [{ source: "198.51.100.7/32", description: null }] }),
    );
    await createService({ ipAccessList: [{ source: "198.51.100.7" }] });
    expect(await setup.sent()).toHaveLength(1);
  });

  test("a missing or null property in a response counts as absent, except for the id", async () => {
    const outputs = Object.keys((await setup.createService({})).outs);
    const nothing = Object.fromEntries(outputs.map((name) => [name, null]));
    await setup.api.faults({ effect: { kind: "answer", result: { ...nothing, endpoints: null } } });
    const created = await createService({ numReplicas: 2, ipAccessList: [office] });
    expect(created.outs).toMatchObject({ numReplicas: 2, ipAccessList: [office] });
    const { inputs } = await created.refresh();
    expect(inputs).toMatchObject({ ipAccessList: [], numReplicas: 2 });
  });

  test.each([null, ""])(
    "a response without a password (%j) keeps the service and fails the creation",
    async (password) => {
      await setup.api.faults({ method: "POST", effect: { kind: "answer", result: {}, password } });
      const failure = await failCreation({});
      expect(failure.id).toBe((await setup.api.services())[0]?.id);
      expect(failure.message).toContain("the response contained no password");
    },
  );

  test("a missing password of a second service in a warehouse is only a warning", async () => {
    await setup.createService({});
    setup.messages.length = 0;
    await setup.api.faults({
      method: "POST",
      effect: { kind: "answer", result: {}, password: null },
    });
    const [{ dataWarehouseId } = {}] = await setup.api.services();
    const { id, outs } = await createService({ dataWarehouseId });
    expect(outs.password).toBeFalsy();
    expect(setup.messages).toEqual([
      `Creating service ${id} ("db"): it was created and is in the stack, but the response contained no password. A further service of a warehouse may have none; if it needs one, set it in the console of your cloud database. [CDB4002]`,
    ]);
  });

  test("the password in a response is in no later message", async () => {
    const password = "Generated-Pass-1";
    const echo = { error: `CONFLICT: ${password}`, status: 422 };
    await setup.api.faults(
      once({ method: "POST", effect: { kind: "answer", result: {}, password } }),
      {
        method: "PATCH",
        effect: { kind: "status", status: 422, body: echo },
      },
    );
    const failure = await failCreation({ privateEndpointIds: [ENDPOINT] });
    expect(failure.message).toContain("CONFLICT: [secret]");
    expect(failure.properties).toMatchObject({ password });
  });
});

describe("service names", () => {
  async function checked(name: string, args = {}, olds = {}) {
    const { handlersFor, messages } = startProcess(setup.api);
    const { inputs, failures } = await handlersFor("Service", name).check(olds, args);
    expect(failures).toEqual([]);
    return { name: inputs.name, messages: [...messages] };
  }

  const RULE = "because its name can have only letters A to Z, digits and spaces, at most 50";

  test.each([
    ["größe-数据", "gr e"],
    ["größe-данные", "gr e"],
    [`--${"a".repeat(80)}`, "a".repeat(50)],
    [`${"a".repeat(49)}-b`, "a".repeat(49)],
    ["cafe\u0301", "cafe"],
  ])(
    "a service name from %s loses other characters, and a warning shows the name",
    async (resource, name) => {
      const message = `${resource}: the service gets the name "${name}", ${RULE}; declare name to choose another. [CDB1007]`;
      expect(await checked(resource)).toEqual({ name, messages: [message] });
    },
  );

  test.each(["数据", "--"])(
    "a resource named %s gives its service no name, with a warning",
    async (resource) => {
      const message = `${resource}: the service gets no name, ${RULE}; declare name to choose one. [CDB1007]`;
      expect(await checked(resource)).toEqual({ name: undefined, messages: [message] });
    },
  );

  test("a service name has spaces in place of separators, without a warning", async () => {
    expect(await checked("my-db_01.eu")).toEqual({ name: "my db 01 eu", messages: [] });
  });

  test("a declared, adopted or stored service name stays", async () => {
    const adopted = { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" };
    expect(await checked("größe", { name: "size" })).toEqual({ name: "size", messages: [] });
    expect(await checked("größe", adopted)).toEqual({
      name: undefined,
      messages: [expect.stringMatching(/^Adopting service /)],
    });
    expect(await checked("größe", {}, { name: "old" })).toEqual({ name: "old", messages: [] });
    expect(await checked("größe", {}, adopted)).toEqual({ name: undefined, messages: [] });
  });

  test("a new service with the name of another causes a warning", async () => {
    const same = { name: "analytics" };
    const elsewhere = { ...same, organizationId: "00000000-0000-4000-8000-000000000001" };
    const warnings = async (
      ...services: readonly [name: string, args: Properties, olds: Properties][]
    ) => {
      const { handlersFor, messages } = startProcess(setup.api);
      for (const [name, args, olds] of services)
        await handlersFor("Service", name).check(olds, args);
      return messages;
    };
    expect(
      await warnings(["first", same, same], ["first", same, {}], ["other", elsewhere, {}]),
    ).toEqual([]);
    expect(await warnings(["first", same, same], ["second", same, same])).toEqual([]);
    const both = `"first" and "second" declare the same name for a service.`;
    const warning = `${both} The API allows that, but nobody can tell the two apart: give one of them another name. [CDB1017]`;
    expect(await warnings(["first", same, same], ["second", same, {}])).toEqual([warning]);
    expect(await warnings(["first", same, {}], ["second", same, same])).toEqual([warning]);
  });
});
