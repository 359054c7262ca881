import type { FaultEffect } from "../../simulator/index";
import { office, useServices } from "./service-setup";
import { failureOf } from "./support";

const setup = useServices();

describe("creating", () => {
  test("a creation sends the declared arguments and stores the response", async () => {
    const inputs = await setup.checkArgs({ numReplicas: 2, ipAccessList: [office] });
    const { id, outs } = await setup.handlers.create(inputs);
    expect(await setup.api.requests()).toEqual([
      { request: "POST /services", status: 200, body: { name: "db", numReplicas: 2, ipAccessList: [office] } },
    ]);
    expect(outs).toMatchObject({
      name: "db",
      password: expect.stringMatching(/.{20}/),
      serviceEndpoints: [{ protocol: "mysql", port: 3306 }],
      organizationId: setup.simulator.organizationId,
      __declared: ["ipAccessList", "name", "numReplicas", "organizationId"],
    });
    expect(outs).not.toHaveProperty("id", id);
    expect(JSON.parse(JSON.stringify(outs))).toEqual(outs);
  });

  test("a creation sends by PATCH what the POST does not accept", async () => {
    const inputs = await setup.checkArgs({
      hasTransparentDataEncryption: true,
      transparentDataEncryptionKeyId: "key-2",
      privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"],
    });
    await setup.handlers.create(inputs);
    expect(await setup.api.requests()).toEqual([
      { request: "POST /services", status: 200, body: { name: "db", hasTransparentDataEncryption: true } },
      {
        request: "PATCH /services/{id}",
        status: 200,
        body: { transparentDataEncryptionKeyId: "key-2", privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] } },
      },
    ]);
  });

  test.each<[string, FaultEffect]>([
    ["is cut off after it is applied", { kind: "reset", when: "after" }],
    ["returns an empty id", { kind: "answer", result: { id: "" } }],
  ])("a creation is never retried if it %s, and the error says how to adopt the service", async (_, effect) => {
    await setup.api.faults({ method: "POST", effect });
    const failure = await failureOf(setup.handlers.create(await setup.checkArgs({})));
    expect((await setup.api.requests()).filter(({ request }) => request.startsWith("POST"))).toHaveLength(1);
    expect(failure.id).toBeUndefined();
    expect(failure.message).toMatch(/^Creating service "db" in organization 5e0d8c1a/);
    expect(failure.message).toContain("The service may still have been created, at 2026-11-21T10:00:00.000Z");
    expect(failure.message).toContain("set existingServiceId to its id");
  });

  test("a creation keeps the declared value with a message if the response has an undocumented type", async () => {
    await setup.api.faults({ method: "POST", effect: { kind: "answer", result: { numReplicas: "many" } } });
    const { id, outs } = await setup.handlers.create(await setup.checkArgs({ numReplicas: 2 }));
    expect(id).toBe((await setup.api.services())[0]?.id);
    expect(outs).toMatchObject({ password: expect.any(String), numReplicas: 2 });
    expect(setup.messages).toEqual([
      `The API's response for service ${id} ("db") has a value of an undocumented type in numReplicas; it was ignored. [CDB3011]`,
    ]);
  });

  test("a creation removes access entries that the server added", async () => {
    const own = [office, { source: "0.0.0.0/0", description: "default" }];
    await setup.api.faults({ method: "POST", effect: { kind: "answer", result: { ipAccessList: own } } });
    await setup.handlers.create(await setup.checkArgs({ ipAccessList: [office] }));
    expect((await setup.api.requests())[1]).toMatchObject({
      request: "PATCH /services/{id}",
      body: { ipAccessList: { remove: [own[1]] } },
    });
  });

  test("a creation treats absent, null and empty descriptions as equal", async () => {
    const result = { ipAccessList: [{ source: "198.51.100.7/32", description: null }] };
    await setup.api.faults({ method: "POST", effect: { kind: "answer", result } });
    await setup.handlers.create(await setup.checkArgs({ ipAccessList: [{ source: "198.51.100.7" }] }));
    expect(await setup.api.requests()).toHaveLength(1);
  });

  test("a creation prints the id before the second request, in case the process crashes before it is stored", async () => {
    await setup.handlers.create(await setup.checkArgs({ privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] }));
    const [made] = await setup.api.services();
    expect(setup.messages).toEqual([
      `Service ${made?.id} ("db") was created in organization ${setup.simulator.organizationId}; applying the remaining arguments. [CDB4003]`,
    ]);
  });

  test("a creation keeps the service and reports a response without a password", async () => {
    await setup.api.faults({ method: "POST", effect: { kind: "answer", result: {}, password: null } });
    const failure = await failureOf(setup.handlers.create(await setup.checkArgs({})));
    expect(failure.id).toBe((await setup.api.services())[0]?.id);
    expect(failure.message).toContain("the response contained no password");
  });
});
