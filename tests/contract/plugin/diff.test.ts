import type { Properties } from "../../support/adapters/handlers";
import { plain, secret, UNKNOWN } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { temporaryFolder } from "../../support/temporary-folder";
import { failureOf } from "../support";
import { startEngine, up, useEngine } from "./support";

const engine = useEngine();

const SERVICE = {
  provider: "aws",
  region: "us-east-1",
  minReplicaMemoryGb: 8,
  maxReplicaMemoryGb: 16,
  numReplicas: 3,
};
const PIPE = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.kafka };

test("an argument that is no longer declared is a change without a request", async () => {
  const endpoints = ["mysql", "https"].map((protocol) => ({ protocol, enabled: true }));
  const { id, inputs, state } = await up(engine, "Service", "db", { ...SERVICE, endpoints });
  const { numReplicas: _, ...rest } = inputs;
  const others = { ...rest, endpoints: endpoints.slice(0, 1) };
  await engine.api.requestNames();
  expect(await engine.diff("Service", "db", id, state, others)).toMatchObject({ changes: "some" });
  await engine.update("Service", "db", id, state, others);
  expect(await engine.api.requestNames()).toEqual([]);
});

test("the first declaration of a list shows the entries that it removes", async () => {
  const args = { existingServiceId: EXAMPLE.service };
  const { id, inputs, state } = await up(engine, "Service", "db", args);
  const next = { ...inputs, numReplicas: 4, ipAccessList: [{ source: "192.0.2.9" }] };
  expect(await engine.diff("Service", "db", id, state, next, inputs)).toMatchObject({
    changes: "some",
    details: { numReplicas: "UPDATE", "ipAccessList[0]": "UPDATE", "ipAccessList[1]": "DELETE" },
  });
  const pipe = { serviceId: EXAMPLE.service, pipeId: EXAMPLE.pipes.postgres };
  const orders = await up(engine, "Pipe", "orders", pipe);
  const none = { ...orders.inputs, source: { postgres: { tableMappings: [] } } };
  expect(
    await engine.diff("Pipe", "orders", orders.id, orders.state, none, orders.inputs),
  ).toMatchObject({
    details: { "currentSource.postgres.tableMappings[0]": "DELETE" },
  });
});

test("a rotation shows its fingerprint, version or variable beside a removed or new list", async () => {
  const engine = await startEngine({ environment: { ONE: "first", TWO: "second" } });
  const { baseUrl, keyId, keySecret, organizationId } = engine.api;
  await engine.configure({ baseUrl, keyId, keySecret, organizationId });
  const pipes = EXAMPLE.pipes;
  const of = (pipeId: string, source: Properties) => ({ ...PIPE, pipeId, source });
  const kafka = (passwordFromEnvironment: string, username = "u") =>
    of(pipes.kafka, { kafka: { credentials: { username, passwordFromEnvironment } } });
  const storage = (member: Properties) => of(pipes.objectStorage, { objectStorage: member });
  const reference = (name: string) => storage({ connectionStringFromEnvironment: name });
  const [password, text] = ["kafka.credentials.password", "objectStorage.connectionString"].map(
    (place) => `source.${place}`,
  );
  const print = (place = "") => `secretFingerprints["${place}"]`;
  const version = (secretsVersion: string) => ({ ...kafka("ONE"), secretsVersion });

  /** The details of a change beside a setting that is given up. */
  async function detailsOf(before: Properties, after: Properties) {
    const settings = { streamingMaxInsertWaitMs: 4000 };
    const { id, inputs, state } = await up(engine, "Pipe", "orders", { ...before, settings });
    const { inputs: next } = await engine.check("Pipe", "orders", after, inputs);
    return (await engine.diff("Pipe", "orders", id, state, next, inputs)).details;
  }
  expect(await detailsOf(kafka("ONE"), kafka("TWO"))).toEqual({
    "source.kafka.credentials": "UPDATE",
    [print(password)]: "UPDATE",
  });
  expect(await detailsOf(kafka("ONE"), kafka("ONE", "v"))).toEqual({
    "source.kafka.credentials": "UPDATE",
  });
  expect(await detailsOf(version("1"), version("2"))).toEqual({ secretsVersion: "UPDATE" });
  expect(await detailsOf(version("1"), kafka("ONE"))).toEqual({
    secretsVersion: "DELETE",
    [print(password)]: "ADD",
  });
  expect(await detailsOf(reference("ONE"), reference("TWO"))).toEqual({
    [`${text}FromEnvironment`]: "UPDATE",
    [print(text)]: "UPDATE",
  });
  expect(await detailsOf(storage({ connectionString: secret("x") }), reference("ONE"))).toEqual({
    [`${text}`]: "DELETE",
    [`${text}FromEnvironment`]: "ADD",
    [print(text)]: "ADD",
  });

  // The value alone differs: on another machine, or after an update without a response, also with
  // the same arguments.
  const { id, inputs, state } = await up(engine, "Pipe", "orders", kafka("ONE"));
  const { inputs: others } = await engine.check("Pipe", "orders", kafka("TWO"));
  const rotated = { ...inputs, secretFingerprints: others.secretFingerprints };
  const details = { [print(password)]: "UPDATE" };
  expect(await engine.diff("Pipe", "orders", id, state, rotated, rotated)).toMatchObject({
    changes: "some",
    details,
  });
});

