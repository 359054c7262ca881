import { type Server, startServer } from "../faults/model/server";
import { exampleSeed, pathsContaining, table } from "../support/example";
import type { ServerVariant } from "../support/variants/edits";
import {
  ADOPTED,
  createStack,
  first,
  NAMES,
  type Name,
  PIPES,
  second,
} from "../support/variants/stack";
import { CANARY, MASK, RULES, SECRETS, SERVER_VARIANTS } from "../support/variants/variants";
import type { Properties } from "./support";

/**
 * A stack goes through its whole lifecycle on each variant of the server, with a correct state
 * throughout.
 */

let server: Server;
type Stack = ReturnType<typeof createStack>;
let stack: Stack;

async function start(): Promise<void> {
  await server.reset();
  stack = createStack(server);
}
beforeAll(async () => {
  server = await startServer(exampleSeed);
});
beforeEach(start);
afterAll(() => server.close());

const all = (did: string, names: readonly Name[] = NAMES) =>
  Object.fromEntries(names.map((name) => [name, did]));

/** Nothing is left to do, before and after a refresh. */
async function expectSettled(program: typeof first): Promise<void> {
  expect(await stack.up(program)).toEqual({ actions: all("same"), requests: [] });
  expect((await stack.refresh()).actions).toEqual(all("refresh"));
  expect(await stack.up(program)).toEqual({ actions: all("same"), requests: [] });
}

const serviceOn = (id: string) =>
  server.organization().services.find((service) => service.id === id) ?? {};

function createdService() {
  const [[id = ""] = []] = server.passwords;
  return { id, found: serviceOn(id) };
}

/** The fields that the programs change, on the server. */
function serverValues() {
  const { numReplicas, ipAccessList, privateEndpointIds } = createdService().found;
  const pipes = serviceOn(ADOPTED).pipes as { settings: Properties }[];
  const threads = pipes.map(({ settings }) => settings.engine_max_threads);
  const [accessEntries, endpoints] = [ipAccessList, privateEndpointIds].map(
    (list) => (list as unknown[]).length,
  );
  return { numReplicas, accessEntries, endpoints, threads };
}
const CHANGED = { numReplicas: 4, accessEntries: 3, endpoints: 2, threads: [8, 8, 8, 8] };

/** Changes outside of Pulumi empty lists and change settings. */
async function drift(): Promise<void> {
  const { id, found } = createdService();
  const { ipAccessList, privateEndpointIds } = found;
  await server.change(`/${id}`, {
    ipAccessList: { remove: ipAccessList },
    privateEndpointIds: { remove: privateEndpointIds },
  });
  await server.change(`/${id}/replicaScaling`, { numReplicas: 9 });
  for (const pipe of Object.values(PIPES)) {
    await server.change(`/${ADOPTED}/pipes/${pipe}`, { settings: { engine_max_threads: 0 } });
  }
  const postgres = { tableMappingsToRemove: ["orders", "refunds"].map((name) => table(name)) };
  await server.change(`/${ADOPTED}/pipes/${PIPES.postgres}`, { source: { postgres } });
}

/** Create, update, drift and repair. */
async function runLifecycle(variant: ServerVariant | undefined): Promise<void> {
  server.useVariant(variant);
  expect((await stack.up(first)).actions).toEqual(all("create"));
  await expectSettled(first);
  expect((await stack.up(second)).actions).toEqual(all("update"));
  expect(serverValues()).toEqual(CHANGED);
  await expectSettled(second);

  await drift();
  expect((await stack.refresh()).actions).toEqual(all("refresh"));
  const drifted: Name[] = ["created", "kafka", "objectStorage", "kinesis", "postgres"];
  expect((await stack.up(second)).actions).toEqual({ ...all("same"), ...all("update", drifted) });
  expect(serverValues()).toEqual(CHANGED);
  await expectSettled(second);
  expect(server.passwords.size).toBe(1);
}

