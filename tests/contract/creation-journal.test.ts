import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seal } from "../../provider/core/journal/record";
import { temporaryFolder } from "../support/temporary-folder";
import { useJournal } from "./journal-setup";
import { failedCreation, failureOf, type Properties, refuse, StackResource } from "./support";

/** Creations that ended before the stack had them, and the next `pulumi up`. */

const setup = useJournal();
const { adopt, create, failCreation, records, refusal } = setup;

test("a service from a lost creation is adopted with its password", async () => {
  const { id, outs } = await create({ numReplicas: 3 });
  setup.restart();
  expect(await create({ numReplicas: 4 })).toMatchObject({ id, outs: { ...outs, numReplicas: 4 } });
  expect(await setup.api.services()).toHaveLength(1);
  expect(setup.handlers.messages).toEqual([
    expect.stringMatching(
      `^Taking service ${id} \\("orders"\\), which an earlier command created at .*, into the stack\\.`,
    ),
  ]);
});

test("an adoption or a refresh gets the password of a lost creation", async () => {
  const created = await create();
  const { id, outs } = created;
  // An import reads like this, and so does a program that only looks at the service.
  const imported = await new StackResource(setup.restart(), id, {}, {}).refresh();
  expect(imported.outs.password).toBeNull();
  await imported.diff();
  expect(records()).toHaveLength(1);
  // A refresh is previewed first: the record has to last until the stack has the password.
  for (const _ of ["preview", "refresh"]) {
    const refreshed = await created.withOuts({ password: null }).in(setup.restart()).refresh();
    expect(refreshed.outs.password).toBe(outs.password);
    await refreshed.diff();
    expect(records()).toHaveLength(1);
  }

  setup.restart();
  const adopted = await adopt(id);
  expect(adopted.outs.password).toBe(outs.password);
  await adopted.in(setup.restart()).diff();
  expect(records()).toEqual([]);
});

test("a new resource with a former name does not adopt the service of the renamed resource", async () => {
  const { id, outs } = await create();
  setup.restart();
  const renamed = (await create()).withOuts({ password: null });
  setup.restart();
  // The record keeps the password, which this state lacks.
  await renamed.in(setup.handlersFor("renamed")).diff();
  setup.restart();
  const owner = `created service ${id} for it, which urn:pulumi:dev::test::.*::renamed has managed since`;
  expect(await refusal()).toMatch(new RegExp(owner));
  expect(await setup.api.services()).toHaveLength(1);
  const refreshed = await renamed.in(setup.handlersFor("renamed")).refresh();
  expect(refreshed.outs.password).toBe(outs.password);
});

test("the password of a lost creation is found by an id in capital letters", async () => {
  const created = await create();
  const capitals = created.id.toUpperCase();
  const path = String(records()[0]?.path);
  writeFileSync(path, String(records()[0]?.text).replaceAll(created.id, capitals));
  const adopted = await adopt(created.id);
  expect(adopted.outs.password).toBe(created.outs.password);
  await adopted.in(setup.restart()).diff();
  expect(records()).toEqual([]);
});

test.each<[string, Properties, Properties]>([
  [
    'region is "us-east-1" but the program declares "eu-west-1".',
    { region: "us-east-1" },
    { region: "eu-west-1" },
  ],
  ["organizationId is ", {}, { organizationId: "0b3f4a52-8f6e-4d3c-9a7b-5c1d2e3f4a5b" }],
])(
  "a changed create-only argument prevents the adoption of a lost creation: %s",
  async (difference, args, next) => {
    const { id } = await create(args);
    setup.restart();
    const { message } = await failCreation(next);
    expect(message).toMatch(
      `Creating service ${id} ("orders"), which an earlier command has created: ${difference}`,
    );
    expect(await setup.api.services()).toHaveLength(1);
    expect(records()).toHaveLength(1);
  },
);

test("a creation without a response stays recorded when the service that it replaces is read", async () => {
  const { id } = await create({ name: "old" });
  const old = await adopt(id);
  await old.in(setup.restart()).diff();
  await setup.loseCreation();
  await old.in(setup.restart()).diff({ name: "orders" });
  expect(records()).toHaveLength(1);
});

