import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder";
import { useJournal } from "./journal-setup";
import { failureOf, once, type Properties, refuse } from "./support";

/**
 * The journal of several processes, of one command or of commands at the same time, and of repeated
 * creations.
 */

const setup = useJournal();
const { adopt, create, failCreation, records, refusal } = setup;
const [ONE, TWO] = ["127.0.0.1:1001", "127.0.0.1:1002"];
/** A plugin process of the engine at an address. */
const start = (engine: string) => setup.restart({}, engine);

test("a preview with a refresh keeps a record whose password the stack lacks", async () => {
  const created = await create();
  const imported = created.withOuts({ password: null });
  for (const engine of [ONE, TWO]) {
    const refreshed = await imported.in(start(engine)).refresh();
    expect(refreshed.outs.password).toBe(created.outs.password);
    // The diff may run in another process.
    await refreshed.in(start(engine)).diff();
    expect(records()).toHaveLength(1);
  }
  const next = start(ONE);
  await imported.in(next).diff();
  expect(records()).toHaveLength(1);
  await created.in(next).diff();
  expect(records()).toEqual([]);
});

test("one of several simultaneous creations of one resource is sent, and the others are refused", async () => {
  const inputs = await setup.checkArgs({ name: "orders" });
  const creations = ["1", "2", "3"].map((engine) => {
    start(engine);
    return setup.handlers.create(inputs).catch(({ message }: Error) => message);
  });
  const refusals = (await Promise.all(creations)).filter((result) => typeof result === "string");
  const refusal = expect.stringMatching(
    /^Creating service "orders": another command began to create it at .*Nothing was sent\..*\[CDB4012\]$/,
  );
  expect(refusals).toEqual([refusal, refusal]);
  expect(await setup.api.services()).toHaveLength(1);
  expect(records()).toHaveLength(1);
});

test("a service keeps its password if another command has recorded the same creation meanwhile", async () => {
  await setup.api.faults({
    method: "POST",
    times: 1,
    effect: { kind: "latency", milliseconds: 500, when: "before" },
  });
  const { handlers } = setup;
  const creation = create();
  while (records().length === 0) await new Promise(setImmediate);
  const [record] = records();
  writeFileSync(
    record?.path ?? "",
    String(record?.text).replace('"name":"orders"', '"name":"others"'),
  );
  const { id, outs } = await creation;
  expect(handlers.messages).toEqual([
    expect.stringMatching(`has created service ${id}\\..* creations discard .*CDB4014`),
  ]);
  const texts = records().map(({ text }) => JSON.parse(text));
  expect(texts.sort((one, other) => one.name.localeCompare(other.name))).toEqual([
    expect.objectContaining({ name: "orders", id }),
    expect.objectContaining({ name: "others" }),
  ]);
  setup.restart();
  expect((await adopt(id)).outs.password).toBe(outs.password);
});

describe("a successful response without a usable id", () => {
  const answer = (service: Properties) => {
    const body = { status: 200, requestId: "r-1", result: { service, password: "pass-word" } };
    return setup.api.faults({
      method: "POST",
      times: 1,
      effect: { kind: "status", status: 200, body },
    });
  };

  test.each([[{ id: 12345 }], [{}], [{ id: "" }]])(
    "a response without a usable id, %j, is recorded with the password, which an adoption gets",
    async (service) => {
      // The service exists although its creation had no usable response.
      const { id } = await create({ name: "existing" });
      setup.restartEmpty();
      await answer(service);
      const { message } = await failCreation();
      expect(message).toContain("(its password is in the creation journal, and comes with it)");
      expect(message).not.toContain("pass-word");
      start(ONE);
      const adopted = await adopt(id);
      expect(adopted.outs.password).toBe("pass-word");
      await adopted.diff();
      expect(records()).toHaveLength(1);
      await adopted.in(start(TWO)).diff();
      expect(records()).toEqual([]);
    },
  );

  test("without a journal, the password in a response without a usable id is lost", async () => {
    setup.restartWith({ CLOUDDB_JOURNAL: "off" });
    await answer({});
    // The engine may repeat the creation.
    for (const _ of ["once", "twice"]) {
      expect((await failCreation()).message).toContain("its password was in the lost response");
    }
  });
});

test("control characters in a record are not printed to a terminal", async () => {
  await setup.loseCreation();
  const [record] = records();
  const text = JSON.parse(record?.text ?? "");
  const hostile = {
    title: "ser\u001b[2Jvice",
    name: "or\u009bders",
    organizationId: "o\u202er\u0007g",
  };
  writeFileSync(record?.path ?? "", JSON.stringify({ ...text, ...hostile }));
  setup.restart();
  expect(await refusal()).toMatch(
    /^Creating ser\\u\{1b\}\[2Jvice "or\\\\u\{9b\}ders" in organization o\\u\{202e\}r\\u\{7\}g: /,
  );
});

const PLACES: Readonly<Record<string, () => Record<string, string>>> = {
  "with a journal": () => ({}),
  "without a journal": () => ({ CLOUDDB_JOURNAL: "off", PULUMI_BACKEND_URL: "" }),
  "where the default place cannot be written": () => {
    const home = join(temporaryFolder("home"), "file");
    writeFileSync(home, "a file, not a folder");
    return { CLOUDDB_JOURNAL: "", PULUMI_HOME: home };
  },
};

// A resource hook (`onError`) makes the engine repeat a creation within one command, without
// another check.
describe.each(Object.entries(PLACES))(
  "a creation that one command repeats %s",
  (place, environment) => {
    beforeEach(() => setup.restart(environment()));

    test("a repeated creation is completed if it succeeded in part", async () => {
      const privateEndpointIds = ["vpce-0a1b2c3d4e5f60001"];
      await setup.api.faults(once(refuse("PATCH", 403)));
      const { id: partial, stored, inputs } = await failCreation({ privateEndpointIds });
      await setup.api.requests();
      const { id, outs } = await setup.handlers.create(inputs);
      expect(id).toBe(partial);
      expect(outs).toMatchObject({ password: stored.outs.password, privateEndpointIds });
      const requests = await setup.api.requestNames();
      expect(requests).toEqual(["GET /services/{id}", "PATCH /services/{id}"]);
      expect(await setup.api.services()).toHaveLength(1);
    });

    test("a repeated creation is refused if it had no response", async () => {
      const { inputs } = await setup.loseCreation();
      const { message } = await failureOf(setup.handlers.create(inputs));
      const actor = place === "with a journal" ? "an earlier command" : "this command";
      expect(message).toContain(`${actor} requested it at `);
      expect(message.includes("creations discard")).toBe(place === "with a journal");
      expect(await setup.api.services()).toHaveLength(1);
    });

    test("a repeated creation is sent again if the API refused it", async () => {
      await setup.api.faults(once(refuse("POST", 403)));
      const { inputs } = await failCreation();
      await setup.handlers.create(inputs);
      expect(await setup.api.services()).toHaveLength(1);
    });
  },
);

test("without a journal, the next command does not know the creation", async () => {
  const folder = temporaryFolder("home");
  for (const _ of ["one command", "the next"]) {
    setup.restartWith({ CLOUDDB_JOURNAL: "off", PULUMI_HOME: folder });
    await create();
  }
  expect(await setup.api.services()).toHaveLength(2);
  expect(readdirSync(folder)).toEqual([]);
});
