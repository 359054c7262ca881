import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, newStack, simulated, testHome } from "../../engine/support/stack";
import { follow } from "../support/follow";
import { newReader } from "../support/reader";

test("docs/custom-policies.md: the tests of a custom pack pass, and the pack runs", async () => {
  const folder = mkdtempSync(join(testHome(), "custom-"));
  const output = (await follow("docs/custom-policies.md", await newReader(folder))).join("\n");
  expect(output).toMatch(/^# pass 3$/m);
  const stack = await newStack(await simulated(), `new clouddb.Service("analytics", { name: "reports" });`);
  const refused = await expectFailure(stack.preview("--policy-pack", join(folder, "company-policies")));
  expect(refused).toMatch(/\[mandatory\] {2}named-by-team/);
  expect(refused).toContain("[advisory]  access-list-required");
});
