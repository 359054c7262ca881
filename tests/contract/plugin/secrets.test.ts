import { secret, UNKNOWN, withoutSecrets } from "../../support/adapters/values";
import { EXAMPLE } from "../../support/example";
import { failureOf } from "../support";
import { up, useEngine } from "./support";

/* What the program marks as secret, over the plugin's protocol: the engine leaves it to the plugin to mark answers. */

const engine = useEngine();

const { service, pipes } = EXAMPLE;
const ROLE = "arn:aws:iam::000000000000:role/hidden";
const pipe = (args: Record<string, unknown>) => ({
  serviceId: service,
  pipeId: pipes.kafka,
  ...args,
});
/** The properties shown in plain text. */
const response = (state: Record<string, unknown>) => JSON.stringify(withoutSecrets(state));

test("an output is secret only if it shows a marked argument", async () => {
  const args = pipe({
    source: { kafka: { iamRole: secret(ROLE) } },
    settings: { streamingMaxInsertWaitMs: secret(48_151_623), engineMaxThreads: 9 },
  });
  const { inputs, state } = await up(engine, "Pipe", "orders", args);
  expect(inputs.source).toEqual({ kafka: { iamRole: secret(ROLE) } });
  expect(inputs.settings).toEqual({
    streamingMaxInsertWaitMs: secret(48_151_623),
    engineMaxThreads: 9,
  });
  expect(state.currentSource).toMatchObject({ kafka: { iamRole: secret(ROLE), topics: "orders" } });
  expect(state.currentSettings).toMatchObject({
    streamingMaxInsertWaitMs: secret(48_151_623),
    engineMaxThreads: 9,
  });
  expect(state).toMatchObject({ name: "orders", state: "Running" });
});

const named = { passwordFromEnvironment: secret("ORDERS"), username: "reader" };
test.each<[string, string, Record<string, unknown>]>([
  ["kafka", "of credentials", { credentials: named }],
  [
    "kafka",
    "of marked credentials",
    { credentials: secret({ ...named, passwordFromEnvironment: "ORDERS" }) },
  ],
  ["objectStorage", "beside them", { connectionStringFromEnvironment: secret("ORDERS") }],
])(
  "the name of a variable stays plain text even if the program marks it: %s, %s",
  async (kind, _, args) => {
    const pipeId = pipes[kind as "kafka"];
    const { inputs } = await engine.check(
      "Pipe",
      "orders",
      pipe({ pipeId, source: { [kind]: args } }),
    );
    expect(response(inputs)).toContain('FromEnvironment":"ORDERS"');
    expect(engine.messages.map(({ text }) => text).join()).toContain(
      "neither ORDERS nor ORDERS_FILE is set",
    );
  },
);

test("a list with a marked entry is entirely secret, even in the preview", async () => {
  const args = { privateEndpoints: [{ id: secret("vpce-hidden") }, { id: "vpce-shown" }] };
  const { inputs } = await engine.check("Organization", "us", args);
  expect(inputs.privateEndpoints).toEqual(secret([{ id: "vpce-hidden" }, { id: "vpce-shown" }]));
  const planned = await engine.create("Organization", "us", inputs, true);
  expect(planned.state).toMatchObject({
    privateEndpoints: inputs.privateEndpoints,
    allPrivateEndpoints: secret(UNKNOWN),
  });
  const { id, state } = await engine.create("Organization", "us", inputs);
  expect(response(state)).not.toContain("vpce-");
  const later = await engine.update(
    "Organization",
    "us",
    id,
    state,
    { ...inputs, name: "Renamed" },
    true,
  );
  expect(later).toMatchObject({ name: "Renamed", privateEndpoints: inputs.privateEndpoints });
});

test("a marked entry is secret among entries of other owners, and stays owned", async () => {
  const args = {
    serviceId: service,
    ipAccessList: secret([{ source: "203.0.113.9/24" }, { source: "2001:DB8::1" }]),
  };
  const { id, inputs, state } = await up(engine, "ServiceAccess", "web", args);
  expect(response(state)).not.toMatch(/203\.0\.113|2001:/);
  const refreshed = (await engine.read("ServiceAccess", "web", id, state)).state;
  expect(response(refreshed)).not.toMatch(/203\.0\.113|2001:/);
  expect(await engine.diff("ServiceAccess", "web", id, refreshed, inputs)).toMatchObject({
    changes: "none",
  });
  const { failures } = await engine.check("ServiceAccess", "other", args);
  expect(failures.map(({ reason }) => reason).join()).toMatch(
    /both manage \[secret\] in ipAccessList/,
  );
  await engine.api.requestNames();
  // Begins another command: in the current one, the program declares the entries.
  await engine.configure({});
  await engine.delete("ServiceAccess", "web", id, refreshed);
  expect((await engine.api.requests()).map(({ body }) => body)).toEqual([
    null,
    { ipAccessList: { remove: [{ source: "2001:DB8::1", description: "test/dev" }] } },
  ]);
});

test("any text of the API that contains a marked value is secret", async () => {
  await engine.api.faults({
    method: "PATCH",
    effect: {
      kind: "answer",
      result: { source: { objectStorage: { url: "https://hidden-box.example.com/*.json" } } },
    },
  });
  const args = { serviceId: service, pipeId: pipes.objectStorage };
  const source = { objectStorage: { azureContainerName: secret("hidden-box"), path: "a" } };
  const { state } = await up(engine, "Pipe", "invoices", {
    ...args,
    source,
    name: "hidden-box of ours",
  });
  expect(state.currentSource).toMatchObject({
    objectStorage: { url: secret("https://hidden-box.example.com/*.json") },
  });
  // The program itself shows this text elsewhere, without a mark.
  expect(state.name).toBe("hidden-box of ours");
});

