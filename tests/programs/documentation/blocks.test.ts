import { isShell, reasonOf } from "../support/follow";
import { blocksOf, pages } from "../support/markdown";

describe("blocks that are not run", () => {
  const blocks = pages()
    .flatMap(blocksOf)
    .filter((block) => isShell(block) && reasonOf(block) !== undefined);
  for (const block of blocks) test.skip(`${block.page}:${block.line}, ${reasonOf(block)}`, () => {});
});
