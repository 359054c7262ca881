import { root } from "../../support/root";
import { follow } from "../support/follow";
import { newReader } from "../support/reader";

const PAGE = "docs/getting-started.md";

test(`${PAGE}: from an empty folder to a service`, async () => {
  const printed = await follow(PAGE, await newReader(root));
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
});