test("a replacement that adopts the same service again deletes nothing", async () => {
  const service = await create();
  setup.restart();
  await create();
  await service.in(setup.handlers).delete();
  expect(setup.handlers.messages).toContainEqual(
    expect.stringMatching(`Service ${service.id} .* was not deleted`),
  );
  const { message } = await failureOf(service.in(setup.restart()).delete());
  expect(message).toContain("the API cannot delete services");
});

test("a creation without a response is refused until the service is adopted or the record discarded", async () => {
  await setup.loseCreation();
  setup.restart();
  const message = await refusal();
  expect(message).toMatch(
    /^Creating service "orders" in organization .* at .* and got no response: it may exist\. Nothing was sent now\./,
  );
  expect(message).toMatch(
    /`npx --no-install pulumi-clouddb creations discard [0-9a-f]{32} --journal \//,
  );
  const [service, ...others] = await setup.api.services();
  expect(others).toEqual([]);

  await setup.api.faults(refuse("PATCH", 403));
  await failedCreation(setup.handlers, { existingServiceId: service?.id, numReplicas: 5 });
  expect(await refusal()).toContain("it may exist. Nothing was sent now.");
  await setup.api.faults();

  const adopted = await adopt(service?.id);
  await adopted.diff();
  expect(records()).toEqual([]);
});

test("a creation that was refused or did not reach the server leaves no record", async () => {
  await setup.api.faults(refuse("POST", 400));
  await failCreation();
  expect(records()).toEqual([]);
  setup.restart({ CLOUDDB_BASE_URL: "http://127.0.0.1:1" });
  expect((await failCreation()).message).toContain("Nothing was created");
  expect(records()).toEqual([]);
});

const missing = {
  kind: "status",
  status: 404,
  body: { requestId: "r-1", status: 404, error: "NOT_FOUND: no such service" },
} as const;

test("a service that the API does not show yet is adopted by a later read", async () => {
  const { id, inputs, outs } = await create();
  setup.restart();
  await setup.api.faults({ method: "GET", times: 3, effect: missing });
  expect(await create()).toMatchObject({ id, inputs, outs });
  expect(await setup.api.services()).toHaveLength(1);
  expect(setup.handlers.messages).toContainEqual(
    expect.stringMatching(
      `The API does not show service ${id} \\("orders"\\) yet.*for up to a minute`,
    ),
  );
});

test("a service that the API does not show for a minute is refused with its id and stays recorded", async () => {
  const { id, inputs, outs } = await create();
  setup.restart();
  await setup.api.faults({ method: "GET", effect: missing });
  await setup.api.requests();
  const { message } = await failCreation();
  expect(message).toMatch(
    `Creating service ${id} ("orders"), which an earlier command created at `,
  );
  expect(message).toMatch(
    /request id r-1.*Nothing was created, .*\n.*run `npx .* discard [0-9a-f]{32} --journal .*CDB4012\]$/,
  );
  expect(await setup.api.requestNames()).toEqual(Array(8).fill("GET /services/{id}"));
  expect(await setup.api.services()).toHaveLength(1);
  await setup.api.faults();
  setup.restart();
  expect(await create()).toMatchObject({ id, inputs, outs });
});

