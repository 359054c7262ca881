import { runQueue } from "./queue";

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
