import { service } from "../../provider/resources/service/lifecycle";
import { CANARY, MANNERS, MASK, type Manner, RULES, SECRETS } from "../second-server/manners";
import { type SecondServer, startSecondServer } from "../second-server/server";
import { first, NAMES, type Name, type Ran, type Stack, second, stackOn } from "../second-server/stack";
import type { Data } from "../second-server/world";
import { placesOf } from "../support/places";
import { handlersOf, type Properties } from "./support";

/** A stack lives through each manner of the second server as through none, and its state tells the truth. */

let servers: SecondServer[] = [];
let server: SecondServer;
let stack: Stack;

async function begin(): Promise<void> {
  server = await startSecondServer();
  servers.push(server);
  stack = stackOn(server);
}
beforeEach(begin);
afterEach(async () => {
  await Promise.all(servers.map((each) => each.close()));
  servers = [];
});

/** What commands did, with the errors of those that failed. */
function didBy(ran: Partial<Record<Name, Ran>>): Record<string, string> {
  return Object.fromEntries(Object.entries(ran).map(([name, { did, error }]) => [name, error?.message ?? did]));
}

function sentBy(ran: Partial<Record<Name, Ran>>): string[] {
  return Object.values(ran).flatMap(({ requests }) => requests);
}

const all = (did: string, names: readonly Name[] = NAMES) => Object.fromEntries(names.map((name) => [name, did]));

/** Nothing is left to do, before and after a look at the server. */
async function expectSettled(program: typeof first): Promise<void> {
  const again = await stack.up(program);
  expect(didBy(again)).toEqual(all("same"));
  expect(sentBy(again)).toEqual([]);
  expect(didBy(await stack.refresh())).toEqual(all("refresh"));
  const afterRefresh = await stack.up(program);
  expect(didBy(afterRefresh)).toEqual(all("same"));
  expect(sentBy(afterRefresh)).toEqual([]);
}

function created(): { id: string; found: Data } {
  const [[id = ""] = []] = [...server.world.passwords];
  return { id, found: server.world.services.get(id) ?? {} };
}

const sources = (service: Data) => (service.ipAccessList as { source: string }[]).map(({ source }) => source).length;
const threads = () => [...server.world.pipes.values()].map(({ settings }) => (settings as Data).engine_max_threads);

/** Created, changed, drifted and brought back. */
async function lived(manner: Manner | undefined): Promise<void> {
  server.behave(manner);
  expect(didBy(await stack.up(first))).toEqual(all("create"));
  await expectSettled(first);
  expect(didBy(await stack.up(second))).toEqual(all("update"));
  expect([created().found.numReplicas, sources(created().found), threads()]).toEqual([4, 3, [8, 8, 8, 8]]);
  await expectSettled(second);

  // By others: lists are emptied, names and settings changed.
  Object.assign(created().found, { ipAccessList: [], privateEndpointIds: [], numReplicas: 9 });
  for (const pipe of server.world.pipes.values()) {
    pipe.settings = { ...(pipe.settings as Data), engine_max_threads: 0 };
    const { postgres } = pipe.source as Record<string, Data>;
    if (postgres) postgres.tableMappings = [];
  }
  expect(didBy(await stack.refresh())).toEqual(all("refresh"));
  const drifted: Name[] = ["created", "kafka", "objectStorage", "kinesis", "postgres"];
  expect(didBy(await stack.up(second))).toEqual({ ...all("same"), ...all("update", drifted) });
  expect([created().found.numReplicas, sources(created().found), threads()]).toEqual([4, 3, [8, 8, 8, 8]]);
  expect((created().found.privateEndpointIds as string[]).length).toBe(2);
  await expectSettled(second);
  expect(server.world.passwords.size).toBe(1);
}

/** What is secret stands where the tables say so, and nowhere else. */
function expectNothingLeaked(): void {
  const allowed = /^(password|encryptionKey|source\.(kafka\.credentials\.password|objectStorage\.connectionString))$/;
  const password = server.world.passwords.get(created().id) ?? "";
  for (const [name, { outputs, inputs }] of stack.state) {
    for (const properties of [outputs, inputs]) {
      for (const text of [CANARY, MASK]) expect([name, text, placesOf(properties, [text])]).toEqual([name, text, []]);
      for (const secret of [...Object.values(SECRETS), password]) {
        const places = placesOf(properties, [secret]).filter((place) => !allowed.test(place));
        expect([name, places]).toEqual([name, []]);
      }
    }
  }
  for (const line of stack.said) {
    expect(line).toMatch(/\.$/);
    for (const text of [CANARY, MASK, ...Object.values(SECRETS), password, server.keySecret]) {
      expect(line).not.toContain(text);
    }
  }
}

