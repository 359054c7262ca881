import { isReleased } from "../../../tools/release/first-release";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { follow } from "../support/follow";
import { type Block, blocksIn, blocksOf, textAsReleased } from "../support/markdown";
import { newReader } from "../support/reader";

const PAGE = "docs/getting-started.md";

async function expectService(folder: string, blocks: readonly Block[]): Promise<void> {
  const printed = await follow(PAGE, await newReader(folder), blocks);
  const output = printed.join("\n");
  expect(output).toMatch(/clouddb:Service analytics created/);
  expect(output).not.toMatch(/warning: |Deprecat/);
}

(isReleased() ? test.skip : test)(`${PAGE}: from an empty folder to a service, in a clone`, async () => {
  await expectService(root, blocksOf(PAGE));
});

test(`${PAGE}: from an empty folder to a service, with released packages`, async () => {
  // Then come the API and templates, in place of these steps.
  const [steps = ""] = textAsReleased(PAGE).split("\n## Use the API\n");
  await expectService(temporaryFolder("first-steps"), blocksIn(PAGE, steps));
});
