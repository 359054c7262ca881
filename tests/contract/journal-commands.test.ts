import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./service-setup";
import { failureOf, type Properties } from "./support";

/** The journal of several processes: of one command, and of commands at the same time. */

const setup = useServices();
const [ONE, TWO] = ["127.0.0.1:1001", "127.0.0.1:1002"];
let folder: string;

/** A plugin process of the engine at an address. */
const start = (engine?: string) => setup.restartWith({ CLOUDDB_JOURNAL: folder }, engine);
const create = async (args: Properties = {}) =>
  setup.handlers.create(await setup.checkArgs({ name: "orders", ...args }));
const records = () =>
  readdirSync(folder).map((name) => ({
    name,
    path: join(folder, name),
    text: readFileSync(join(folder, name), "utf8"),
  }));

beforeEach(() => {
  folder = temporaryFolder("commands");
  start();
});

test("a preview with a refresh ends no record of a password that the stack lacks", async () => {
  const { id, outs } = await create();
  const imported = { ...outs, password: null };
  const inputs = await setup.checkArgs({ name: "orders" });
  for (const engine of [ONE, TWO]) {
    start(engine);
    const { props = {} } = await setup.handlers.read(id, imported);
    expect(props.password).toBe(outs.password);
    // The diff may run in another process.
    start(engine);
    await setup.handlers.diff(id, props, inputs);
    expect(records()).toHaveLength(1);
  }
  start(ONE);
  await setup.handlers.diff(id, imported, inputs);
  expect(records()).toHaveLength(1);
  await setup.handlers.diff(id, outs, inputs);
  expect(records()).toEqual([]);
});

test("of two creations of one resource at the same time, one is refused", async () => {
  const inputs = await setup.checkArgs({ name: "orders" });
  const creations = [1, 2, 3].map((command) => {
    start(String(command));
    return setup.handlers.create(inputs).catch(({ message }: Error) => message);
  });
  const refusals = (await Promise.all(creations)).filter((result) => typeof result === "string");
  expect(refusals).toHaveLength(2);
  for (const refusal of refusals)
    expect(refusal).toMatch(/another command began to create it|an earlier command asked/);
  expect(await setup.api.services()).toHaveLength(1);
  expect(records()).toHaveLength(1);
});

test("a service keeps its password if another command has recorded the same creation meanwhile", async () => {
  const inputs = await setup.checkArgs({ name: "orders" });
  await setup.api.faults({ method: "POST", times: 1, effect: { kind: "latency", milliseconds: 500, when: "before" } });
  const { handlers } = setup;
  const creation = handlers.create(inputs);
  while (readdirSync(folder).every((name) => name.startsWith("."))) await new Promise(setImmediate);
  const [record] = records().filter(({ name }) => !name.startsWith("."));
  writeFileSync(record?.path ?? "", String(record?.text).replace('"name":"orders"', '"name":"others"'));
  const { id, outs } = await creation;
  expect(handlers.messages).toEqual([
    expect.stringMatching(`has created service ${id}\\..* creations discard .*CDB4014`),
  ]);
  expect(
    records()
      .map(({ text }) => JSON.parse(text))
      .sort((one, other) => one.name.localeCompare(other.name)),
  ).toEqual([expect.objectContaining({ name: "orders", id }), expect.objectContaining({ name: "others" })]);
  start();
  const adopted = await setup.handlers.create(await setup.checkArgs({ existingServiceId: id }));
  expect(adopted.outs.password).toBe(outs.password);
});

describe("a successful response without a usable id", () => {
  const answer = (service: Properties) =>
    setup.api.faults({
      method: "POST",
      times: 1,
      effect: {
        kind: "status",
        status: 200,
        body: { status: 200, requestId: "r-1", result: { service, password: "pass-word" } },
      },
    });

  test.each([[{ id: 12345 }], [{}], [{ id: "" }]])(
    "a response without a usable id, %j, is recorded with its password, which an adoption takes",
    async (service) => {
      // The service exists although its creation had no usable response.
      const { id } = await create({ name: "existing" });
      folder = temporaryFolder("commands");
      start(ONE);
      await answer(service);
      const { message } = await failureOf(create());
      expect(message).toContain("(its password is in the creation journal, and comes with it)");
      expect(message).not.toContain("pass-word");
      start(ONE);
      const inputs = await setup.checkArgs({ existingServiceId: id });
      const adopted = await setup.handlers.create(inputs);
      expect(adopted.outs.password).toBe("pass-word");
      await setup.handlers.diff(id, adopted.outs, inputs);
      expect(records()).toHaveLength(1);
      start(TWO);
      await setup.handlers.diff(id, adopted.outs, inputs);
      expect(records()).toEqual([]);
    },
  );

  test("without a journal, the password in a response without a usable id is lost", async () => {
    setup.restartWith({ CLOUDDB_JOURNAL: "off" });
    await answer({});
    // The engine may repeat the creation.
    for (const _ of ["once", "twice"]) {
      expect((await failureOf(create())).message).toContain("its password was in the lost response");
    }
  });
});

test("texts of a record reach no terminal with control characters", async () => {
  await setup.api.faults({ method: "POST", times: 1, effect: { kind: "reset", when: "after" } });
  const inputs = await setup.checkArgs({ name: "orders" });
  await failureOf(setup.handlers.create(inputs));
  const [record] = records();
  const text = JSON.parse(record?.text ?? "");
  const hostile = { title: "ser\u001b[2Jvice", name: "or\u009bders", organizationId: "o\u202er\u0007g" };
  writeFileSync(record?.path ?? "", JSON.stringify({ ...text, ...hostile }));
  start();
  const { message } = await failureOf(setup.handlers.create(inputs));
  expect(message).toMatch(
    /^Creating ser\\u\{1b\}\[2Jvice "or\\\\u\{9b\}ders" in organization o\\u\{202e\}r\\u\{7\}g: /,
  );
});