test("an unknown value or group is a change, but no replacement", async () => {
  const unknown = { changes: "unknown", replaces: [] };
  const service = await up(engine, "Service", "db", {
    ...SERVICE,
    ipAccessList: [{ source: "203.0.113.1" }],
  });
  const next = { ...service.inputs, region: UNKNOWN, ipAccessList: UNKNOWN };
  expect(await engine.diff("Service", "db", service.id, service.state, next)).toMatchObject(
    unknown,
  );
  const pipe = await up(engine, "Pipe", "orders", {
    ...PIPE,
    settings: { streamingMaxInsertWaitMs: 4000 },
  });
  const pending = { ...pipe.inputs, settings: UNKNOWN, source: { kafka: UNKNOWN } };
  expect(await engine.diff("Pipe", "orders", pipe.id, pipe.state, pending)).toMatchObject(unknown);
});

test("a planned creation has its arguments, and unknown values for server defaults", async () => {
  const { inputs } = await engine.check("Service", "db", { ...SERVICE, dataWarehouseId: UNKNOWN });
  const { id, state } = await engine.create("Service", "db", inputs, true);
  expect(id).toBe("");
  expect(state).toMatchObject({
    numReplicas: 3,
    dataWarehouseId: UNKNOWN,
    serviceEndpoints: UNKNOWN,
    idleScaling: UNKNOWN,
    password: secret(UNKNOWN),
  });
  // An argument that no response shows has no output.
  expect(state).not.toHaveProperty("tier");
  expect(await engine.api.requestNames()).toEqual([]);
});

test("an adopted service has no password in any preview", async () => {
  const { inputs } = await engine.check("Service", "db", { existingServiceId: EXAMPLE.service });
  expect((await engine.create("Service", "db", inputs, true)).state.password).toBeNull();
  const { id, state } = await engine.create("Service", "db", inputs);
  expect(state.password).toBeNull();
  expect(
    (await engine.update("Service", "db", id, state, { ...inputs, numReplicas: 4 }, true)).password,
  ).toBeNull();
  const { inputs: unknown } = await engine.check("Service", "db", { existingServiceId: UNKNOWN });
  expect((await engine.create("Service", "db", unknown, true)).state.password).toEqual(
    secret(UNKNOWN),
  );
});

test("an unknown resource type is named in the error", async () => {
  const failure = await failureOf(engine.check("Table", "t", {}));
  expect(failure.message).toBe("Unknown resource type clouddb:index:Table. [CDB9002]");
});

test("a dynamic resource's state is adopted without a change", async () => {
  const { id, inputs, state } = await up(engine, "Service", "db", SERVICE);
  const entry = { __provider: 'exports.handler=()=>require("pulumi-clouddb/runtime").service' };
  const checked = await engine.check("Service", "db", SERVICE, { ...plain(inputs), ...entry });
  const stored = { ...plain(state), ...entry };
  expect(checked.inputs).not.toHaveProperty("__provider");
  expect(await engine.diff("Service", "db", id, stored, checked.inputs)).toMatchObject({
    changes: "none",
  });
  expect(await engine.read("Service", "db", id, stored)).toMatchObject({ state: entry });
});

