import { pipe as pipeType } from "../../provider/resources/pipe/pipe";
import { serviceScaling } from "../../provider/resources/service-scaling/service-scaling";
import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./seeded";
import { useServices } from "./service-setup";
import { checkInputs, createHandlers, failureOf, type Handlers, type Properties } from "./support";

/** Responses that show other values than the request that they answer. */

const setup = useServices();
const answer = (method: string, result: Properties, times?: number) => ({
  method,
  effect: { kind: "answer" as const, result },
  ...(times && { times }),
});
const line = (id: string, differences: string) =>
  `The API's response for service ${id} ("db") contradicts the program: ${differences}. The next preview shows what an update can change. [CDB5015]`;
const sent = async () => (await setup.api.requests()).map(({ request, body }) => (body ? [request, body] : request));
const SCALE = "PATCH /services/{id}/replicaScaling";
const GET = "GET /services/{id}";

/** A service with 2 replicas and an update that declares 6. */
async function serviceToScale(args: Properties = {}) {
  const { id, outs, inputs } = await setup.createService({ numReplicas: 2, ...args });
  setup.messages.length = 0;
  const wanted = await setup.checkArgs({ numReplicas: 6, ...args }, inputs);
  const update = async () => (await setup.handlers.update(id, outs, wanted)).outs;
  return { id, outs, inputs, wanted, update };
}

describe("an update", () => {
  test("an update stores another value that its response shows, and the next one sends the declared value again", async () => {
    const { id, wanted, update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 3 }));
    const outs = await update();
    expect(await sent()).toEqual([[SCALE, { numReplicas: 6 }]]);
    expect(outs.numReplicas).toBe(3);
    expect(setup.messages).toEqual([line(id, "numReplicas is 3 but the program declares 6")]);
    expect((await setup.handlers.diff(id, outs, wanted)).changes).not.toBe(false);
    await setup.api.faults();
    expect((await setup.handlers.update(id, outs, wanted)).outs.numReplicas).toBe(6);
    expect(await sent()).toEqual([[SCALE, { numReplicas: 6 }]]);
  });

  test("an update reads the object once before it believes the former value", async () => {
    const { update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 2 }));
    expect((await update()).numReplicas).toBe(6);
    expect(await sent()).toEqual([[SCALE, { numReplicas: 6 }], GET]);
    expect(setup.messages).toEqual([]);
  });

  test("an update whose read after a contradiction fails stores no value, and the next one reads again", async () => {
    const { id, wanted, update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 2 }), {
      method: "GET",
      effect: { kind: "status", status: 403 },
    });
    const failure = await failureOf(update());
    expect(failure.message).toContain("Not confirmed: numReplicas.");
    await setup.api.faults();
    await sent();
    expect((await setup.handlers.update(id, failure.properties as Properties, wanted)).outs.numReplicas).toBe(6);
    expect(await sent()).toEqual([GET]);
  });

  test("an update stores the former value if the read shows it, too", async () => {
    const { id, update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", { numReplicas: 2 }), answer("GET", { numReplicas: 2 }));
    expect((await update()).numReplicas).toBe(2);
    expect(setup.messages).toEqual([line(id, "numReplicas is 2 but the program declares 6")]);
  });

  test("an update stores a value that it did not send, and sends what it has to send first", async () => {
    const { id, outs, inputs } = await setup.createService({ numReplicas: 2, idleScaling: true });
    const wanted = await setup.checkArgs({ numReplicas: 6, idleScaling: true, name: "other" }, inputs);
    await setup.api.faults(
      { path: "replicaScaling", effect: { kind: "status", status: 422 } },
      answer("PATCH", { idleScaling: false, numReplicas: 4 }),
    );
    const failure = await setup.handlers.update(id, outs, wanted).catch((error) => error);
    expect(failure.message).toContain("Done: name. Not done: numReplicas, idleScaling.");
    expect(failure.properties).toMatchObject({ name: "other", numReplicas: 2, idleScaling: false });
    expect(setup.messages).toEqual([expect.stringContaining("idleScaling is false but the program declares true.")]);
  });

  test.each<[string, Properties]>([
    ["null", { numReplicas: null }],
    ["a value of another type", { numReplicas: "6" }],
  ])("an update keeps the sent value if its response shows %s", async (_, result) => {
    const { update } = await serviceToScale();
    await setup.api.faults(answer("PATCH", result));
    expect((await update()).numReplicas).toBe(6);
    expect(setup.messages.join()).not.toContain("CDB5015");
  });

  test("an update keeps a declared text that its response spells in another way", async () => {
    const { id, outs, inputs } = await setup.createService({});
    await setup.api.faults(answer("PATCH", { name: "DB TWO" }));
    const wanted = await setup.checkArgs({ name: "db two" }, inputs);
    expect((await setup.handlers.update(id, outs, wanted)).outs.name).toBe("db two");
    expect(setup.messages).toEqual([]);
  });
});

test("a creation stores a value of its response, and keeps one that only a creation can set", async () => {
  const shown = { numReplicas: 3, hasTransparentDataEncryption: false };
  await setup.api.faults(answer("POST", shown));
  const inputs = await setup.checkArgs({ numReplicas: 6, hasTransparentDataEncryption: true });
  const { id, outs } = await setup.handlers.create(inputs);
  expect(await sent()).toEqual([["POST /services", expect.anything()]]);
  expect(outs).toMatchObject({ numReplicas: 3, hasTransparentDataEncryption: true });
  expect(setup.messages).toEqual([
    line(
      id,
      "numReplicas is 3 but the program declares 6; hasTransparentDataEncryption is false but the program declares true",
    ),
  ]);
  expect(await setup.handlers.diff(id, outs, inputs)).toMatchObject({ replaces: [] });
});

describe("of objects that exist", () => {
  const seeded = useSeededSimulator();
  const { service, pipes } = EXAMPLE;

  test.each<[string, () => Handlers & { messages: string[] }, Properties, Properties, string, number]>([
    [
      "a pipe's setting",
      () => createHandlers(pipeType, seeded.simulator),
      { serviceId: service, pipeId: pipes.kafka, settings: { engineMaxThreads: 3 } },
      { settings: { engine_max_threads: 5 } },
      "settings.engineMaxThreads",
      5,
    ],
    [
      "a service's scaling",
      () => createHandlers(serviceScaling, seeded.simulator),
      { serviceId: service, numReplicas: 2 },
      { numReplicas: 5 },
      "numReplicas",
      5,
    ],
  ])("%s is stored as an adoption's response shows it", async (_, handlersOf, program, result, name, value) => {
    const handlers = handlersOf();
    const inputs = await checkInputs(handlers, program);
    await seeded.api.faults(answer("PATCH", result));
    const { id, outs } = await handlers.create(inputs);
    const stored = name.split(".").reduce<unknown>((part, key) => (part as Properties)[key], outs);
    expect(stored).toBe(value);
    expect(handlers.messages.at(-1)).toContain(`${name} is ${value} but the program declares `);
    expect((await handlers.diff(id, outs, inputs)).changes).not.toBe(false);
  });
});