function outputsOf({ state }: Stack): Record<string, Properties> {
  return Object.fromEntries([...state].map(([name, { outputs }]) => [name, outputs]));
}

const rows = (rule: keyof typeof RULES) => Object.entries(MANNERS).filter(([, manner]) => manner.rule === rule);

test("a server without manners", async () => {
  await lived(undefined);
  expectNothingLeaked();
  expect(stack.said).toEqual([
    expect.stringMatching(/ was created in organization .*; applying the remaining arguments\.$/),
  ]);
});

// What a state holds after extra members and masks is what it holds without them.
describe.each(["password", "outputs", "secret"] as const)("%s", (rule) => {
  test.each(rows(rule))(`%s: ${RULES[rule]}`, async (_, manner) => {
    await lived(manner);
    const outputs = outputsOf(stack);
    expectNothingLeaked();
    expect(stack.state.get("created")?.outputs.password).toBe(server.world.passwords.get(created().id));
    expect(stack.state.get("adopted")?.outputs.encryptionKey).toBe(SECRETS.encryptionKey);
    await begin();
    await lived(undefined);
    expect(outputs).toEqual(outputsOf(stack));
  });
});

describe.each(["typed", "empty", "absence", "open", "edges", "spelling"] as const)("%s", (rule) => {
  test.each(rows(rule))(`%s: ${RULES[rule]}`, async (_, manner) => {
    await lived(manner);
    expectNothingLeaked();
    expect(stack.state.get("created")?.outputs.password).toBe(server.world.passwords.get(created().id));
    if (manner.said) expect(stack.said.join("\n")).toMatch(manner.said);
  });
});

test.each([
  { name: " analytics" },
  { name: "analytics " },
  { name: "analytics\n" },
  { ipAccessList: [{ source: "203.0.113.7", description: " office" }] },
])("white space at an edge is refused: %j", async (args) => {
  const { failures = [] } = await handlersOf(service, server).check({}, { __provider: "x", ...args });
  expect(failures.map(({ reason }) => reason).join("\n")).toMatch(/white\s?space|spaces/);
});

describe("gone", () => {
  test.each(rows("gone"))(`%s: ${RULES.gone}`, async (_, manner) => {
    await stack.up(first);
    const before = outputsOf(stack);
    server.behave(manner);
    const ran = await stack.refresh();
    for (const name of NAMES.filter((each) => each !== "organization")) {
      expect([name, ran[name]?.error?.message]).toEqual([name, expect.stringMatching(/^Reading .* 404.*\.$/s)]);
    }
    expect(outputsOf(stack)).toEqual(before);
    server.behave(undefined);
    expect(didBy(await stack.up(second))).toEqual(all("update"));
    expect(server.world.passwords.size).toBe(1);
    expectNothingLeaked();
  });

  test("the API's own 404 is believed", async () => {
    await stack.up(first);
    server.world.services.delete(created().id);
    server.world.pipes.clear();
    await stack.refresh();
    expect([...stack.state.keys()].sort()).toEqual(["adopted", "organization"]);
  });
});

describe("waiting", () => {
  test.each(rows("waiting"))(`%s: ${RULES.waiting}`, async (_, manner) => {
    const [least, most] = manner.instead?.waits ?? [0, 0];
    await stack.up(first);
    server.behave(manner);
    const ran = manner.instead?.method === "GET" ? await stack.refresh() : await stack.up(second);
    expect(didBy(ran)).toEqual(all(manner.instead?.method === "GET" ? "refresh" : "update"));
    expect(stack.waitedMs() / 1000).toBeGreaterThanOrEqual(least);
    expect(stack.waitedMs() / 1000).toBeLessThanOrEqual(most);
    expectNothingLeaked();
  });
});

test("every manner stands under a rule that is tried, and is data", () => {
  const rules = new Set(Object.values(MANNERS).map(({ rule }) => rule));
  expect([...rules].sort()).toEqual(Object.keys(RULES).sort());
});