test.each<["PROPOSE" | "ENFORCE", proposed: string, name: string]>([
  ["PROPOSE", "shop-dev-db-1f", "shop dev db 1f"],
  ["PROPOSE", `shop-dev-${"x".repeat(60)}`, `shop dev ${"x".repeat(41)}`],
  ["ENFORCE", "shop  dev", "shop  dev"],
])(
  "with the mode %s and the name %s, a new service gets the name %s",
  async (mode, proposed, name) => {
    const { inputs, failures } = await engine.check("Service", "db", SERVICE, {}, [mode, proposed]);
    expect({ name: inputs.name, failures }).toEqual({ name, failures: [] });
  },
);

const enforces = (name: string) =>
  `\`pulumi:autonaming\` enforces "${name}", but the name of a service can have only letters A to Z, digits and spaces, at most 50; change the setting, or declare name. [CDB1007]`;
test.each([
  ["ENFORCE", "größe", enforces("größe")],
  ["ENFORCE", "x".repeat(51), enforces("x".repeat(51))],
  [
    "DISABLE",
    "",
    "name is missing: `pulumi:autonaming` disables default names; set `name` on the resource. [CDB1002]",
  ],
] as const)(
  "a service without a name is refused with the mode %s and the name %j",
  async (mode, name, reason) => {
    const { failures } = await engine.check("Service", "db", SERVICE, {}, [mode, name]);
    expect(failures).toEqual([{ property: "", reason }]);
  },
);

test.each<[string, string, Properties, Properties, string | undefined]>([
  ["a declared name", "Service", { name: "orders" }, {}, "orders"],
  ["the name of a service in the stack", "Service", {}, { name: "db" }, "db"],
  [
    "the name of an adopted service",
    "Service",
    { existingServiceId: EXAMPLE.service },
    {},
    undefined,
  ],
  [
    "a resource without a default name",
    "ServiceScaling",
    { serviceId: EXAMPLE.service },
    {},
    undefined,
  ],
])("autonaming does not change %s", async (_, type, args, olds, name) => {
  for (const autonaming of [
    ["PROPOSE", "x"],
    ["ENFORCE", "größe"],
    ["DISABLE", ""],
  ] as const) {
    const news = { ...(type === "Service" ? SERVICE : { numReplicas: 3 }), ...args };
    const { inputs, failures } = await engine.check(type, "db", news, olds, autonaming);
    expect({ name: inputs.name, failures }).toEqual({ name, failures: [] });
  }
});

test("autonaming keeps the name of a service that an earlier command created", async () => {
  const restart = (args = {}) => engine.configure({ journal, ...args });
  const journal = temporaryFolder("journal");
  const check = async (...autonaming: Parameters<typeof engine.check>[4] & object) =>
    (await engine.check("Service", "db", SERVICE, {}, autonaming)).inputs;
  await restart();
  const { id } = await engine.create("Service", "db", await check("PROPOSE", "db-111"));
  await restart();
  await engine.api.requestNames();
  const inputs = await check("PROPOSE", "db-222");
  expect(await engine.create("Service", "db", inputs)).toMatchObject({
    id,
    state: { name: "db 111" },
  });
  expect(await engine.api.requestNames()).toEqual(["GET /services/{id}"]);
  const rotated = { keySecret: "another key" };
  for (const args of [rotated, {}]) {
    await restart(args);
    expect(await check("DISABLE", "")).toMatchObject({ name: "db 111" });
  }

  const hidden = { ...SERVICE, name: secret("hidden") };
  await engine.create("Service", "other", (await engine.check("Service", "other", hidden)).inputs);
  for (const args of [rotated, {}]) {
    await restart(args);
    const { inputs: others } = await engine.check("Service", "other", SERVICE, {}, [
      "PROPOSE",
      "other-333",
    ]);
    expect(others).toMatchObject({ name: "other 333" });
  }
});
