import { expectOk, newStack, simulated } from "../support/stack";

test("stacks are listed, one at a time: in parallel, the command waits forever with PostgreSQL", async () => {
  const stack = await newStack(await simulated());
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  for (const name of names) await expectOk(stack.pulumi("stack", "init", name, "--no-select"));
  stack.environment({ PULUMI_DIY_BACKEND_PARALLEL: "1" });
  const listed = JSON.parse(await expectOk(stack.pulumi("stack", "ls", "--json"))) as { name: string }[];
  expect(listed.map(({ name }) => name).sort()).toEqual([...names, "dev"].sort());
});
