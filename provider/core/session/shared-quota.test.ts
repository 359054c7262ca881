import {
  type LimitedApiOptions,
  limitedApi,
  PATIENT,
  type VirtualTime,
  virtualTime,
} from "../../../tests/support/virtual-time";
import { createRateLimiter, type Limit } from "../../api/rate-limiter";
import { type Message, render } from "../../errors";
import { sharedQuota, windowKey } from "./shared-quota";

/* Many processes that share a rate limit in virtual time, through a server that knows the commands of the library. */

const server = {
  time: undefined as unknown as VirtualTime,
  values: new Map<string, [number, number]>(),
  failure: "",
  expireError: "",
};
jest.mock("../journal/redis-connection", () => ({
  redisCommands: () => async (_: number, command: (redis: unknown) => Promise<unknown>) => {
    await server.time.sleep(1);
    if (server.failure !== "") throw new Error(server.failure);
    return command(fakeRedis);
  },
}));

const counterOf = (key: string) => {
  const [value, expiresAt] = server.values.get(key) ?? [0, 0];
  return expiresAt > server.time.now() ? { value, ttl: expiresAt - server.time.now() } : undefined;
};
const set = (key: string, value: number, ttl: number) =>
  server.values.set(key, [value, server.time.now() + ttl]);
const fakeRedis = {
  defineCommand: () => {},
  async rlflxIncr([key = "", points, seconds]: string[]) {
    const { value, ttl } = counterOf(key) ?? { value: 0, ttl: 1000 * Number(seconds) };
    set(key, value + Number(points), ttl);
    return [value + Number(points), ttl];
  },
  async expire(key: string, seconds: number, onlyIf?: "GT") {
    await server.time.sleep(1);
    if (onlyIf !== undefined && server.expireError !== "") throw new Error(server.expireError);
    const { value, ttl } = counterOf(key) ?? { value: 0, ttl: 0 };
    if (onlyIf === undefined || 1000 * seconds > ttl) set(key, value, 1000 * seconds);
  },
  multi: () => {
    const results: unknown[] = [];
    const chain = {
      get: (key: string) => results.push([null, counterOf(key)?.value ?? null]) && chain,
      set: (key: string, value: number, _: "EX", seconds: number) =>
        results.push([null, set(key, value, 1000 * seconds)]) && chain,
      pttl: (key: string) => results.push([null, counterOf(key)?.ttl ?? -2]) && chain,
      exec: async () => results,
    };
    return chain;
  },
};

afterEach(() => jest.restoreAllMocks());

const LIMIT: Limit = { requests: 10, windowMs: 1000 };
const ADDRESS = "https://api.example.com";

