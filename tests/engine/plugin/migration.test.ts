import { exampleSeed as seed } from "../../support/example";
import { EVERYTHING } from "../support/programs";
import { ENTRIES, newStack, outcomeOf, type Stack, simulated } from "../support/stack";

/** Programs that change only their import. */

const SECRETS = ["disk-key", "kafka-password"];

/** The parts of every resource that a migration must keep, secrets included. */
async function snapshot(stack: Stack) {
  const exported = JSON.parse(await stack.pulumi("stack", "export", "--show-secrets"));
  const resources: Record<string, unknown>[] = exported.deployment.resources;
  const ours = resources.filter(
    ({ type }) => /clouddb:/.test(String(type)) && !/providers/.test(String(type)),
  );
  return Object.fromEntries(
    ours.map(({ urn, id, outputs, protect, additionalSecretOutputs, sourcePosition }) => [
      String(urn).split("::").at(-1),
      { id, outputs, protect, additionalSecretOutputs, sourcePosition },
    ]),
  );
}

async function typesIn(stack: Stack): Promise<string[]> {
  const types = (await stack.resources())
    .map(({ type }) => type)
    .filter((type) => /clouddb:(index:)?[A-Z]/.test(type));
  return [...new Set(types.map((type) => type.replace(/:\w+$/, "")))];
}

test("a stack moves to the native plugin and back, and can be updated, refreshed and destroyed", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(api);
  stack.program(EVERYTHING, ENTRIES.dynamic);
  await stack.up();
  const requests = async () => (await api.requestNames()).sort();

  /** Moves the program to an entry, and then changes it there. */
  async function move(
    program: string,
    entry: string,
    before: [string, string],
    after: [string, string],
  ) {
    const original = await snapshot(stack);
    await requests();
    stack.program(program, entry);
    await stack.up("--expect-no-changes");
    expect(await snapshot(stack)).toEqual(original);
    const stored = JSON.stringify(await stack.resources());
    for (const secret of SECRETS) expect(stored).not.toContain(secret);
    expect(await requests()).toEqual([]);

    const changed = program.replace(...before).replace(...after);
    stack.program(changed, entry);
    expect(await stack.up()).toMatch(/~ 2 updated\s+4 unchanged/);
    expect(await requests()).toEqual([
      "PATCH /services/{id}/pipes/{id}",
      "PATCH /services/{id}/replicaScaling",
    ]);
    return changed;
  }

  const replicas = (from: number, to: number): [string, string] => [
    `numReplicas: ${from}`,
    `numReplicas: ${to}`,
  ];
  const changed = await move(EVERYTHING, ENTRIES.native, replicas(3, 4), [
    "all orders",
    "every order",
  ]);
  expect(await typesIn(stack)).toEqual(["clouddb:index"]);
  await move(changed, ENTRIES.dynamic, replicas(4, 5), ["every order", "some orders"]);
  expect(await typesIn(stack)).toEqual(["pulumi-nodejs:dynamic/clouddb"]);

  await stack.refresh("--expect-no-changes");
  await stack.pulumi("state", "unprotect", "--all", "--yes");
  const { output } = await outcomeOf(stack.destroy("--skip-preview"));
  expect(output).toContain("the API cannot delete services");
  expect(output).toContain("was adopted, so it is only removed from the stack");
});

test("migration recreates an explicit provider and keeps its resources unchanged", async () => {
  const [home, away] = [
    await simulated({ keySecret: "home-key" }),
    await simulated({ keySecret: "away-key" }),
  ];
  const stack = await newStack(home);
  const program = `
    const account = new clouddb.Provider("away", { baseUrl: "${away.baseUrl}", keySecret: "away-key", maxRetries: 1 });
    new clouddb.Service("here", {});
    const there = new clouddb.Service("there", {}, { provider: account });
    exports.name = clouddb.getServiceOutput({ serviceId: there.id }, { provider: account }).name;`;
  stack.program(program, ENTRIES.dynamic);
  await stack.up();
  const before = await snapshot(stack);
  for (const entry of [ENTRIES.native, ENTRIES.dynamic]) {
    for (const api of [home, away]) await api.requests();
    stack.program(program, entry);
    const output = await stack.up();
    expect(output).toMatch(/name: "there"/);
    expect(output).toMatch(/\+ 1 created\s+- 1 deleted\s+2 changes. 3 unchanged/);
    expect(await snapshot(stack)).toEqual(before);
    expect(await home.requests()).toEqual([]);
    // The one request is that of the function.
    expect(await away.requestNames()).toEqual(["GET /services/{id}"]);
    expect(JSON.stringify(await stack.resources())).not.toMatch(/away-key|home-key/);
  }
});
