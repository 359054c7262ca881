import type { Redis } from "ioredis";
import { describeWithRedis, needsRedis, startRedis } from "../../support/redis";
import { histories } from "../../witness/histories";
import { newWorld, useHistories } from "../../witness/history";
import { placeholders } from "../../witness/witness";

/** The keys and values that processes of all releases share. */

const run = useHistories();
const WINDOW_MS = 3_600_000;

/** Each key with its type and value. The field names of a hash depend on the machine. */
async function stored(redis: Redis): Promise<object> {
  const keys = (await redis.keys("*")).sort();
  const entries = keys.map(async (key) => {
    const type = await redis.type(key);
    const ends = await redis.pttl(key);
    if (type === "hash") {
      const records = Object.values(await redis.hgetall(key)).map((text) => JSON.parse(text));
      return [key, { type, ends, records: placeholders(records) }];
    }
    return [key, { type, value: await redis.get(key), isInWindow: ends > 0 && ends <= WINDOW_MS }];
  });
  return Object.fromEntries(await Promise.all(entries));
}

describeWithRedis(`values in Redis are as recorded${needsRedis}`, () => {
  test("after a lost creation and a refresh", async () => {
    const { url, admin } = await startRedis();
    const environment = {
      CLOUDDB_JOURNAL: url,
      CLOUDDB_RATE_LIMIT_URL: url,
      CLOUDDB_RATE_LIMIT: "10 per 3600 s",
    };
    const lost = histories["a creation that the stack has not stored"] ?? [];
    const adopted = histories["an adopted service"] ?? [];
    await run(newWorld(), [...lost, ...adopted], environment);
    expect(await stored(admin)).toMatchSnapshot();
  });
});
