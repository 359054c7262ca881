import fc from "fast-check";
import { newState, respond } from "../../../provider/api/shared-limit";
import type { Message } from "../../../provider/api/shared-state";
import { SCRIPT } from "../../../provider/core/script";
import { describeWithRedis, needsRedis, readState, startRedis } from "../../support/redis";

/* The script that Redis runs is compiled from the rules: it must answer like them, and store the same. */

/** With the time as a second argument instead of the server's own. */
const TIMED = SCRIPT.replace('redis.call("TIME")', '{ARGV[2], "0"}');

const name = fc.constantFrom("a", "b", "c", "d");
const ending = fc.record({
  permit: fc.integer({ min: 1, max: 40 }),
  outcome: fc.oneof(
    { weight: 8, arbitrary: fc.constant({}) },
    fc.constant({ isUnused: true }),
    fc.record({ refusedMs: fc.constantFrom(0, 0.5, 700, 1000, 12_000, 86_400_000) }),
  ),
});
const message: fc.Arbitrary<Message> = fc.record(
  {
    process: name,
    ended: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(ending, { minLength: 1, maxLength: 4 })),
    ask: fc.record({ isUrgent: fc.boolean(), wanted: fc.integer({ min: 1, max: 10 }) }),
    known: fc.record({ requests: fc.integer({ min: 1, max: 20 }), windowMs: fc.constantFrom(1000, 10_000) }),
    alone: fc.record({ sent: fc.integer({ min: 0, max: 3 }), closedMs: fc.constantFrom(0, 0, 0, 500.5, 900_000) }),
  },
  { requiredKeys: ["process", "ended"] },
);
/** Seconds since the message before; sometimes the clock is set back. */
const elapsed = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 2, arbitrary: fc.integer({ min: 4, max: 60 }) },
  fc.constant(-100),
  fc.constant(4000),
);

/** An empty list and an empty object are the same to Lua. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("[]", "{}"));

describeWithRedis(`the script for Redis${needsRedis}`, () => {
  test("answers any messages like the rules, and stores the same state", async () => {
    const { admin } = await startRedis();
    let seen = { granted: 0, learned: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(message, elapsed), { minLength: 20, maxLength: 150 }), async (steps) => {
        await admin.flushall();
        const state = newState();
        let seconds = 1_800_000_000;
        for (const [item, later] of steps) {
          seconds += later;
          const answer = respond(state, item, seconds * 1000);
          const answered = await admin.eval(TIMED, 1, "state", JSON.stringify(item), String(seconds));
          expect(JSON.parse(String(answered))).toEqual(plain(answer));
          expect(await readState(admin, "state")).toEqual(plain(state));
          seen = { granted: seen.granted + answer.granted, learned: seen.learned + (state.limit ? 1 : 0) };
        }
      }),
      { numRuns: 200 },
    );
    expect(seen.granted).toBeGreaterThan(500);
    expect(seen.learned).toBeGreaterThan(500);
  });

  test("a state that it cannot read is replaced", async () => {
    const { admin } = await startRedis();
    for (const broken of ["not JSON", "7", ""]) {
      await admin.set("state", broken);
      const ask = JSON.stringify({ process: "a", ended: [], ask: { isUrgent: false, wanted: 1 } });
      expect(JSON.parse(String(await admin.eval(SCRIPT, 1, "state", ask)))).toMatchObject({ granted: 1 });
    }
    expect(await admin.pttl("state")).toBeGreaterThan(3_500_000);
  });
});
