import { COUNT, expectEachServiceOnce, interruptUp, PARALLEL } from "../../faults/crashes/interrupted-up";
import { expectFailure, expectOk, newStack, simulated, typeOf } from "../support/stack";
import { PASSWORD } from "./server";

/* Several people or jobs that update one stack at the same time. */

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
  // All may be refused: each of them may have seen another one's lock.
  await expectOk(stack.up("--parallel", String(PARALLEL)));
  expect((await api.services()).map(({ name }) => name).sort()).toEqual(names);
  const stored = (await stack.resources()).filter(({ type }) => type === typeOf("Service"));
  expect(stored).toHaveLength(names.length);
});
