import { EXAMPLE } from "../../support/example";
import { failureOf } from "../support";
import { useEngine } from "./support";

const engine = useEngine();

const { service, pipes } = EXAMPLE;
const organization = () => engine.api.organizationId;
const deletion = (name: string) =>
  `\`pulumi state delete --force urn:pulumi:dev::test::clouddb:index:Service::${name}\``;
test.each<[string, () => string, string]>([
  ["Service", () => service, service],
  ["Service", () => `${organization()}/${service.toUpperCase()}`, service],
  ["ServiceScaling", () => service, service],
  ["ServiceScaling", () => `${organization()}/${service}`, service],
  ["Pipe", () => `${service}/${pipes.kafka}`, pipes.kafka],
  ["Pipe", () => `${organization()}/${service}/${pipes.postgres}`, pipes.postgres],
])(
  "an imported %s has the arguments that a program declares, and no changes",
  async (type, value, id) => {
    const current = await engine.read(type, "imported", value());
    expect(current.id).toBe(id);
    expect(Object.keys(current.inputs).length).toBeGreaterThan(3);
    expect(current.inputs).toMatchObject({ organizationId: organization() });
    // An imported service is not an adopted one.
    expect(current.inputs).not.toHaveProperty("existingServiceId");
    const { inputs, failures } = await engine.check(
      type,
      "imported",
      current.inputs,
      current.inputs,
    );
    expect(failures).toEqual([]);
    expect(await engine.diff(type, "imported", id, current.state, inputs)).toMatchObject({
      changes: "none",
    });
    // After an import, the engine compares its result with the program's declarations.
    const { serviceId = null, pipeId = null } = inputs;
    const fewer = { organizationId: organization(), serviceId, pipeId };
    expect(await engine.diff(type, "imported", id, current.state, fewer)).toMatchObject({
      replaces: [],
    });
    expect(await engine.api.requestNames()).toEqual([expect.stringMatching(/^GET /)]);
  },
);

test("the import of a pipe reads its source and settings, but no secret", async () => {
  const { inputs } = await engine.read("Pipe", "imported", `${service}/${pipes.kafka}`);
  const settings = expect.anything();
  expect(inputs).toMatchObject({
    serviceId: service,
    pipeId: pipes.kafka,
    name: "orders",
    settings,
  });
  expect(JSON.stringify(inputs)).not.toMatch(/password|credentials/);
});

test("an imported ServiceAccess owns the entries in its import id", async () => {
  const text = `${service}/203.0.113.9/24`;
  const { id, state, inputs } = await engine.read("ServiceAccess", "imported", text);
  const office = { source: "203.0.113.0/24", description: "office" };
  expect(inputs).toEqual({
    organizationId: organization(),
    serviceId: service,
    ipAccessList: [office],
  });
  expect(state).toMatchObject({ sharedSources: [] });
  expect(await engine.diff("ServiceAccess", "imported", id, state, inputs)).toMatchObject({
    changes: "none",
  });
  await engine.delete("ServiceAccess", "imported", id, state);
  expect((await engine.api.requests()).map(({ body }) => body)).toEqual([
    null,
    null,
    { ipAccessList: { remove: [office] } },
  ]);
});

test("the import of a ServiceAccess requires that its entries exist", async () => {
  const { message } = await failureOf(
    engine.read("ServiceAccess", "imported", `${service}/192.0.2.0/28,vpce-1`),
  );
  expect(message).toContain(
    `the access to service ${service} does not include 2 of the entries in the import ID.`,
  );
});

test("an organization, which the API cannot read, is imported with a warning", async () => {
  const { id, state, inputs } = await engine.read("Organization", "imported", organization());
  // A program has to declare a list, and none of its entries can belong to this stack.
  expect(id).toBe(organization());
  expect(inputs).toEqual({ organizationId: organization(), privateEndpoints: [] });
  expect(engine.messages).toEqual([
    expect.objectContaining({ severity: 1 }),
    {
      severity: 2,
      name: "imported",
      text: `The API cannot read organization ${organization()}: only the ID was imported; it could not be verified. Declare what the program is to manage; the next \`pulumi up\` sends it. [CDB4007]`,
    },
  ]);
  const checked = await engine.check("Organization", "imported", inputs, inputs);
  expect(checked).toEqual({ inputs, failures: [] });
  expect(await engine.diff("Organization", "imported", id, state, inputs)).toMatchObject({
    changes: "none",
  });
  const more = { ...inputs, name: "One" };
  expect(await engine.diff("Organization", "imported", id, state, more)).toMatchObject({
    changes: "unknown",
  });
  expect(await engine.api.requestNames()).toEqual([]);
  await engine.update("Organization", "imported", id, state, more);
  expect(await engine.api.requestNames()).toEqual(["PATCH "]);
});

test("an object that another resource imports or manages is refused, with one reminder", async () => {
  const first = await engine.read("Service", "first", service);
  expect(await engine.read("Service", "first", service)).toEqual(first);
  await engine.read("ServiceScaling", "size", service);
  expect(engine.messages.map(({ text }) => text)).toEqual([
    `Pulumi does not check whether the stack already has what it imports. If \`pulumi stack --show-ids\` lists an ID twice, remove the new resource, such as this one: ${deletion("first")}. [CDB4008]`,
  ]);
  const again = await failureOf(engine.read("Service", "again", service.toUpperCase()));
  expect(again.message).toBe(
    `"first" and "again" both manage service ${service}, and each would undo the other's changes: keep only one of them. [CDB4009]`,
  );
  // A refresh also compares what the program has moved.
  await engine.diff("Service", "again", service, first.state, first.inputs);
  await engine.check("Service", "again", first.inputs, first.inputs);
  const stored = await failureOf(
    engine.diff("Service", "again", service, first.state, first.inputs),
  );
  expect(stored.message).toBe(
    `${again.message.replace(" [CDB4009]", "")} If it was imported twice, remove the newer one from the state, with ${deletion("first")} or ${deletion("again")}: an import brings no password. [CDB4010]`,
  );
});

test.each([
  ["Pipe", pipes.kafka, { serviceId: service }, "orders"],
  ["Service", service, {}, "Analytics"],
])(
  "a read-only %s has its parent ids in the state, and no declared arguments",
  async (type, id, args, name) => {
    const current = await engine.read(type, "read", id, args, args);
    expect({ id: current.id, name: current.state.name, inputs: current.inputs }).toEqual({
      id,
      name,
      inputs: args,
    });
    const refreshed = await engine.read(type, "read", id, current.state, args);
    expect(refreshed).toEqual(current);
  },
);
