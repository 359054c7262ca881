import { testHome } from "../../engine/support/stack";
import { follow } from "../support/follow";
import { blocksOf } from "../support/markdown";
import { newReader } from "../support/reader";

test.each(["docs/guides/testing.md", "simulator/README.md"])("%s prints what it shows", async (page) => {
  const printed = (await follow(page, await newReader(testHome()))).join("\n");
  const texts = blocksOf(page).filter(({ language }) => language === "text");
  for (const { text } of texts) expect(printed.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010")).toContain(text);
});