test("a refresh keeps marks", async () => {
  const args = pipe({ source: { kafka: { iamRole: secret(ROLE) } } });
  const { id, inputs, state } = await up(engine, "Pipe", "orders", args);
  expect(state.__secrets).toEqual(["source.kafka.iamRole"]);
  const current = await engine.read("Pipe", "orders", id, state, inputs);
  expect(response(current)).not.toContain(ROLE);
  expect(current).toMatchObject({ id, inputs });
});

test("a later mark is an update without a request, and a removed mark is no change", async () => {
  const source = (role: unknown) => pipe({ source: { kafka: { iamRole: role } } });
  const { id, inputs, state } = await up(engine, "Pipe", "orders", source(ROLE));
  expect(state).not.toHaveProperty("__secrets");
  const { inputs: marked } = await engine.check("Pipe", "orders", source(secret(ROLE)), inputs);
  expect(await engine.diff("Pipe", "orders", id, state, marked)).toMatchObject({ changes: "some" });
  expect(engine.messages.at(-1)?.text).toMatch(
    /^The program marks source\.kafka\.iamRole of pipe \S+ as secret: the update/,
  );
  await engine.api.requestNames();
  const hidden = await engine.update("Pipe", "orders", id, state, marked);
  expect(response(hidden)).not.toContain(ROLE);
  expect(await engine.api.requestNames()).toEqual([]);
  expect(await engine.diff("Pipe", "orders", id, hidden, marked)).toMatchObject({
    changes: "none",
  });

  expect(await engine.diff("Pipe", "orders", id, hidden, inputs)).toMatchObject({
    changes: "none",
  });
  const open = await engine.update("Pipe", "orders", id, hidden, { ...inputs, name: "renamed" });
  expect(open).not.toHaveProperty("__secrets");
  expect(open.currentSource).toMatchObject({ kafka: { iamRole: ROLE } });
});

test("a partial failure stores marks", async () => {
  const role = "arn:aws:iam::000000000000:role/ingest";
  const args = pipe({ name: "renamed", source: { kafka: { iamRole: secret(role) } } });
  const { inputs } = await engine.check("Pipe", "orders", args);
  await engine.configure({ maxRetries: 0 });
  await engine.api.faults({ method: "PATCH", effect: { kind: "status", status: 500 } });
  const { properties = {} } = await failureOf(engine.create("Pipe", "orders", inputs));
  expect(properties.currentSource).toMatchObject({
    kafka: { iamRole: secret(role), topics: "orders" },
  });
});

const SERVICE = { provider: "aws", region: "us-east-1", name: secret("Hidden Analytics") };

test("a message contains no marked name", async () => {
  const { inputs } = await engine.check("Service", "db", SERVICE);
  await engine.api.faults({ method: "POST", effect: { kind: "status", status: 400 } });
  const failure = await failureOf(engine.create("Service", "db", inputs));
  expect(failure.message).toMatch(/^Creating service "\[secret\]" in organization /);
  await engine.api.faults();
  const more = { ...SERVICE, privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] };
  const { id, state } = await up(engine, "Service", "db", more);
  expect(engine.messages.map(({ text }) => text).join()).toContain('("[secret]") was created');
  const { message } = await failureOf(engine.delete("Service", "db", id, state));
  expect(message).toContain(`Deleting service ${id} ("[secret]")`);
  await engine.api.faults({ method: "GET", effect: { kind: "status", status: 404 } });
  await engine.read("Service", "db", id, state, inputs);
  expect(engine.messages.at(-1)?.text).toContain(`Service ${id} ("[secret]") of organization`);
});

test("a message contains no marked id, not even in a request path", async () => {
  const { inputs } = await engine.check("Pipe", "orders", {
    serviceId: secret(service),
    pipeId: pipes.kafka,
  });
  await engine.api.faults({ method: "GET", effect: { kind: "status", status: 403 } });
  const { message } = await failureOf(engine.create("Pipe", "orders", inputs));
  expect(message).toMatch(
    /\(GET \/v1\/organizations\/[\da-f-]+\/services\/\[secret\]\/pipes\/[\da-f-]+/,
  );
});

test("a message contains no marked id of a function", async () => {
  const other = service.replace(/0001$/, "9999");
  await engine.configure({});
  const args = { serviceId: service, pipeId: secret(other.toUpperCase()) };
  const { message } = await failureOf(engine.invoke("getPipe", args));
  expect(message).toMatch(/^Reading pipe \[secret\]: the API returned 404/);
  expect(message).not.toContain(other);
  // The process redacts each secret that it has seen.
  const later = await failureOf(engine.invoke("getService", { serviceId: other }));
  expect(later.message).toContain("Reading service [secret]: ");
});

test("a message about a conflict or a replacement contains no marked id", async () => {
  const marked = { pipeId: secret(pipes.kafka), serviceId: secret(service) };
  await engine.check("Pipe", "first", marked);
  const { failures } = await engine.check("Pipe", "second", marked);
  expect(failures[0]?.reason).toContain('"first" and "second" both manage pipe [secret]');
  const { id, state } = await up(engine, "Pipe", "third", {
    serviceId: service,
    pipeId: pipes.postgres,
  });
  const { inputs } = await engine.check("Pipe", "third", {
    serviceId: secret(EXAMPLE.otherService),
    pipeId: id,
  });
  await engine.diff("Pipe", "third", id, state, inputs);
  expect(engine.messages.at(-1)?.text).toContain("Changing serviceId of pipe");
});
