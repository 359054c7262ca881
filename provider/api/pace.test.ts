import { createPace } from "./pace";

/** Time that passes only when somebody sleeps; sleepers wake in order. */
function virtualClock() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const sleep = (ms: number) =>
    new Promise<void>((wake) => {
      sleepers.push({ at: now + ms, wake });
    });
  /** Lets time pass until nobody sleeps any more. */
  async function settle() {
    for (;;) {
      await new Promise(setImmediate);
      sleepers.sort((one, other) => one.at - other.at);
      const next = sleepers.shift();
      if (next === undefined) return;
      now = Math.max(now, next.at);
      next.wake();
    }
  }
  return { now: () => now, sleep, settle };
}

describe("the pace of a process", () => {
  test("lets requests pass at once while no limit was hit", async () => {
    const clock = virtualClock();
    const pace = createPace(clock, () => {});
    expect(await Promise.all([pace.turn(600_000), pace.turn(600_000)])).toEqual([0, 0]);
  });

  test("makes all wait for what one was told, and then go one behind the other", async () => {
    const clock = virtualClock();
    const said: string[] = [];
    const pace = createPace(clock, (line) => said.push(line));
    pace.limited(5000);
    const turns = [0, 1, 2].map(() => pace.turn(600_000).then(() => clock.now()));
    await clock.settle();
    const times = await Promise.all(turns);
    expect(times[0]).toBe(5000);
    expect(new Set(times).size).toBe(3);
    expect(said).toEqual(["The API's rate limit is reached: all requests wait 5 s."]);
  });

  test("guesses longer each time where it is not told, and says nothing of short waits", async () => {
    const clock = virtualClock();
    const said: string[] = [];
    const pace = createPace(clock, (line) => said.push(line));
    pace.limited(undefined);
    const first = pace.turn(600_000);
    await clock.settle();
    expect(await first).toBe(1000);
    pace.limited(undefined);
    const second = pace.turn(600_000);
    await clock.settle();
    expect(await second).toBe(2000);
    expect(said).toEqual([]);
  });

  test("is held up again by a limit that is hit while requests wait", async () => {
    const clock = virtualClock();
    const pace = createPace(clock, () => {});
    pace.limited(1000);
    const waiting = pace.turn(600_000).then(() => clock.now());
    pace.limited(4000);
    await clock.settle();
    expect(await waiting).toBe(4000);
  });

  test("counts a burst of refusals as one", async () => {
    const clock = virtualClock();
    const said: string[] = [];
    const pace = createPace(clock, (line) => said.push(line));
    for (let count = 0; count < 16; count += 1) pace.limited(5000);
    const turns = [0, 1].map(() => pace.turn(600_000).then(() => clock.now()));
    await clock.settle();
    expect(await Promise.all(turns)).toEqual([5000, 5100]);
    expect(said).toHaveLength(1);
  });

  test("takes no wait at all for an answer that did not say", async () => {
    const clock = virtualClock();
    const pace = createPace(clock, () => {});
    pace.limited(0);
    const turn = pace.turn(600_000);
    await clock.settle();
    expect(await turn).toBe(1000);
  });
});
