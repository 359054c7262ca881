import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, newStack, simulated, testHome } from "../../engine/support/stack";
import { root } from "../../support/root";
import { firstSteps, follow } from "../support/follow";
import { clone, newReader } from "../support/reader";

describe.each([
  ["npm", "npm install"],
  ["pnpm", "npx --yes pnpm@10 add"],
])("docs/getting-started.md with %s", (_, install) => {
  test("leads from an empty folder to a service in TypeScript", async () => {
    const { page, blocks } = firstSteps("TypeScript");
    const changed = blocks.map((block) => ({ ...block, text: block.text.replace(/^npm install/m, install) }));
    const printed = await follow(page, await newReader(root), changed);
    const output = printed.join("\n");
    expect(output).toMatch(/clouddb:Service analytics created/);
    expect(output).not.toMatch(/warning: |Deprecat/);
  });
});

test("examples/README.md: each example runs and is cleaned up", async () => {
  const output = (await follow("examples/README.md", await newReader(clone()))).join("\n");
  for (const text of ["analytics created", "totalGb", "vpce-0a1b2c3d4e5f60001", "liveReplicas", "alertState"]) {
    expect(output).toContain(text);
  }
  expect(output).toContain("3 stacks: 3 updated.");
  expect(output).toContain("3 stacks: 3 no drift.");
  expect(output.match(/has been removed!/g)).toHaveLength(8);
});

test("docs/custom-policies.md: the tests of a custom pack pass, and the pack runs", async () => {
  const folder = mkdtempSync(join(testHome(), "custom-"));
  const output = (await follow("docs/custom-policies.md", await newReader(folder))).join("\n");
  expect(output).toMatch(/^# pass 3$/m);
  const stack = await newStack(await simulated(), `new clouddb.Service("analytics", { name: "reports" });`);
  const refused = await expectFailure(stack.preview("--policy-pack", join(folder, "company-policies")));
  expect(refused).toMatch(/\[mandatory\] {2}named-by-team/);
  expect(refused).toContain("[advisory]  access-list-required");
});
