import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, simulated } from "../support/stack";

/** A saved plan binds the arguments of each resource, not the state that an update starts from. */

const CANARY = "canary-address";

const program = (size: number, description: string) => `
  new clouddb.Service("one", { region: "us-east-1", numReplicas: ${size} });
  const ipAccessList = [{ source: "203.0.113.7", description: pulumi.secret("${description}") }];
  new clouddb.Service("two", { region: "us-east-1", numReplicas: 2, ipAccessList });`;

test("a plan binds the arguments of each resource, and not the state from which the update starts", async () => {
  const api = await simulated();
  const stack = await newStack(api, program(2, CANARY));
  const plan = join(stack.folder, "plan.json");
  const patches = async () =>
    (await api.requests()).filter(({ request }) => /^PATCH/.test(request)).map(({ body }) => body);
  const sizes = async () => (await api.services()).map(({ name, numReplicas }) => `${name} ${numReplicas}`).sort();
  await expectOk(stack.up());

  stack.program(program(4, CANARY));
  await expectOk(stack.preview("--save-plan", plan));
  expect(readFileSync(plan, "utf8")).not.toContain(CANARY);
  stack.program(program(7, CANARY));
  await expectOk(stack.up());
  await api.requests();
  stack.program(program(4, CANARY));
  await expectOk(stack.up("--plan", plan));
  expect([await patches(), await sizes()]).toEqual([[{ numReplicas: 4 }], ["one 4", "two 2"]]);

  // The plan of a preview without changes allows none.
  await expectOk(stack.preview("--save-plan", plan));
  stack.program(program(4, `another-${CANARY}`));
  const violated = await expectFailure(stack.up("--plan", plan));
  expect(violated).toMatch(/Service::two violates plan: properties changed: .*ipAccessList/);
  expect([await patches(), await sizes()]).toEqual([[], ["one 4", "two 2"]]);
});
