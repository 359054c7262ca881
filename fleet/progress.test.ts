import { barLine, createProgress } from "./progress";

test("the bar fits the terminal", () => {
  const counts = { total: 20, done: 5, failed: 1, running: ["eu-1", "eu-2"] };
  expect(barLine(counts, 80)).toBe("[#####···············] 5 of 20 done, 1 failed, 2 running: eu-1, eu-2");
  const short = barLine(counts, 40);
  expect([short.length, short.endsWith("…")]).toEqual([39, true]);
  expect(barLine({ total: 0, done: 0, failed: 0, running: [] }, 80)).toMatch(/^\[#{20}\] 0 of 0 done$/);
});

test("a terminal keeps only failures above the bar; elsewhere each start and end is a line", () => {
  const screenOf = (isTTY: boolean) => {
    let text = "";
    const write = (part: string) => {
      text += part;
    };
    const progress = createProgress({ isTTY, columns: 80, write }, 2);
    progress.started("a");
    progress.ended("a", false, "updated");
    progress.started("b");
    progress.ended("b", true, "failed");
    progress.close();
    return text;
  };
  expect(screenOf(false)).toBe("a: started\na: updated\nb: started\nb: failed\n");
  // Each carriage return starts the line again.
  const screen = screenOf(true)
    .split("\n")
    .map((line) => line.split("\r\u001b[K").at(-1));
  expect(screen).toEqual(["b: failed", ""]);
});