test("one refusal names every unresolved creation of the stack", async () => {
  const { id } = await create({ name: "known" });
  for (const name of ["one", "two", "three"])
    await setup.loseCreation({ name }, setup.handlersFor(name));
  const recorded = records();
  const commandFor = (name: string) => {
    const { id, text } = recorded.find(({ text }) => JSON.parse(text).name === name) ?? {
      id: "",
      text: "{}",
    };
    return `sent at ${JSON.parse(text).sentAt}: \`.* discard ${id} --journal .*\`\\.`;
  };
  const ofAnotherStack = String(recorded[0]?.text).replace(
    "urn:pulumi:dev::",
    "urn:pulumi:other::",
  );
  writeFileSync(join(setup.folder, `${"0".repeat(32)}.json`), ofAnotherStack);

  setup.restart();
  const message = await refusal({ name: "two" }, setup.handlersFor("two"));
  expect(message.split("\n")).toEqual([
    expect.stringMatching(/^Creating service "two" .* Nothing was sent now\.$/),
    expect.stringMatching(
      /^Look for a service with that name .* discard [0-9a-f]{32} .* then `pulumi up` again\.$/,
    ),
    "Look for each of these creations of the stack; run the command of one that does not exist:",
    expect.stringMatching(`^- service "two", ${commandFor("two")}$`),
    expect.stringMatching(`^- service "one", ${commandFor("one")}$`),
    expect.stringMatching(`^- service "three", ${commandFor("three")}$`),
    expect.stringMatching(/^The next `pulumi up` takes these, .*:$/),
    expect.stringMatching(`^- service ${id} .*, ${commandFor("known")} \\[CDB4012\\]$`),
  ]);
});

test("a refusal names ten recorded services, and counts the rest", async () => {
  for (let number = 0; number < 12; number += 1)
    await create({ name: `known ${number}` }, setup.handlersFor(`known${number}`));
  await setup.loseCreation({ name: "lost" }, setup.handlersFor("lost"));
  setup.restart();
  const message = await refusal({ name: "lost" }, setup.handlersFor("lost"));
  const lines = message.split("\n");
  expect(lines.filter((line) => line.startsWith("- service "))).toHaveLength(10);
  expect(lines.at(-1)).toBe("- 2 more. [CDB4012]");
});

test("each creation has its own record file, readable only by its owner, without the password", async () => {
  const { outs } = await create();
  const [record, ...others] = records();
  expect(others).toEqual([]);
  expect(statSync(record?.path ?? "").mode & 0o777).toBe(0o600);
  expect(record?.text).not.toContain(String(outs.password));
  expect(JSON.parse(record?.text ?? "")).toMatchObject({
    name: "orders",
    title: "service",
    id: expect.any(String),
  });
});

test("with another API key, the service is adopted with the advice to set a new password", async () => {
  const { id, inputs } = await create();
  const [{ path, text } = { path: "", text: "" }] = records();
  const secrets = seal({ inputs, password: "password" }, "the secret of another key");
  writeFileSync(path, JSON.stringify({ ...JSON.parse(text), secrets }));
  setup.restart();
  const { stored, message } = await failCreation();
  expect(message).toMatch(
    /Set a new one in the console of your cloud database, then run `npx .* discard [0-9a-f]+ --journal /,
  );
  expect(stored.id).toBe(id);
  await stored.diff();
  // A command with the other key may still read the record.
  expect(records()).toHaveLength(1);
});

test("a configured journal that cannot be written fails the creation before its request", async () => {
  writeFileSync(setup.folder, "a file, not a folder");
  const { message } = await failCreation();
  expect(message).toMatch(
    /^The creation journal in .* cannot be written: E[A-Z]+\. Nothing was created\./,
  );
  expect(await setup.api.services()).toEqual([]);
});

test("an unreadable record is named, blocks only its own resource, and hides no other record", async () => {
  const service = await create();
  const [first] = records();
  await create({ name: "damaged" }, setup.handlersFor("damaged"));
  const damaged = records().find((record) => record.id !== first?.id);
  const path = String(damaged?.path);
  renameSync(path, join(temporaryFolder("moved"), "record"));
  mkdirSync(path);

  // The record of a service that the stack has ends,
  await service.in(setup.restart()).diff();
  expect(existsSync(String(first?.path))).toBe(false);
  expect(setup.handlers.messages).toEqual([
    expect.stringMatching(
      `Unreadable records in the creation journal: 1, the first is ${path} \\(EISDIR\\)`,
    ),
  ]);
  // another service can be created,
  await create({ name: "other" }, setup.handlersFor("other"));
  // and only its own resource is refused.
  const message = await refusal({ name: "damaged" }, setup.handlersFor("damaged"));
  expect(message).toContain(`The creation journal cannot read ${path}: EISDIR.`);
  expect(message).toContain(`discard ${damaged?.id}`);
  expect(await setup.api.services()).toHaveLength(3);
});
