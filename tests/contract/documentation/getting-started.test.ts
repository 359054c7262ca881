import { isShell } from "../../programs/support/follow";
import { blocksIn, pages, textAsReleased } from "../../programs/support/markdown";

const firstSteps = pages().filter((page) => page.startsWith("docs/getting-started"));

test.each(firstSteps)("%s takes at most eight commands once the packages are released", (page) => {
  // Then come the API and templates, in place of these steps.
  const [steps = ""] = textAsReleased(page).split("\n## Use the API\n");
  const blocks = blocksIn(page, steps).filter(isShell);
  const commands = blocks.flatMap(({ text }) => text.trim().replaceAll("\\\n", "").split("\n"));
  expect(commands).toContain("pulumi up");
  expect(commands.length).toBeLessThanOrEqual(8);
});
