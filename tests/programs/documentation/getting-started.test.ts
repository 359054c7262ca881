import { root } from "../../support/root";
import { firstSteps } from "../support/first-steps";
import { follow } from "../support/follow";
import { newReader } from "../support/reader";

test("docs/getting-started.md: from an empty folder to a service in TypeScript", async () => {
  const { page, blocks } = firstSteps("TypeScript");
  const printed = await follow(page, await newReader(root), blocks);
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
});
