import promises from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "../../../tests/support/temporary-folder";
import { type Message, render } from "../../errors";
import { createJournal } from "./creation-journal";
import { type JournalStore, openStore } from "./stores";

/** The journal over a place that fails. */

const orders = {
  backend: "file:///state",
  urn: "urn:pulumi:dev::test::clouddb:index:Service::orders",
};
const second = { ...orders, urn: `${orders.urn}-second` };
const facts = {
  organizationId: "organization",
  title: "service",
  name: "orders",
  inputs: { region: "us-east-1" },
};
const ID = "4f9a2c1e-7b3d-4e58-9c60-1d2e3f4a5b6c";

const records = new Map<string, string>();
let fails: (operation: "get" | "put") => boolean;
let warnings: string[];
beforeEach(() => {
  records.clear();
  warnings = [];
  fails = () => false;
});

const failIf = (isFailing: boolean) => {
  if (isFailing) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
};
const memory: JournalStore = {
  place: "PLACE",
  argument: "/journal",
  isShared: false,
  locate: (name) => `PLACE/${name}`,
  async get(name) {
    failIf(fails("get"));
    return records.get(name);
  },
  async create(name, text) {
    if (records.has(name)) return false;
    await memory.put(name, text);
    return true;
  },
  async put(name, text) {
    // As after a rename whose folder cannot be written.
    records.set(name, text);
    failIf(fails("put"));
  },
  remove: async (name) => void records.delete(name),
  entries: async () => [...records].map(([name, text]) => ({ name, text })),
};

let commands = 0;
/** Another command, unless its engine is given. */
const journal = (
  settings: {
    isConfigured?: boolean;
    keySecret?: string;
    store?: JournalStore | undefined;
    isAtRisk?: boolean;
  } = {},
) => {
  const warn = (line: Message) => warnings.push(render(line));
  const options = {
    store: memory,
    isConfigured: false,
    baseUrl: "https://api.example.com",
    keySecret: "the-secret",
  };
  const engine = String(commands++);
  return createJournal({
    ...options,
    isAtRisk: false,
    warn,
    command: "provider",
    engine,
    ...settings,
  });
};

test("a journal that does not respond costs a command one attempt and one warning", async () => {
  await (await journal().begin(orders, facts))?.complete(ID, { password: "password" });
  let attempts = 0;
  const entries = async () => {
    attempts += 1;
    throw new Error("127.0.0.1:6379 did not respond within 1 s");
  };
  const command = journal({ store: { ...memory, entries } });
  await Promise.all([command.confirm(ID, true), command.confirm(ID, true)]);
  await command.confirm(ID, true);
  expect(await command.passwordOf(ID)).toBeUndefined();
  expect(attempts).toBe(1);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The creation journal in PLACE cannot be read: 127\.0\.0\.1:6379 did not respond/,
    ),
  ]);
  expect(records.size).toBe(1);
});

test("a full default journal causes one warning, and neither hides nor leaves a record", async () => {
  await (await journal().begin(second, facts))?.complete(ID, { password: "password" });
  const next = journal();
  fails = (operation) => operation === "put";
  expect(await next.begin(orders, facts)).toMatchObject({ discardCommand: undefined });
  expect(await next.find(orders, facts.inputs)).toMatchObject({ discardCommand: undefined });
  expect(warnings).toEqual([
    expect.stringMatching(/^The creation journal in PLACE cannot be written: ENOSPC\. A crash/),
  ]);
  expect((await next.find(second))?.record.id).toBe(ID);
  expect(await journal().find(orders)).toBeUndefined();
});

test("a default journal that may be lost and cannot be written causes one warning", async () => {
  const command = journal({ isAtRisk: true });
  await command.begin(orders, facts);
  fails = (operation) => operation === "put";
  await command.begin(second, facts);
  expect(warnings).toEqual([expect.stringContaining("loses with its machine")]);
});

test("a full configured journal fails the creation and leaves no record", async () => {
  const next = journal({ isConfigured: true });
  fails = (operation) => operation === "put";
  await expect(next.begin(orders, facts)).rejects.toThrow(
    "cannot be written: ENOSPC. Nothing was created.",
  );
  expect(records.size).toBe(0);
});

test.each<[string, (text: string) => string]>([
  ["without members", () => "{}"],
  ["that is empty", () => ""],
  ["of a later release", (text) => text.replace('"version":1', '"version":2')],
])("a record %s is refused with the command that removes it", async (_, damage) => {
  await journal().begin(orders, facts);
  for (const [name, text] of records) records.set(name, damage(text));
  await expect(journal({ isConfigured: true }).find(orders)).rejects.toThrow(
    "run `provider creations discard",
  );
});

test("a response that could not be recorded is recorded by a retry", async () => {
  const recorded = await journal().begin(orders, facts);
  let failures = 1;
  fails = (operation) => operation === "put" && failures-- > 0;
  await recorded?.complete(ID, { password: "password" });
  // The text that was stored before the failure differs from the one before.
  expect((await journal().find(orders))?.record.id).toBe(ID);
});

