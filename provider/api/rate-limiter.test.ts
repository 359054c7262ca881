import { limitedApi, PATIENT, virtualTime } from "../../tests/support/virtual-time";
import { render } from "../errors";
import { learnedQuota } from "./learned-limit";
import { createRateLimiter, type Limit } from "./rate-limiter";

interface Scenario {
  /** The limit of the API. */
  readonly limit: readonly [requests: number, windowMs: number];
  /** The API tells how long to wait. Default: true. */
  readonly tells?: boolean;
  /** The limit that is set. */
  readonly set?: Limit;
  readonly processes?: number;
  /** The requests of each process. */
  readonly requests: number;
  /** The time that all may take, as a multiple of the ideal. */
  readonly atMost: number;
  readonly refusals?: number;
}

/** A process with a rate limiter, and an API with a limit, in virtual time. */
function start({ limit = [10, 10_000], tells = true, set }: Partial<Scenario> = {}) {
  const time = virtualTime();
  const [requests, windowMs] = limit;
  const api = limitedApi(time, { requests, windowMs, tells: tells ? "exactly" : "nothing" });
  const said: string[] = [];
  const another = () => {
    const limiter = createRateLimiter(
      time,
      (line) => said.push(render(line)),
      learnedQuota(time, set),
    );
    const send = (count: number) =>
      Promise.all(Array.from({ length: count }, () => api.send(limiter)));
    return { limiter, send };
  };
  return { time, api, said, another, ...another() };
}

test.each<[string, Scenario]>([
  [
    "alone, told how long to wait",
    { limit: [10, 10_000], requests: 120, atMost: 1.2, refusals: 10 },
  ],
  [
    "alone, not told",
    { limit: [10, 10_000], tells: false, requests: 120, atMost: 1.2, refusals: 10 },
  ],
  ["with a short window", { limit: [6, 1000], requests: 72, atMost: 1.2, refusals: 10 }],
  [
    "with a limit of many requests",
    { limit: [400, 60_000], requests: 1000, atMost: 1.1, refusals: 10 },
  ],
  ...[
    { limit: [10, 1000], requests: 120 } as const,
    { limit: [3, 10_000], requests: 36 } as const,
  ].map(({ limit: [requests, windowMs], requests: count }): [string, Scenario] => [
    `with a limit of ${requests} that is set`,
    {
      limit: [requests, windowMs],
      set: { requests, windowMs },
      requests: count,
      atMost: 1.1,
      refusals: 0,
    },
  ]),
  [
    "with a limit that is set too high",
    {
      limit: [10, 1000],
      set: { requests: 20, windowMs: 1000 },
      requests: 300,
      atMost: 1.5,
      refusals: 30,
    },
  ],
  ["three processes", { limit: [10, 10_000], processes: 3, requests: 100, atMost: 2.5 }],
  [
    "three processes, limit not announced",
    { limit: [10, 10_000], tells: false, processes: 3, requests: 100, atMost: 2.5 },
  ],
  [
    "four processes with few requests",
    { limit: [10, 10_000], tells: false, processes: 4, requests: 60, atMost: 2.5 },
  ],
  ["four processes", { limit: [10, 10_000], processes: 4, requests: 250, atMost: 2.5 }],
  [
    "four processes, limit not announced",
    { limit: [10, 10_000], tells: false, processes: 4, requests: 250, atMost: 2.5 },
  ],
  ["twelve processes", { limit: [10, 10_000], processes: 12, requests: 20, atMost: 2.5 }],
])("requests stay within the limit and take no longer than necessary: %s", async (_, scenario) => {
  const { processes = 1, requests, atMost, refusals = Number.POSITIVE_INFINITY } = scenario;
  const { time, api, another } = start(scenario);
  await Promise.all(Array.from({ length: processes }, () => another().send(requests)));
  expect(api.refused.length).toBeLessThanOrEqual(refusals);
  expect(time.now()).toBeLessThan(atMost * api.idealMs(processes * requests));
});

