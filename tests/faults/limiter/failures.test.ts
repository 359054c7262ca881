import { freePort } from "../../support/local-server";
import { describeWithRedis, needsRedis, type RunningRedis, startRedis } from "../../support/redis";
import { namesOf, newFleet } from "./fleet";

/* When Redis fails in any way, each process says so once, paces itself, and creates every service exactly once. */

const LIMIT = { requests: 10, seconds: 1, tells: "retryAfterDecimal" } as const;
const NAMES = ["a", "b"];
const PASSWORD = "canary%20of%20redis";

const sentence = (reason: string) =>
  new RegExp(
    `^Cannot share the rate limit through clouddb:rateLimitUrl \\(CLOUDDB_RATE_LIMIT_URL\\): ${reason}\\. This process throttles only its own requests until Redis can be used\\. \\[CDB3009\\]$`,
  );

/** The messages about Redis. */
const ofRedis = (lines: readonly string[] = []) =>
  lines.filter((line) => line.startsWith("Cannot share"));

async function expectAllOnce(url: string, reason: string, action?: () => unknown): Promise<void> {
  // No process can finish in the first window, so all still have work when Redis fails in the
  // middle.
  const count = action ? LIMIT.requests + 2 : 4;
  const fleet = await newFleet(LIMIT);
  const environment = { CLOUDDB_RATE_LIMIT_URL: url, CLOUDDB_RATE_LIMIT: "10 per 1 s" };
  const at = action && { requests: 6, action };
  const { messages, failures } = await fleet.run({
    names: NAMES,
    each: count,
    environment,
    ...(at && { at }),
  });
  expect(failures).toEqual([]);
  for (const name of NAMES)
    expect(ofRedis(messages[name])).toEqual([expect.stringMatching(sentence(reason))]);
  expect(JSON.stringify(messages)).not.toMatch(/canary/);
  expect(await fleet.names()).toEqual(namesOf(NAMES, count));
  const created = (await fleet.journal()).filter(
    ({ status, method }) => status === 200 && method === "POST",
  );
  expect(created).toHaveLength(NAMES.length * count);
}

describeWithRedis(`while Redis cannot be used${needsRedis}`, () => {
  test("without Redis, each process warns once and continues with its share of the limit", async () => {
    await expectAllOnce(
      `redis://127.0.0.1:${await freePort()}`,
      "could not connect to 127\\.0\\.0\\.1:\\d+: ECONNREFUSED",
    );
  });

  test("a Redis whose host does not exist causes one warning per process", async () => {
    await expectAllOnce(
      "redis://redis.invalid",
      "could not connect to redis\\.invalid: (ENOTFOUND|EAI_AGAIN)",
    );
  });

  test("a wrong password of Redis causes one warning per process", async () => {
    const { url } = await startRedis({ args: ["--requirepass", "right"] });
    await expectAllOnce(
      url.replace("//", `//:${PASSWORD}@`),
      "127\\.0\\.0\\.1:\\d+ refused: WRONGPASS .*",
    );
  });

  test("a Redis user without a required permission causes one warning per process", async () => {
    const { url, admin } = await startRedis();
    await admin.call("ACL", "SETUSER", "reader", "on", ">canary of redis", "~*", "+get");
    await expectAllOnce(
      url.replace("//", `//reader:${PASSWORD}@`),
      "127\\.0\\.0\\.1:\\d+ refused: NOPERM .*",
    );
  });

  test.each<[string, string, (redis: RunningRedis) => unknown]>([
    [
      "it is killed",
      "(the connection to 127\\.0\\.0\\.1:\\d+ was lost|could not connect to .*)",
      ({ signal }) => signal("SIGKILL"),
    ],
    [
      "it stops to answer",
      "127\\.0\\.0\\.1:\\d+ did not respond within [\\d.]+ s",
      ({ signal }) => signal("SIGSTOP"),
    ],
    [
      "its memory is full",
      "127\\.0\\.0\\.1:\\d+ refused: OOM .*",
      ({ admin }) => admin.config("SET", "maxmemory", "1"),
    ],
    [
      "it becomes read-only",
      "127\\.0\\.0\\.1:\\d+ refused: READONLY .*",
      ({ admin }) => admin.call("REPLICAOF", "127.0.0.1", "1"),
    ],
  ])("each process warns once if Redis fails while it works: %s", async (_, reason, fail) => {
    const redis = await startRedis();
    await expectAllOnce(redis.url, reason, () => fail(redis));
  });

  test("processes use Redis again after it restarts", async () => {
    const redis = await startRedis();
    let next: RunningRedis | undefined;
    const restart = async () => {
      await redis.close();
      next = await startRedis({ port: redis.port });
    };
    const fleet = await newFleet(LIMIT);
    const environment = { CLOUDDB_RATE_LIMIT_URL: redis.url, CLOUDDB_RATE_LIMIT: "10 per 1 s" };
    const { messages, failures } = await fleet.run({
      names: NAMES,
      each: 30,
      environment,
      at: { requests: 8, action: restart },
    });
    expect(failures).toEqual([]);
    for (const name of NAMES) expect(ofRedis(messages[name]).length).toBeLessThanOrEqual(1);
    expect(await fleet.names()).toEqual(namesOf(NAMES, 30));
    expect(await next?.admin.keys("*")).toEqual([expect.stringMatching(/^clouddb:window:/)]);
  });
});
