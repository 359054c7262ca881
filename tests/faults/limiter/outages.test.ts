import { setTimeout } from "node:timers/promises";
import { describeWithRedis, needsRedis, type RunningRedis, startRedis } from "../../support/redis";
import { namesOf, newFleet } from "./fleet";

/* Redis fails while many processes work: they keep to the limit that they know together, and share again afterwards. */

const LIMIT = { requests: 10, seconds: 1, tells: "retryAfterDecimal" } as const;
/** The same rate, but all processes have heard of each other before the first refusal. */
const LATER_LIMIT = { ...LIMIT, requests: 60, seconds: 6 } as const;
const NAMES = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));
const EACH = 10;
const OUTAGE_MS = 3000;
/** Requests after which the limit is still unknown, or known. */
const EARLY = 30;
const LATE = 40;

const stopped = async ({ signal }: RunningRedis) => {
  signal("SIGSTOP");
  await setTimeout(OUTAGE_MS);
  signal("SIGCONT");
};
const replaced = async (redis: RunningRedis) => {
  await redis.close();
  await setTimeout(OUTAGE_MS);
  await startRedis({ port: redis.port });
};
const full = async ({ admin }: RunningRedis) => {
  await admin.config("SET", "maxmemory", "1");
  await setTimeout(OUTAGE_MS);
  await admin.config("SET", "maxmemory", "0");
};

describeWithRedis(`many processes that share a rate limit${needsRedis}`, () => {
  test.each<[string, number, (redis: RunningRedis) => unknown]>([
    ["is stopped for a while, before they know the limit,", EARLY, stopped],
    ["is gone for a while and comes back empty, before they know the limit,", EARLY, replaced],
    ["is full for a while, before they know the limit,", EARLY, full],
    ["is stopped for a while", LATE, stopped],
    ["is gone for a while and comes back empty", LATE, replaced],
    ["is full for a while", LATE, full],
    ["is flushed", LATE, ({ admin }) => admin.flushall()],
    ["is full until the end", LATE, ({ admin }) => admin.config("SET", "maxmemory", "1")],
  ])("are hardly refused while Redis %s and create every service once", async (_, requests, fail) => {
    const redis = await startRedis();
    const fleet = await newFleet(requests === EARLY ? LATER_LIMIT : LIMIT);
    const environment = { CLOUDDB_RATE_LIMIT_URL: redis.url };
    const at = { requests, action: () => fail(redis) };
    const { failures } = await fleet.run({ names: NAMES, each: EACH, environment, at });
    const refused = await fleet.refused();
    expect(failures).toEqual([]);
    expect(await fleet.names()).toEqual(namesOf(NAMES, EACH));
    // Without a common pace, more than half of all requests would be refused.
    expect(refused).toBeLessThanOrEqual((requests === EARLY ? 3 : 1) * NAMES.length);
  });
});
