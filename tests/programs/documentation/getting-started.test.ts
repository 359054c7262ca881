import { root } from "../../support/root";
import { follow } from "../support/follow";
import { newReader } from "../support/reader";

test("docs/getting-started.md: from an empty folder to a service, and back", async () => {
  const printed = await follow("docs/getting-started.md", await newReader(root));
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
});
