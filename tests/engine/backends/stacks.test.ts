import { COUNT, expectEachServiceOnce, interruptUp, PARALLEL } from "../../faults/crashes/interrupted-up";
import { compileProgram, newFleet, resultsIn } from "../../programs/fleet/support";
import { expectFailure, expectOk, newStack, simulated, typeOf } from "../support/stack";
import { PASSWORD } from "./server";

test("stacks are listed, one at a time: in parallel, the command waits forever with PostgreSQL", async () => {
  const stack = await newStack(await simulated());
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  for (const name of names) await expectOk(stack.pulumi("stack", "init", name, "--no-select"));
  stack.environment({ PULUMI_DIY_BACKEND_PARALLEL: "1" });
  const listed = JSON.parse(await expectOk(stack.pulumi("stack", "ls", "--json"))) as { name: string }[];
  expect(listed.map(({ name }) => name).sort()).toEqual([...names, "dev"].sort());
});

test("a service moves to another stack with its password, without a request or a change", async () => {
  const api = await simulated();
  const text = `
    const services = pulumi.getStack() === "dev" ? process.env.SERVICES_OF_DEV : "b";
    for (const name of services.split(",")) exports[name] = new clouddb.Service(name, { region: "us-east-1" }).password;
  `;
  const stack = await newStack(api, text);
  stack.environment({ SERVICES_OF_DEV: "a,b" });
  await expectOk(stack.up());
  const passwordOf = (name: string) => expectOk(stack.pulumi("stack", "output", name, "--show-secrets"));
  const password = await passwordOf("b");
  await expectOk(stack.pulumi("stack", "init", "other", "--no-select"));
  await api.requests();

  const urn = (await stack.resources()).find((resource) => resource.urn.endsWith(`${typeOf("Service")}::b`))?.urn;
  await expectOk(stack.pulumi("state", "move", "--source", "dev", "--dest", "other", "--yes", String(urn)));
  stack.environment({ SERVICES_OF_DEV: "a" });
  await expectOk(stack.preview("--expect-no-changes"));
  stack.environment({ PULUMI_STACK: "other" });
  await expectOk(stack.up());
  expect(await passwordOf("b")).toBe(password);
  await expectOk(stack.preview("--expect-no-changes"));
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(2);
});

test("an up during another is refused, says who holds the lock, and changes nothing", async () => {
  let second: Promise<string> = Promise.resolve("");
  const interrupted = await interruptUp(
    11,
    ({ proxy, stack }) => {
      second = expectFailure(stack.up()).finally(() => proxy.release());
    },
    ["applied"],
  );
  expect((await interrupted.ended).code).toBe(0);
  expect(await second).toMatch(
    /the stack is currently locked by 1 lock\(s\)\. [\s\S]*created by \S+@\S+ \(pid \d+\) at /,
  );
  // The lock is named by the server's address.
  expect(await second).not.toContain(PASSWORD);
  await expectEachServiceOnce(interrupted, []);
  expect(interrupted.proxy.posts()).toBe(COUNT);
});

test("of ups that start at the same moment, at most one creates services", async () => {
  const api = await simulated();
  const names = ["a", "b", "c"];
  const text = `for (const name of ${JSON.stringify(names)}) new clouddb.Service(name, { region: "us-east-1" });`;
  const stack = await newStack(api, text);
  const outcomes = await Promise.all([stack.up(), stack.up(), stack.up()]);
  for (const { code, output } of outcomes) if (code !== 0) expect(output).toContain("the stack is currently locked by");
  // All ups may be refused, because each may have seen the lock of another.
  await expectOk(stack.up("--parallel", String(PARALLEL)));
  expect((await api.services()).map(({ name }) => name).sort()).toEqual(names);
  const stored = (await stack.resources()).filter(({ type }) => type === typeOf("Service"));
  expect(stored).toHaveLength(names.length);
});

test("a roll-out and a check for drift find all stacks of the server", async () => {
  const api = await simulated();
  const fleet = await newFleet(api, await compileProgram(), 6);
  const output = await expectOk(fleet.tool("roll-out", "--canary", "s-03"));
  expect(resultsIn(output)).toEqual(Object.fromEntries(fleet.names.map((name) => [name, "updated"])));
  expect(await api.services()).toHaveLength(6);
  expect(await expectOk(fleet.tool("drift"))).toContain("6 stacks: 6 no drift.");
});
