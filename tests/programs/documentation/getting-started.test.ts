import { root } from "../../support/root";
import { firstSteps } from "../support/first-steps";
import { follow } from "../support/follow";
import { newReader } from "../support/reader";

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
