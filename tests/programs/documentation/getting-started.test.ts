import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { stepsAsReleased } from "../support/first-steps";
import { follow } from "../support/follow";
import { blocksOf } from "../support/markdown";
import { newReader } from "../support/reader";

const PAGE = "docs/getting-started.md";

// Of a folder of its own: a released package is looked up in a registry, not in a clone.
test.each([
  ["in a clone", () => root, blocksOf],
  ["with released packages", () => temporaryFolder("first-steps"), stepsAsReleased],
])(`${PAGE}: from an empty folder to a service, %s`, async (_, folder, blocks) => {
  const printed = await follow(PAGE, await newReader(folder()), blocks(PAGE));
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
});