/** Secrets are only where the field tables put them. */
function expectNothingLeaked(): void {
  const allowed =
    /^(password|encryptionKey|source\.(kafka\.credentials\.password|objectStorage\.connectionString))$/;
  const password = server.passwords.get(createdService().id) ?? "";
  for (const [name, { outputs, inputs }] of stack.state()) {
    for (const properties of [outputs, inputs]) {
      for (const text of [CANARY, MASK])
        expect([name, text, pathsContaining(properties, [text])]).toEqual([name, text, []]);
      for (const secret of [...Object.values(SECRETS), password]) {
        const places = pathsContaining(properties, [secret]).filter(
          (place) => !allowed.test(place),
        );
        expect([name, places]).toEqual([name, []]);
      }
    }
  }
  for (const text of stack.plainTexts) {
    for (const secret of [...Object.values(SECRETS), password]) expect(text).not.toContain(secret);
  }
  for (const line of stack.messages) {
    expect(line).toMatch(/\. \[CDB\d{4}\]$/);
    for (const text of [CANARY, MASK, ...Object.values(SECRETS), password, server.keySecret]) {
      expect(line).not.toContain(text);
    }
  }
}

function outputsOf({ state }: Stack): Record<string, Properties> {
  return Object.fromEntries(state().map(([name, { outputs }]) => [name, outputs]));
}

/** The outputs without what differs between two runs: ids, times and the password. */
function reproducible(outputs: Record<string, Properties>): string {
  const { created = {}, ...others } = outputs;
  const text = JSON.stringify({ ...others, created: { ...created, password: "" } });
  return text.replaceAll(/[0-9a-f]{8}(-[0-9a-f-]{27})?|"20\d\d-[^"]*"/g, "{}");
}

const rows = (rule: keyof typeof RULES) =>
  Object.entries(SERVER_VARIANTS).filter(([, variant]) => variant.rule === rule);

test("the lifecycle of a stack works on the plain server", async () => {
  await runLifecycle(undefined);
  expectNothingLeaked();
  expect(stack.messages.filter((line) => !line.startsWith("Adopting "))).toEqual([
    expect.stringMatching(
      / was created in organization .*; applying the remaining arguments\. \[CDB4003\]$/,
    ),
    // The example's mapping of this table excludes a column.
    expect.stringMatching(/^Changing 1 entry \(\["public","customers",.+ \[CDB5020\]$/),
  ]);
});

// Extra properties and masks leave no trace in the state.
describe.each(["password", "outputs", "secret"] as const)("%s", (rule) => {
  test.each(rows(rule))(`%s: ${RULES[rule]}`, async (_, variant) => {
    await runLifecycle(variant);
    const outputs = outputsOf(stack);
    expectNothingLeaked();
    expect(stack.find("created")?.outputs.password).toBe(server.passwords.get(createdService().id));
    expect(stack.find("adopted")?.outputs.encryptionKey).toBe(SECRETS.encryptionKey);
    await start();
    await runLifecycle(undefined);
    expect(reproducible(outputs)).toEqual(reproducible(outputsOf(stack)));
  });
});

describe.each(["typed", "empty", "absence", "open", "edges", "spelling"] as const)("%s", (rule) => {
  test.each(rows(rule))(`%s: ${RULES[rule]}`, async (_, variant) => {
    await runLifecycle(variant);
    expectNothingLeaked();
    expect(stack.find("created")?.outputs.password).toBe(server.passwords.get(createdService().id));
    if (variant.message) expect(stack.messages.join("\n")).toMatch(variant.message);
  });
});

describe("gone", () => {
  test.each(rows("gone"))(`%s: ${RULES.gone}`, async (_, variant) => {
    await stack.up(first);
    const before = outputsOf(stack);
    server.useVariant(variant);
    const { actions } = await stack.refresh();
    for (const name of NAMES.filter((item) => item !== "organization")) {
      expect([name, actions[name]]).toEqual([
        name,
        expect.stringMatching(/^Reading .* 404.*\. \[CDB3012\]$/s),
      ]);
    }
    expect(outputsOf(stack)).toEqual(before);
    server.useVariant(undefined);
    expect((await stack.up(second)).actions).toEqual(all("update"));
    expect(server.passwords.size).toBe(1);
    expectNothingLeaked();
  });
});

describe("waiting", () => {
  test.each(rows("waiting"))(`%s: ${RULES.waiting}`, async (_, variant) => {
    const [least, most] = variant.waits ?? [0, 0];
    await stack.up(first);
    server.useVariant(variant);
    expect((await stack.up(second)).actions).toEqual(all("update"));
    expect(stack.waitedMs() / 1000).toBeGreaterThanOrEqual(least);
    expect(stack.waitedMs() / 1000).toBeLessThanOrEqual(most);
    expectNothingLeaked();
  });
});
