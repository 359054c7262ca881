import { createJournal, type JournalStore } from "./creation-journal";

/** The journal over a place that fails. */

const orders = { backend: "file:///state", urn: "urn:pulumi:dev::test::clouddb:index:Service::orders" };
const second = { ...orders, urn: `${orders.urn}-second` };
const facts = { organizationId: "organization", title: "service", name: "orders", inputs: { region: "us-east-1" } };
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
  isShared: false,
  async get(name) {
    failIf(fails("get"));
    return records.get(name);
  },
  async put(name, text) {
    // As after a rename whose folder cannot be written.
    records.set(name, text);
    failIf(fails("put"));
  },
  remove: async (name) => void records.delete(name),
  entries: async () => [...records],
};

const journal = (settings: { configured?: string; keySecret?: string; store?: JournalStore } = {}) =>
  createJournal({
    store: memory,
    place: "PLACE",
    configured: undefined,
    baseUrl: "https://api.example.com",
    keySecret: "the-secret",
    warn: (line) => warnings.push(line),
    ...settings,
  });

test("the default place that is full is one warning, hides no record, and leaves none", async () => {
  await (await journal().begin(second, facts))?.complete(ID, "password");
  const next = journal();
  fails = (operation) => operation === "put";
  expect(await next.begin(orders, facts)).toBeUndefined();
  expect(await next.begin(orders, facts)).toBeUndefined();
  expect(warnings).toEqual([
    expect.stringMatching(/^The creation journal in PLACE cannot be written: ENOSPC\. A crash/),
  ]);
  expect((await next.find(second))?.record.id).toBe(ID);
  expect(await next.find(orders)).toBeUndefined();
});

test("a configured place that is full fails the creation, and leaves no record", async () => {
  const next = journal({ configured: "/journal" });
  fails = (operation) => operation === "put";
  await expect(next.begin(orders, facts)).rejects.toThrow("cannot be written: ENOSPC. Nothing was created.");
  expect(records.size).toBe(0);
});

test("an unreadable record is never taken for none", async () => {
  fails = (operation) => operation === "get";
  await expect(journal().find(orders)).rejects.toThrow("cannot be read: ENOSPC. An earlier command may have created");
  fails = () => false;
  await journal().begin(orders, facts);
  const [name = ""] = records.keys();
  for (const text of ["{}", "", String(records.get(name)).replace('"version":1', '"version":2')]) {
    records.set(name, text);
    await expect(journal({ configured: "/journal" }).find(orders)).rejects.toThrow(
      `run \`npx --no-install clouddb-creations discard ${name} --journal /journal\``,
    );
  }
});

test("a response that could not be written is written again, and each failure is reported", async () => {
  const creation = await journal().begin(orders, facts);
  let failures = 1;
  fails = (operation) => operation === "put" && failures-- > 0;
  records.clear();
  const again = await journal()
    .begin(second, facts)
    .catch(() => undefined);
  expect(again).toBeUndefined();

  const recorded = await journal().begin(orders, facts);
  failures = 1;
  await recorded?.complete(ID, "password");
  // The text that was put before the failure is not the one that began.
  expect((await journal().find(orders))?.record.id).toBe(ID);

  await journal().end(orders);
  const lost = await journal().begin(orders, facts);
  fails = (operation) => operation === "get";
  await lost?.complete(ID, "password");
  expect(warnings.at(-1)).toMatch(/could not store that service .* was created: ENOSPC\. .* run `npx .* discard/);
  expect(creation).toBeDefined();
});

test("a process that is late changes nothing of what another one has begun", async () => {
  const late = await journal().begin(orders, facts);
  await journal().end(orders);
  await new Promise((resolve) => setTimeout(resolve, 2));
  await journal().begin(orders, { ...facts, name: "again" });
  await late?.complete(ID, "password");
  await late?.end();
  expect((await journal().find(orders))?.record).toMatchObject({ name: "again" });
});

test("a record ends by the object's id, unless it has a password that the stack lacks", async () => {
  await (await journal().begin(orders, facts))?.complete(ID, "password");
  await journal().confirm("another", true);
  await journal().confirm(ID, false);
  expect(await journal().passwordOf(ID)).toBe("password");
  await journal({ keySecret: "another-secret" }).confirm(ID, false);
  expect(records.size).toBe(1);
  await journal({ keySecret: "another-secret" }).confirm(ID, true);
  expect(records.size).toBe(0);
  await (await journal().begin(orders, facts))?.complete(ID, undefined);
  await journal().confirm(ID, false);
  expect(records.size).toBe(0);
});

test("an unreadable record is read again, and one that has changed since is not removed", async () => {
  await (await journal().begin(orders, facts))?.complete(ID, "password");
  let failures = 1;
  const failing = {
    ...memory,
    entries: () => (failures-- > 0 ? Promise.reject(new Error("lost")) : memory.entries()),
  };
  const next = journal({ store: failing });
  expect(await next.passwordOf(ID)).toBeUndefined();
  expect(await next.passwordOf(ID)).toBe("password");
  await new Promise((resolve) => setTimeout(resolve, 2));
  await journal().begin(orders, facts);
  await next.confirm(ID, true);
  expect(records.size).toBe(1);
});

test("a printed command quotes a path with spaces", async () => {
  const recorded = await journal({ configured: "/the journal" }).begin(orders, facts);
  expect(recorded?.discardCommand).toMatch(/ discard [0-9a-f]{32} --journal "\/the journal"$/);
});

test("a path names another backend on each machine that shares a journal", async () => {
  const shared = { ...memory, isShared: true };
  const cloud = { ...orders, backend: "https://api.pulumi.com" };
  for (const identity of [orders, cloud]) {
    await journal({ store: shared }).begin(identity, facts);
    expect(await journal({ store: shared }).find(identity)).toBeDefined();
  }
  expect(await journal().find(cloud)).toBeDefined();
  expect(await journal().find(orders)).toBeUndefined();
});
