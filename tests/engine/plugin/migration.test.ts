import { join } from "node:path";
import seed from "../../../simulator/seeds/example.json";
import { root } from "../../support/root";
import { EVERYTHING } from "../support/programs";
import { ENTRIES, expectOk, newStack, type Stack, simulated } from "../support/stack";

/** Programs that change what they import, and nothing else. */

const SECRETS = ["disk-key", "kafka-password"];

/** The parts of every resource that a migration must keep, secrets included. */
async function snapshot(stack: Stack) {
  const exported = JSON.parse(await expectOk(stack.pulumi("stack", "export", "--show-secrets")));
  const resources: Record<string, unknown>[] = exported.deployment.resources;
  const ours = resources.filter(({ type }) => /clouddb:/.test(String(type)) && !/providers/.test(String(type)));
  return Object.fromEntries(
    ours.map(({ urn, id, outputs, protect, additionalSecretOutputs, sourcePosition }) => [
      String(urn).split("::").at(-1),
      { id, outputs, protect, additionalSecretOutputs, sourcePosition },
    ]),
  );
}

async function typesIn(stack: Stack): Promise<string[]> {
  const types = (await stack.resources()).map(({ type }) => type).filter((type) => /clouddb:(index:)?[A-Z]/.test(type));
  return [...new Set(types.map((type) => type.replace(/:\w+$/, "")))];
}

test("the recorded state of 0.1.0 moves to the native plugin without a request or a change", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(api);
  await expectOk(stack.pulumi("stack", "import", "--file", join(root, "tests/engine/states/0.1.0.json")));
  const before = await snapshot(stack);
  stack.program(EVERYTHING, ENTRIES.native);
  expect(await expectOk(stack.preview())).toMatch(/Resources:\s+6 unchanged/);
  await expectOk(stack.up("--expect-no-changes"));
  expect(await snapshot(stack)).toEqual(before);
  expect(await typesIn(stack)).toEqual(["clouddb:index"]);
  const stored = JSON.stringify(await stack.resources());
  for (const secret of SECRETS) expect(stored).not.toContain(secret);
  expect(await api.requests()).toEqual([]);
});

test("a stack moves to the native plugin and back, and updates work on both sides", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(api);
  stack.program(EVERYTHING, ENTRIES.dynamic);
  await expectOk(stack.up());
  const [created] = (await api.services()).filter(({ name }) => name === "created");
  const requests = async () => (await api.requests()).map(({ request }) => request).sort();

  /** Moves the program to an entry, and then changes it there. */
  async function move(program: string, entry: string, before: [string, string], after: [string, string]) {
    const original = await snapshot(stack);
    await requests();
    stack.program(program, entry);
    expect(await expectOk(stack.preview())).toMatch(/Resources:\s+6 unchanged/);
    await expectOk(stack.up("--expect-no-changes"));
    expect(await snapshot(stack)).toEqual(original);
    const stored = JSON.stringify(await stack.resources());
    for (const secret of [...SECRETS, String(created?.password)]) expect(stored).not.toContain(secret);
    expect(await requests()).toEqual([]);

    await expectOk(stack.refresh("--expect-no-changes"));
    expect(await requests()).toEqual([
      "GET /services/{id}",
      "GET /services/{id}",
      "GET /services/{id}",
      "GET /services/{id}/pipes/{id}",
    ]);
    const changed = program.replace(...before).replace(...after);
    stack.program(changed, entry);
    expect(await expectOk(stack.up())).toMatch(/~ 2 updated\s+4 unchanged/);
    expect(await requests()).toEqual(["PATCH /services/{id}/pipes/{id}", "PATCH /services/{id}/replicaScaling"]);
    return changed;
  }

  const changed = await move(
    EVERYTHING,
    ENTRIES.native,
    ["numReplicas: 3", "numReplicas: 4"],
    ["all orders", "every order"],
  );
  expect(await typesIn(stack)).toEqual(["clouddb:index"]);
  await move(changed, ENTRIES.dynamic, ["numReplicas: 4", "numReplicas: 5"], ["every order", "some orders"]);
  expect(await typesIn(stack)).toEqual(["pulumi-nodejs:dynamic/clouddb"]);
});

test("what the native plugin has created can be moved to dynamic resources, read and destroyed by them", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(api);
  stack.program(EVERYTHING, ENTRIES.native);
  await expectOk(stack.up());
  stack.program(EVERYTHING, ENTRIES.dynamic);
  await expectOk(stack.up("--expect-no-changes"));
  await expectOk(stack.refresh("--expect-no-changes"));
  await expectOk(stack.pulumi("state", "unprotect", "--all", "--yes"));
  const { output } = await stack.destroy("--skip-preview");
  expect(output).toContain("the API cannot delete services");
  expect(output).toContain("was adopted, so it is only removed from the stack");
});

test("an explicit provider is made anew, and its resources stay as they are", async () => {
  const [home, away] = [await simulated({ keySecret: "home-key" }), await simulated({ keySecret: "away-key" })];
  const stack = await newStack(home);
  const program = `
    const account = new clouddb.Provider("away", { baseUrl: "${away.baseUrl}", keySecret: "away-key", maxRetries: 1 });
    new clouddb.Service("here", {});
    const there = new clouddb.Service("there", {}, { provider: account });
    exports.name = clouddb.getServiceOutput({ serviceId: there.id }, { provider: account }).name;`;
  stack.program(program, ENTRIES.dynamic);
  await expectOk(stack.up());
  const before = await snapshot(stack);
  for (const entry of [ENTRIES.native, ENTRIES.dynamic]) {
    for (const api of [home, away]) await api.requests();
    stack.program(program, entry);
    expect(await expectOk(stack.preview())).toMatch(/\+ 1 to create\s+- 1 to delete\s+2 changes. 3 unchanged/);
    expect(await expectOk(stack.up())).toMatch(/name: "there"/);
    expect(await snapshot(stack)).toEqual(before);
    expect(await home.requests()).toEqual([]);
    // The function, in the preview and in the update.
    expect((await away.requests()).map(({ request }) => request)).toEqual(["GET /services/{id}", "GET /services/{id}"]);
    await expectOk(stack.refresh("--expect-no-changes"));
    expect(JSON.stringify(await stack.resources())).not.toMatch(/away-key|home-key/);
  }
});
