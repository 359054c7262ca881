import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import {
  COUNT,
  expectEachServiceOnce,
  interruptUp,
  pendingNames,
  servicesMissingFromState,
} from "../../faults/crashes/interrupted-up";
import { newFleet, resultsIn } from "../../programs/fleet/support";
import {
  expectOk,
  newStack,
  outcomeOf,
  SERVICE_TYPE,
  simulated,
  storedServices,
} from "../support/stack";
import { backend, PASSWORD } from "./backend";

test("a service moves to another stack with its password, without a request or a change", async () => {
  const api = await simulated();
  const text = `
    const services = pulumi.getStack() === "dev" ? process.env.SERVICES_OF_DEV : "b";
    for (const name of services.split(",")) exports[name] = new clouddb.Service(name, { region: "us-east-1" }).password;
  `;
  const stack = await newStack(api, text);
  stack.environment({ SERVICES_OF_DEV: "a,b" });
  await stack.up();
  const passwordOf = (name: string) => stack.pulumi("stack", "output", name, "--show-secrets");
  const password = await passwordOf("b");
  await stack.pulumi("stack", "init", "other", "--no-select");
  await api.requests();

  const urn = (await stack.resources()).find((resource) =>
    resource.urn.endsWith(`${SERVICE_TYPE}::b`),
  )?.urn;
  await stack.pulumi("state", "move", "--source", "dev", "--dest", "other", "--yes", String(urn));
  stack.environment({ SERVICES_OF_DEV: "a" });
  await stack.preview("--expect-no-changes");
  stack.environment({ PULUMI_STACK: "other" });
  await stack.up();
  expect(await passwordOf("b")).toBe(password);
  await stack.preview("--expect-no-changes");
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(2);
});

test("of several ups that start at the same moment, at most one creates services", async () => {
  const api = await simulated();
  const names = ["a", "b", "c"];
  const text = `for (const name of ${JSON.stringify(names)}) new clouddb.Service(name, { region: "us-east-1" });`;
  const stack = await newStack(api, text);
  const outcomes = await Promise.all(names.map(() => outcomeOf(stack.up())));
  for (const { code, output } of outcomes) {
    if (code !== 0)
      expect(output).toMatch(/currently locked by[\s\S]*created by \S+@\S+ \(pid \d+\)/);
    expect(output).not.toContain(PASSWORD);
  }
  // All ups may be refused, because each may have seen the lock of another.
  await stack.up();
  expect((await api.services()).map(({ name }) => name).sort()).toEqual(names);
  const stored = await storedServices(stack);
  expect(stored).toHaveLength(names.length);
});

test("a roll-out and a drift check find all stacks of the server", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, 6);
  const output = await expectOk(fleet.tool("roll-out", "--canary", "s-03"));
  expect(resultsIn(output)).toEqual(
    Object.fromEntries(fleet.names.map((name) => [name, "updated"])),
  );
  expect(await api.services()).toHaveLength(6);
  expect(await expectOk(fleet.tool("drift"))).toContain("6 stacks: 6 no drift.");
});

const CANARY = "canary of the program";

test("the server stores no secret in plain text, and Pulumi neither stores nor prints its password", async () => {
  const api = await simulated();
  const args = `{ region: "us-east-1", name: "plain name", ipAccessList: [{ source: "192.0.2.1", description: pulumi.secret("${CANARY}") }] }`;
  const stack = await newStack(
    api,
    `exports.password = new clouddb.Service("db", ${args}).password;`,
  );
  const output = await stack.up();
  const password = (await stack.pulumi("stack", "output", "password", "--show-secrets")).trim();
  await stack.pulumi("login");

  const stored = (await backend()).contents();
  expect(stored).toContain("plain name");
  for (const secret of [CANARY, password, api.keySecret]) expect(stored).not.toContain(secret);
  const printed = output + (await stack.pulumi("whoami", "--verbose"));
  expect(printed).not.toContain(PASSWORD);
  expect(
    spawnSync("grep", ["-rl", PASSWORD, join(stack.folder, "home")], { encoding: "utf8" }).stdout,
  ).toBe("");
});

/* The server that has the state fails while an `up` creates services. */

/** The engine repeats the writing of a state for half a minute. */
const SHORT_MS = 5000;

test("a short outage of the backend loses nothing and needs no action", async () => {
  const server = await backend();
  const interrupted = await interruptUp(
    11,
    async ({ gate }) => {
      await server.kill();
      void gate.release();
      await setTimeout(SHORT_MS);
      await server.start();
    },
    ["applied", "appliedLate"],
  );
  await expectOk(interrupted.ended);
  await expectEachServiceOnce(interrupted, []);
  expect(interrupted.gate.posts()).toBe(COUNT);
});

test("a long outage of the backend fails the up, and the next up adopts the services of lost creations", async () => {
  const server = await backend();
  const interrupted = await interruptUp(
    11,
    async ({ gate }) => {
      await server.kill();
      void gate.release();
    },
    ["applied"],
    // Each step that cannot be stored takes half a minute.
    { parallel: 1, inFlight: 1, keepsJournal: true },
  );
  const { code, output } = await interrupted.ended;
  expect(code).not.toBe(0);
  expect(output).toContain(
    "failed to save snapshot: An IO error occurred while writing the new snapshot file: blob (key ",
  );
  await server.start();
  const { stack } = interrupted;
  await stack.pulumi("cancel");
  const missing = (await servicesMissingFromState(interrupted)).map(({ name }) => name);
  expect(missing).not.toEqual([]);
  expect(await pendingNames(stack)).toEqual(expect.arrayContaining(missing));
  await stack.up();
  await stack.refresh("--clear-pending-creates");
  await expectEachServiceOnce(interrupted, []);
  expect(interrupted.gate.posts()).toBe(COUNT);
});