/** Numbers between 0 and 1, equal in each test. */
function createRandom(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

/** Processes with this limit, and an API with the real one. */
function newFleet({
  limit = LIMIT,
  ...real
}: Partial<LimitedApiOptions> & { readonly limit?: Limit } = {}) {
  const time = virtualTime(1_800_000_000_000);
  Object.assign(server, { time, values: new Map(), failure: "", expireError: "" });
  const api = limitedApi(time, { ...LIMIT, tells: "in seconds", ...real });
  const lines: string[] = [];
  const random = createRandom();
  let started = 0;
  const start = () => {
    started += 1;
    const name = started;
    const log = (line: Message) => lines.push(`${name}: ${render(line)}`);
    const dependencies = { clock: time, log, random, redact: (text: string) => text };
    const quota = sharedQuota(dependencies, "redis://127.0.0.1", limit, windowKey(ADDRESS));
    return createRateLimiter(time, log, quota);
  };
  const startedAt = time.now();
  const elapsedMs = () => time.now() - startedAt;
  /** Sends requests of a new process, all at once; returns when they were done. */
  const work = async (count: number, limiter = start()) => {
    const sent = await Promise.all(Array.from({ length: count }, () => api.send(limiter)));
    expect(sent).not.toContain(false);
    return elapsedMs();
  };
  const run = (processes: number, each: number) =>
    Promise.all(Array.from({ length: processes }, () => work(each)));
  return { time, api, lines, start, work, run, elapsedMs };
}

const TOO_HIGH =
  "The API goes on refusing requests within clouddb:rateLimit (CLOUDDB_RATE_LIMIT), 20 per 1 s. Lower it to the API's limit for one key, unless other programs use the same key. [CDB3008]";
const FAILED =
  "Cannot share the rate limit through clouddb:rateLimitUrl (CLOUDDB_RATE_LIMIT_URL): Redis is gone. This process throttles only its own requests until Redis can be used. [CDB3009]";
/** The number of processes that have logged a line; none may log it twice. */
function countOf(lines: readonly string[], line: string): number {
  const own = lines.filter((other) => other.endsWith(`: ${line}`));
  expect(new Set(own).size).toBe(own.length);
  return own.length;
}

describe("processes that share a limit", () => {
  test.each([
    [1, 40],
    [2, 20],
    [12, 10],
    [100, 3],
  ])(
    "%i processes of %i requests each take at most 10 % more than the shortest time",
    async (processes, each) => {
      const { api, run, elapsedMs } = newFleet();
      await run(processes, each);
      expect(elapsedMs()).toBeLessThanOrEqual(1.1 * api.idealMs(processes * each));
      expect(api.refused).toEqual([]);
    },
  );

  test("a high limit permits 100 concurrent requests", async () => {
    const limit = { requests: 100, windowMs: 10_000 };
    const { time, start } = newFleet({ ...limit, limit });
    const limiter = start();
    let permits = 0;
    for (let count = 0; count < 110; count += 1)
      void limiter.acquire(PATIENT).then(() => (permits += 1));
    await time.sleep(5000);
    expect(permits).toBe(100);
  });

  test.each([100, 300])(
    "a burst over slow new connections stays within a limit of %i",
    async (requests) => {
      const limit = { requests, windowMs: 1000 };
      const { api, start, work, time } = newFleet({ ...limit, connectMs: 400, limit });
      const limiter = start();
      for (let count = 0; count < 15; count += 1) await api.send(limiter);
      await time.sleep(950 - (time.now() % 1000));
      await work(2 * requests, limiter);
      expect(api.refused).toEqual([]);
    },
  );

  test("a process with few requests does not wait for one with many", async () => {
    const { work } = newFleet();
    const many = work(100);
    expect(await work(5)).toBeLessThan(3000);
    await many;
  });

  test.each([
    ["names the wait", "in seconds"],
    ["names no wait", "nothing"],
  ] as const)(
    "a configured limit above the API's is reported once, and all requests pass, if a refusal %s",
    async (_, tells) => {
      const { api, run, elapsedMs, lines } = newFleet({ limit: { ...LIMIT, requests: 20 }, tells });
      await run(12, 10);
      expect(elapsedMs()).toBeLessThanOrEqual(1.15 * api.idealMs(120));
      expect(api.refused.length).toBeLessThanOrEqual(120);
      expect(countOf(lines, TOO_HIGH)).toBeGreaterThan(6);
    },
  );

  test("a refusal stops all processes until its wait is over, even after a response to another process", async () => {
    const { start, time } = newFleet();
    const [refused, answered] = [await start().acquire(PATIENT), await start().acquire(PATIENT)];
    answered?.release();
    refused?.reportRefusal(30_000);
    await time.sleep(100);
    const permit = await start().acquire(PATIENT);
    expect(permit?.waitedMs).toBeGreaterThan(29_000);
    expect(permit?.waitedMs).toBeLessThan(31_500);
  });

  test.each([
    ["ERR wrong number of arguments for 'expire' command", 0, 1.15],
    ["NOPERM this user has no permissions to run the 'expire' command", 12, 1.5],
  ])(
    "a server that refuses to compare times with %j is reported by %i processes",
    async (error, count, factor) => {
      const { run, lines, api, elapsedMs } = newFleet();
      server.expireError = error;
      await run(12, 10);
      expect(elapsedMs()).toBeLessThanOrEqual(factor * api.idealMs(120));
      expect(lines.filter((line) => line.includes("Cannot share"))).toHaveLength(count);
    },
  );

  test("a refusal with a wait of a day stops all processes for ten minutes", async () => {
    const { start, time } = newFleet();
    const other = start();
    (await start().acquire(PATIENT))?.reportRefusal(86_400_000);
    await time.sleep(100);
    expect(await other.acquire({ ...PATIENT, maxWaitMs: 60_000 })).toBeUndefined();
    expect((await other.acquire(PATIENT))?.waitedMs).toBeLessThan(602_000);
  });

  test.each([
    ["for 3 s", 3000, 1.15],
    ["for 10 s", 10_000, 1.15],
    ["for good", Number.POSITIVE_INFINITY, 1.3],
  ])(
    "each process reports once that Redis fails %s, and uses a part of the limit",
    async (_, outageMs, factor) => {
      const { api, run, elapsedMs, lines, time } = newFleet();
      const all = run(12, 30);
      await time.sleep(5000);
      server.failure = "Redis is gone";
      if (outageMs < Number.POSITIVE_INFINITY) {
        await time.sleep(outageMs);
        server.failure = "";
        // Another failure, which is short.
        await time.sleep(2000);
        server.failure = "Redis is gone";
        await time.sleep(100);
        server.failure = "";
      }
      await all;
      expect(countOf(lines, FAILED)).toBe(12);
      expect(elapsedMs()).toBeLessThanOrEqual(factor * api.idealMs(360));
    },
  );

  const IMPOSSIBLE =
    "Cannot share the rate limit through clouddb:rateLimitUrl (CLOUDDB_RATE_LIMIT_URL): it holds a counter, or an end of one, that no process has stored. This process throttles only its own requests until Redis can be used. [CDB3009]";
  const YEAR_MS = 365 * 86_400_000;
  test.each<[string, unknown[]]>([
    ["a window that is too long", [5, LIMIT.windowMs + 1]],
    ["a pause of a year", [11, YEAR_MS]],
    ["a full counter without an end", [11, -1]],
    ["a counter without an end", [5, -1]],
    ["an end that is a text", [5, "soon"]],
    ["an end that is a number in a text", [11, "500"]],
    ["no end", [11, null]],
    ["a counter that is a text", ["many", 500]],
    ["a negative counter", [-1000, 500]],
  ])(
    "a Redis response with %s counts as a failure, which is reported once",
    async (_, response) => {
      const { api, lines, work } = newFleet();
      const consume = jest.spyOn(fakeRedis, "rlflxIncr").mockResolvedValue(response as number[]);
      // A quarter of the limit.
      expect(await work(20)).toBeLessThan(20_000);
      expect(lines.filter((line) => line.includes("Cannot share"))).toEqual([`1: ${IMPOSSIBLE}`]);
      expect(api.refused).toEqual([]);
      expect(consume.mock.calls.length).toBeLessThan(40);
    },
  );

  test("a failure of writes alone to Redis is reported once", async () => {
    const { lines, work } = newFleet();
    jest.spyOn(fakeRedis, "rlflxIncr").mockRejectedValue(new Error("Redis is gone"));
    await work(10);
    expect(countOf(lines, FAILED)).toBe(1);
  });
});

test("the key in Redis follows from the address and the API key, and shows neither", () => {
  const key = windowKey(ADDRESS, "a-key-id");
  expect(key).toMatch(/^clouddb:window:[\da-f]{32}$/);
  expect(windowKey(ADDRESS, "another")).not.toBe(key);
  expect(windowKey("https://other.example.com", "a-key-id")).not.toBe(key);
  expect(windowKey(ADDRESS, undefined)).toBe(windowKey(ADDRESS, ""));
});