test("a response that cannot be recorded causes a warning with the command for its record", async () => {
  const recorded = await journal().begin(orders, facts);
  fails = (operation) => operation === "get";
  await recorded?.complete(ID, { password: "password" });
  expect(warnings).toEqual([
    expect.stringMatching(
      /could not store that service .* was created: ENOSPC\. .* run `provider creations discard/,
    ),
  ]);
});

test("a late process does not change another process's record", async () => {
  const late = await journal().begin(orders, facts);
  records.clear();
  await journal().begin(orders, { ...facts, name: "again" });
  await late?.complete(ID, { password: "password" });
  await late?.end();
  expect((await journal().find(orders))?.record).toMatchObject({ name: "again" });
});

test("a retry of the same request replaces a record that could not be removed", async () => {
  const command = journal({ store: { ...memory, remove: async () => failIf(true) } });
  const refused = await command.begin(orders, facts);
  await refused?.end();
  expect(await command.begin(orders, facts)).toBeDefined();
});

test("a response is recorded although the record was discarded while the request was in flight", async () => {
  const creation = await journal().begin(orders, facts);
  records.clear();
  await creation?.complete(ID, { password: "password" });
  expect(await journal().find(orders)).toMatchObject({ record: { id: ID }, password: "password" });
});

test("a record is removed by the object's id, unless it has a password that the stack lacks", async () => {
  await (await journal().begin(orders, facts))?.complete(ID, { password: "password" });
  await journal().confirm("another", true);
  await journal().confirm(ID, false);
  expect(await journal().passwordOf(ID)).toEqual({ password: "password" });
  await journal({ keySecret: "another-secret" }).confirm(ID, false);
  expect(records.size).toBe(1);
  await journal({ keySecret: "another-secret" }).confirm(ID, true);
  expect(records.size).toBe(0);
  await (await journal().begin(orders, facts))?.complete(ID, undefined);
  await journal().confirm(ID, false);
  expect(records.size).toBe(0);
});

test("a record that changed after it was read is not removed", async () => {
  await (await journal().begin(orders, facts))?.complete(ID, { password: "password" });
  const command = journal();
  expect(await command.passwordOf(ID)).toEqual({ password: "password" });
  records.clear();
  await journal().begin(orders, facts);
  await command.confirm(ID, true);
  expect(records.size).toBe(1);
});

test.each([
  ["/the journal", "'/the journal'"],
  ["/$(touch pwned)/`id`", "'/$(touch pwned)/`id`'"],
  ["/the owner's", "'/the owner'\\''s'"],
  ["/journal", "/journal"],
  ["C:\\Users\\me", "C:\\Users\\me"],
  ["/back\\slash", "'/back\\slash'"],
])("a printed command quotes the journal %s for a shell", async (configured, argument) => {
  const recorded = await journal({
    isConfigured: true,
    store: { ...memory, argument: configured },
  }).begin(orders, facts);
  expect(recorded.discardCommand?.replace(/.* discard [0-9a-f]{32} --journal /, "")).toBe(argument);
});

test("without a journal, a creation with other arguments does not hide an unanswered one", async () => {
  const command = journal({ store: undefined });
  await command.begin(orders, facts);
  const other = { ...facts, inputs: { region: "eu-west-1" } };
  expect(await command.find(orders, other.inputs)).toBeUndefined();
  const refused = await command.begin(orders, other);
  await refused.end();
  expect((await command.find(orders, facts.inputs))?.inputs).toEqual(facts.inputs);
  await expect(command.begin(orders, other)).resolves.toBeDefined();
  await command.forget(orders);
  for (const { inputs } of [facts, other])
    expect(await command.find(orders, inputs)).toBeUndefined();
});

test("a backend given by path counts as a different backend on each machine that shares a journal", async () => {
  const shared = { ...memory, isShared: true };
  const cloud = { ...orders, backend: "https://api.pulumi.com" };
  for (const identity of [orders, cloud]) {
    await journal({ store: shared }).begin(identity, facts);
    expect(await journal({ store: shared }).find(identity)).toBeDefined();
  }
  expect(await journal().find(cloud)).toBeDefined();
  expect(await journal().find(orders)).toBeUndefined();
});

test("each new folder above a record is synced to disk", async () => {
  const outermost = temporaryFolder("synced");
  const folder = join(outermost, "one", "two", "three");
  const opened = jest.spyOn(promises, "open");
  const syncedBy = async (place: string) => {
    opened.mockClear();
    await openStore(place, {}, String)?.put("a1", "{}");
    return opened.mock.calls.flatMap(([path, flags]) => (flags === "r" ? [path] : []));
  };
  const parents = [join(outermost, "one", "two"), join(outermost, "one"), outermost];
  expect(await syncedBy(`${folder}/`)).toEqual([...parents, `${folder}/`]);
  expect(await syncedBy(folder)).toEqual([folder]);
});
