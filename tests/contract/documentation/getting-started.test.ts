import { stepsAsReleased } from "../../programs/support/first-steps";
import { isShell } from "../../programs/support/follow";
import { pages } from "../../programs/support/markdown";

const firstSteps = pages().filter((page) => page.startsWith("docs/getting-started"));

test.each(firstSteps)("%s takes at most eight commands once the packages are released", (page) => {
  const blocks = stepsAsReleased(page).filter(isShell);
  const commands = blocks.flatMap(({ text }) => text.trim().replaceAll("\\\n", "").split("\n"));
  expect(commands).toContain("pulumi up");
  expect(commands.length).toBeLessThanOrEqual(8);
});
