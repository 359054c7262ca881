import { createBudget, inOrderOfLastCheck, requestsToRefresh } from "../../examples/fleet/budget";
import { barLine, createProgress } from "../../examples/fleet/progress";
import { createTurns, runQueue } from "../../examples/fleet/queue";
import { stillDone } from "../../examples/fleet/resume";
import {
  changesText,
  durationText,
  firstSentence,
  markdownTable,
  stacksText,
  textTable,
} from "../../examples/fleet/table";

/** The functions of examples/fleet that need no engine. */

test("the queue runs no more tasks than it may at a time, in order, and starts none once it has to stop", async () => {
  const started: string[] = [];
  let running = 0;
  let most = 0;
  await runQueue(
    ["a", "b", "c", "d", "e"],
    2,
    () => started.length < 4,
    async (name) => {
      started.push(name);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
    },
  );
  expect([started, most]).toEqual([["a", "b", "c", "d"], 2]);
});

test("turns end in the order in which they began", async () => {
  const next = createTurns();
  const [first, second] = [next(), next()];
  const order: string[] = [];
  const later = second.before.then(() => order.push("second"));
  await first.before;
  order.push("first");
  first.end();
  await later;
  expect(order).toEqual(["first", "second"]);
});

test("what an earlier run has done counts for the same change, until all of it is done", () => {
  const record = { change: "1", done: ["a", "b"] };
  expect(stillDone(undefined, "1", ["a"])).toEqual([]);
  expect(stillDone(record, "1", ["a", "b", "c"])).toEqual(["a", "b"]);
  expect(stillDone(record, "2", ["a", "b", "c"])).toEqual([]);
  expect(stillDone(record, "1", ["a", "b"])).toEqual([]);
  expect(stillDone(record, "1", ["b"])).toEqual(["a"]);
});

test("the budget: those checked longest ago first, and nobody overtakes a stack that has to wait", () => {
  const checked = { a: "2026-02-02T00:00:00.000Z", b: "2026-01-01T00:00:00.000Z" };
  expect(inOrderOfLastCheck(["a", "b", "d", "c"], checked)).toEqual(["c", "d", "b", "a"]);
  const budget = createBudget(10);
  expect([6, 11, 4].map(budget.take)).toEqual(["fits", "never fits", "fits"]);
  expect(budget.isUsedUp()).toBe(false);
  expect([1, 0].map(budget.take)).toEqual(["later", "later"]);
  expect(budget.isUsedUp()).toBe(true);
  const types = ["clouddb:index:Pipe", "clouddb:index:Organization", "pulumi:pulumi:Stack", "pulumi:providers:clouddb"];
  expect(requestsToRefresh({ resources: types.map((type) => ({ type })) })).toBe(1);
  expect(requestsToRefresh({})).toBe(0);
});

test("tables and texts", () => {
  const rows = [
    ["s-01", "updated"],
    ["production|eu", ""],
  ];
  expect(textTable(["stack", "result"], rows)).toBe("stack          result\ns-01           updated\nproduction|eu\n");
  expect(markdownTable(["stack", "result"], rows)).toBe(
    "| stack | result |\n| --- | --- |\n| s-01 | updated |\n| production\\|eu |  |\n",
  );
  expect(changesText({ update: 2, create: 1, same: 3 }, false)).toBe("1 created, 2 updated");
  expect(changesText({ update: 2, create: 1 }, true)).toBe("1 to create, 2 to update");
  expect([3.4, 59.6, 61].map(durationText)).toEqual(["3 s", "1 min 0 s", "1 min 1 s"]);
  expect(firstSentence("Updating 1.2.3 (PATCH /v1): 403. Grant it. `pulumi up`")).toBe(
    "Updating 1.2.3 (PATCH /v1): 403.",
  );
  expect([1, 2].map(stacksText)).toEqual(["1 stack", "2 stacks"]);
  expect(firstSentence("no sentence")).toBe("no sentence");
  const python =
    'Program failed:\nTraceback (most recent call last):\n  File "a.py", line 1\nValueError: no name.\nmore';
  expect(firstSentence(python)).toBe("Program failed: Traceback (most recent call last): ValueError: no name.");
});

test("the bar fits the terminal", () => {
  const counts = { total: 20, done: 5, failed: 1, running: ["eu-1", "eu-2"] };
  expect(barLine(counts, 80)).toBe("[#####···············] 5 of 20 done, 1 failed, 2 running: eu-1, eu-2");
  const short = barLine(counts, 40);
  expect([short.length, short.endsWith("…")]).toEqual([39, true]);
  expect(barLine({ total: 0, done: 0, failed: 0, running: [] }, 80)).toMatch(/^\[#{20}\] 0 of 0 done$/);
});

test("a terminal keeps only failures above the bar; elsewhere each start and end is a line", () => {
  const shown = (isTTY: boolean) => {
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
  expect(shown(false)).toBe("a: started\na: updated\nb: started\nb: failed\n");
  // What remains on the screen: each carriage return starts the line again.
  const screen = shown(true)
    .split("\n")
    .map((line) => line.split("\r\u001b[K").at(-1));
  expect(screen).toEqual(["b: failed", ""]);
});