describe("the rate limiter of a process", () => {
  test("the limiter permits ten concurrent requests, and another one as soon as one ends", async () => {
    const { api, send } = start({ limit: [1000, 1000] });
    await send(25);
    expect(api.passed).toEqual([...Array(10).fill(0), ...Array(10).fill(20), ...Array(5).fill(40)]);
  });

  test("the limiter probes ever more rarely for an end of a limit far below the published one", async () => {
    const { time, api, send } = start({ limit: [8, 30_000] });
    await send(10 * 8);
    const first = api.refused.length;
    await send(30 * 8);
    expect(first).toBeLessThanOrEqual(10 + 5);
    expect(api.refused.length - first).toBeLessThanOrEqual(3);
    expect(time.now()).toBeLessThan(1.2 * 40 * 30_000);
  });

  test("the limiter slows down after another refusal, and speeds up once other clients stop", async () => {
    const { time, send, another } = start();
    const other = another();
    await Promise.all([send(60), other.send(60)]);
    expect(time.now()).toBeLessThan(3 * 120_000);
    const before = time.now();
    await other.send(60);
    // A process always uses at least half of the published limit.
    expect(time.now() - before).toBeLessThan(60_000 * 2.5);
  });

  test.each([
    ["at once", [10]],
    ["evenly", Array(10).fill(1)],
  ])(
    "requests that an earlier process sent %s are not mistaken for a lower limit",
    async (_, before) => {
      const { time, api, send, another } = start();
      for (const count of before) {
        await another().send(count);
        await time.sleep(1000);
      }
      const startedAt = time.now();
      await send(40);
      expect(time.now() - startedAt).toBeLessThan(1.2 * 40_000);
      expect(api.refused.length).toBeLessThanOrEqual(20);
    },
  );

  test("requests to a server with a token bucket finish in time", async () => {
    const { time, limiter } = start();
    let tokens = 10;
    let filledAt = 0;
    let refusals = 0;
    const send = async () => {
      for (;;) {
        const permit = await limiter.acquire(PATIENT);
        tokens = Math.min(10, tokens + (time.now() - filledAt) / 1000);
        filledAt = time.now();
        if (tokens >= 1) {
          tokens -= 1;
          return permit?.release();
        }
        refusals += 1;
        await time.sleep(20);
        permit?.reportRefusal((1 - tokens) * 1000);
      }
    };
    await Promise.all(Array.from({ length: 60 }, send));
    expect(time.now()).toBeLessThan(50_000 * 3);
    expect(refusals).toBeLessThan(30);
  });

  test("a pause and the new rate are reported once each", async () => {
    const { said, send } = start({ tells: false });
    await send(55);
    expect(said).toEqual([
      "The API's rate limit was reached; all requests are paused for 10 s. [CDB3008]",
      "Throttling to about 10 requests per 10 s; 15 requests queued. [CDB3008]",
    ]);
  });

  test("a short wait is not reported", async () => {
    const { said, send } = start({ limit: [5, 1000] });
    await send(10);
    expect(said).toEqual([]);
  });

  test.each([
    ["urgent requests first", { a: [1, false], b: [2, true], c: [3, false], d: [4, true] }, "bdac"],
    [
      "a refused request before later ones",
      { later: [3, false], last: [4, false], refused: [1, false] },
      "refusedlaterlast",
    ],
  ])("the limiter permits %s", async (_, requests, expected) => {
    const { limiter } = start();
    (await limiter.acquire({ ...PATIENT, since: 1 }))?.reportRefusal(5000);
    const order: string[] = [];
    const permits = Object.entries(requests).map(async ([name, [since, isUrgent]]) => {
      const permit = await limiter.acquire({
        ...PATIENT,
        since: Number(since),
        isUrgent: Boolean(isUrgent),
      });
      order.push(name);
      permit?.release();
    });
    await Promise.all(permits);
    expect(order.join("")).toBe(expected);
  });

  test("a request fails at once if its wait would be too long, even in the queue", async () => {
    const { time, limiter } = start();
    const [first, second] = [await limiter.acquire(PATIENT), await limiter.acquire(PATIENT)];
    first?.reportRefusal(30_000);
    const hurried = limiter.acquire({ ...PATIENT, maxWaitMs: 60_000, isUrgent: true });
    const patient = limiter.acquire(PATIENT);
    second?.reportRefusal(90_000);
    expect(await hurried).toBeUndefined();
    expect(time.now()).toBe(0);
    expect(await patient).toMatchObject({ waitedMs: 90_000 });
  });

  test("a canceled request leaves the queue at once", async () => {
    const { time, limiter } = start();
    (await limiter.acquire(PATIENT))?.reportRefusal(30_000);
    const ending = new AbortController();
    const [first, canceled] = [
      limiter.acquire(PATIENT),
      limiter.acquire({ ...PATIENT, cancellation: ending.signal }),
    ];
    await time.sleep(1000);
    ending.abort();
    expect(await canceled).toBeUndefined();
    expect(time.now()).toBe(1000);
    expect(await first).toMatchObject({ waitedMs: 30_000 });
  });

  describe("a refusal for a day", () => {
    const DAY_MS = 86_400_000;
    const afterTenMinutes = async () => {
      const { time, limiter } = start();
      (await limiter.acquire(PATIENT))?.reportRefusal(DAY_MS);
      expect(await limiter.acquire(PATIENT)).toBeUndefined();
      await time.sleep(600_000);
      return { time, limiter };
    };

    test("requests fail for ten minutes after a refusal for a day, and then one request probes", async () => {
      const { time, limiter } = await afterTenMinutes();
      const probe = await limiter.acquire(PATIENT);
      const others = [limiter.acquire(PATIENT), limiter.acquire(PATIENT)];
      await time.sleep(300);
      probe?.release();
      const waits = (await Promise.all(others)).map((permit) => permit?.waitedMs);
      expect(Math.min(...waits.map(Number))).toBeGreaterThanOrEqual(1000);
      expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(3500);
    });

    test("a second refusal for a day fails the queued requests, and pauses for ten more minutes", async () => {
      const { time, limiter } = await afterTenMinutes();
      const probe = await limiter.acquire(PATIENT);
      const other = limiter.acquire(PATIENT);
      await time.sleep(300);
      probe?.reportRefusal(DAY_MS);
      expect(await other).toBeUndefined();
      expect(await limiter.acquire(PATIENT)).toBeUndefined();
    });

    test("a permit released without a request does not use up the probe after a refusal for a day", async () => {
      const { limiter } = await afterTenMinutes();
      (await limiter.acquire(PATIENT))?.release(false);
      expect(await limiter.acquire(PATIENT)).toBeDefined();
    });
  });

  test("a refusal with almost no wait still causes a pause", async () => {
    const { time, limiter } = start();
    let sent = 0;
    while (time.now() < 600_000) {
      const permit = await limiter.acquire(PATIENT);
      sent += 1;
      await time.sleep(5);
      permit?.reportRefusal(1);
    }
    expect(sent).toBeLessThan(80);
  });
});
