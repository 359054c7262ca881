import { type VirtualTime, virtualTime } from "../../tests/support/virtual-time";
import { CodedError, coded, type Message, render } from "../errors";
import { createRateLimiter, type PermitOptions, type RateLimiter, type Sharing } from "./rate-limiter";
import { newState, respond } from "./shared-limit";

/* Many processes that share one rate limit, in virtual time. */

const PATIENT: PermitOptions = { since: 0, maxWaitMs: 600_000, isUrgent: false };
const LIMIT = { requests: 10, windowMs: 1000 };

interface ApiOptions {
  readonly requests?: number;
  readonly windowMs?: number;
  /** True if a refusal says, in whole seconds, when the limit resets. */
  readonly tells?: boolean;
  readonly latencyMs?: () => number;
}

/** A server with a sliding window, and the requests that it has seen. */
function createApi(time: VirtualTime, options: ApiOptions = {}) {
  const { requests = LIMIT.requests, windowMs = LIMIT.windowMs, tells = true, latencyMs = () => 20 } = options;
  const passed: { at: number; by: string }[] = [];
  const refused: { at: number; by: string }[] = [];
  return {
    passed,
    refused,
    /** Sends a request until it passes; false where the limiter gave up. */
    async send(limiter: RateLimiter, by: string, options = PATIENT): Promise<boolean> {
      for (;;) {
        const permit = await limiter.acquire(options);
        if (permit === undefined) return false;
        const latency = latencyMs();
        await time.sleep(latency / 2);
        const recent = passed.filter(({ at }) => at > time.now() - windowMs);
        const isRefused = recent.length >= requests;
        (isRefused ? refused : passed).push({ at: time.now(), by });
        const resetMs = (recent[0]?.at ?? 0) + windowMs - time.now();
        await time.sleep(latency / 2);
        if (!isRefused) {
          permit.release();
          return true;
        }
        permit.reportRefusal(tells ? Math.ceil(resetMs / 1000) * 1000 : undefined);
      }
    },
  };
}

/** The shared state, behind a connection that takes a few milliseconds. */
function createServer(time: VirtualTime) {
  let state = newState();
  const server = {
    state: () => state,
    clockMs: () => time.now(),
    /** Set to make every exchange fail. */
    failure: undefined as string | undefined,
    forget: () => {
      state = newState();
    },
    sharing: (process: string): Sharing => ({
      process,
      async exchange(message) {
        await time.sleep(1);
        if (server.failure !== undefined) throw new CodedError(coded("CDB3009", server.failure));
        const answer = respond(state, message, server.clockMs());
        await time.sleep(1);
        return answer;
      },
    }),
  };
  return server;
}

/** Numbers between 0 and 1, equal in each test. */
function createRandom(): () => number {
  let seed = 1;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

function createFleet(options: ApiOptions = {}) {
  const time = virtualTime();
  const random = createRandom();
  const [api, server] = [createApi(time, options), createServer(time)];
  const lines: string[] = [];
  const start = (name: string) => {
    const log = (line: Message) => lines.push(`${name}: ${render(line)}`);
    return createRateLimiter({ clock: time, random, log }, server.sharing(name));
  };
  /** Sends so many requests of each process, all at once; returns when each process was done. */
  const run = (processes: number, count: number): Promise<number[]> =>
    Promise.all(
      Array.from({ length: processes }, async (_, number) => {
        const limiter = start(`p${number}`);
        const sent = await Promise.all(Array.from({ length: count }, () => api.send(limiter, `p${number}`)));
        expect(sent).not.toContain(false);
        return time.now();
      }),
    );
  return { time, api, server, lines, start, run };
}

const idealMs = (requests: number) => (Math.ceil(requests / LIMIT.requests) - 1) * LIMIT.windowMs;

describe("processes that share a rate limit", () => {
  test.each([
    [1, 40],
    [2, 10],
    [8, 10],
    [40, 10],
    [500, 3],
  ])(
    "%i processes of %i requests finish in little more than the shortest time, one after the other",
    async (processes, each) => {
      const { api, run } = createFleet();
      const ends = await run(processes, each);
      const total = processes * each;
      expect(api.passed).toHaveLength(total);
      expect(Math.max(...ends)).toBeLessThanOrEqual(1.15 * idealMs(total) + 100);
      expect(api.refused.length).toBeLessThanOrEqual(Math.max(1, 0.01 * total));
      // Everybody has had a first turn before anybody has a third.
      const firsts = new Map<string, number>();
      const thirds: number[] = [];
      const counts = new Map<string, number>();
      api.passed.forEach(({ by }, index) => {
        const count = (counts.get(by) ?? 0) + 1;
        counts.set(by, count);
        if (count === 1) firsts.set(by, index);
        if (count === 3) thirds.push(index);
      });
      // The first processes took the permits that were free at the start.
      const late = thirds.filter((index) => index >= 2 * LIMIT.requests);
      if (processes > 2 * LIMIT.requests) expect(Math.max(...firsts.values())).toBeLessThan(Math.min(...late));
    },
  );

  test.each([
    ["a refusal names the wait", true],
    ["a refusal names no wait", false],
  ])("keep to the published limit when %s", async (_, tells) => {
    const { api, run, time } = createFleet({ windowMs: 10_000, tells });
    await run(20, 5);
    expect(time.now()).toBeLessThanOrEqual(1.15 * 90_000);
    expect(api.refused.length).toBeLessThanOrEqual(2);
  });

  test("are refused no more when responses take different times", async () => {
    const random = createRandom();
    const latencyMs = () => 10 + Math.floor(200 * random());
    const { api, run, time } = createFleet({ latencyMs });
    await run(20, 10);
    expect(api.refused.length).toBeLessThanOrEqual(2);
    expect(time.now()).toBeLessThanOrEqual(1.4 * idealMs(200));
  });

  test("are not slowed down by a server without a limit", async () => {
    const { time, run } = createFleet({ requests: Number.POSITIVE_INFINITY });
    await run(20, 100);
    // Ten at once in each process.
    expect(time.now()).toBeLessThan(3 * (100 / 10) * 20 + 1000);
  });

  test("a process that starts later knows the limit", async () => {
    const { api, run, start, time } = createFleet();
    await run(4, 10);
    const refused = api.refused.length;
    await time.sleep(60_000);
    const late = start("late");
    await Promise.all(Array.from({ length: 30 }, () => api.send(late, "late")));
    expect(api.refused).toHaveLength(refused);
  });

  test("the limit is learned anew an hour after the last refusal", async () => {
    const { run, server, start, api, time } = createFleet();
    await run(4, 10);
    expect(server.state().limit).toBeDefined();
    await time.sleep(3_600_000);
    await api.send(start("late"), "late");
    expect(server.state().limit).toBeUndefined();
  });

  test("a refusal of one stops all", async () => {
    const { time, start } = createFleet();
    const [one, other] = [start("one"), start("other")];
    (await one.acquire(PATIENT))?.reportRefusal(30_000);
    await time.sleep(10);
    const before = time.now();
    const permit = await other.acquire(PATIENT);
    expect(time.now() - before).toBeGreaterThanOrEqual(29_900);
    expect(permit?.waitedMs).toBeGreaterThanOrEqual(29_900);
  });

  test("urgent requests go before those of all processes", async () => {
    const { time, api, start } = createFleet();
    const processes = Array.from({ length: 40 }, (_, number) => start(`p${number}`));
    const all = processes.map((limiter) => Promise.all(Array.from({ length: 5 }, () => api.send(limiter, "patient"))));
    await time.sleep(2500);
    const before = api.passed.length;
    await api.send(processes[39] as RateLimiter, "urgent", { ...PATIENT, isUrgent: true });
    // It takes one of the next permits, though each process waits for several.
    expect(api.passed.length - before).toBeLessThanOrEqual(LIMIT.requests + 1);
    expect(before).toBeLessThan(100);
    await Promise.all(all);
  });

  test("a wait that is too long is not begun, also where another process was refused", async () => {
    const { time, start } = createFleet();
    const [one, other] = [start("one"), start("other")];
    const permits = [await one.acquire(PATIENT), await one.acquire(PATIENT)];
    permits[0]?.reportRefusal(30_000);
    await time.sleep(10);
    const hurried = other.acquire({ ...PATIENT, maxWaitMs: 60_000, isUrgent: true });
    permits[1]?.reportRefusal(90_000);
    expect(await hurried).toBeUndefined();
    expect(time.now()).toBeLessThan(10_000);
  });

  test("a process that dies while it waits or sends holds up nobody for long", async () => {
    const { time, api, server, start, run } = createFleet();
    await run(2, 10);
    const dying = Array.from({ length: 20 }, (_, number) => server.sharing(`dead ${number}`));
    for (const { process, exchange } of dying)
      await exchange({ process, ended: [], ask: { isUrgent: true, wanted: 10 } });
    const before = time.now();
    const limiter = start("alive");
    await Promise.all(Array.from({ length: 20 }, () => api.send(limiter, "alive")));
    expect(time.now() - before).toBeLessThan(15_000);
    expect(server.state().waiting).toEqual([]);
  });

  test.each([
    ["forward", 3_600_000],
    ["back", -3_600_000],
  ])("the clock may be set %s", async (_, byMs) => {
    const { time, server, run, api } = createFleet({ windowMs: 10_000 });
    const all = run(20, 10);
    await time.sleep(50_000);
    server.clockMs = () => time.now() + byMs;
    await all;
    expect(time.now()).toBeLessThanOrEqual(1.3 * 190_000);
    expect(api.refused.length).toBeLessThanOrEqual(25);
  });

  test("a state that is lost is learned anew", async () => {
    const { time, server, run, api } = createFleet({ windowMs: 10_000 });
    const all = run(20, 10);
    await time.sleep(50_000);
    server.forget();
    await all;
    expect(api.passed).toHaveLength(200);
    expect(time.now()).toBeLessThanOrEqual(1.3 * 190_000);
    expect(api.refused.length).toBeLessThanOrEqual(15);
  });

  test("say how many wait, and that all pause, once each", async () => {
    const { lines, run } = createFleet({ windowMs: 10_000 });
    await run(2, 40);
    for (const name of ["p0", "p1"]) {
      const own = lines.filter((line) => line.startsWith(name));
      expect(own[0]).toMatch(/: The API's rate limit was reached; all requests are paused for 1?\d s\. \[CDB3008\]$/);
      expect(own[1]).toMatch(
        /: Throttling to about 10 requests per 10 s, shared with another process; \d+ requests queued\. \[CDB3008\]$/,
      );
      expect(own.length).toBeLessThan(6);
    }
  });
});

describe("one wrong wait", () => {
  const DAY_MS = 86_400_000;

  /** An API that refuses the first requests and asks to wait for a day, and processes that send four each. */
  function createWrongApi(refusals: number) {
    const { time, start, server, lines } = createFleet();
    const sent: number[] = [];
    let failures = 0;
    const send = async (limiter: RateLimiter) => {
      for (;;) {
        const permit = await limiter.acquire(PATIENT);
        if (permit === undefined) {
          failures += 1;
          return;
        }
        sent.push(time.now());
        const isRefused = sent.length <= refusals;
        await time.sleep(200);
        if (!isRefused) return permit.release();
        permit.reportRefusal(DAY_MS);
      }
    };
    const run = async (...names: string[]) => {
      await Promise.all(names.flatMap((name) => Array(4).fill(start(name))).map(send));
      return failures;
    };
    return { run, sent, time, server, lines };
  }

  test("closes a key for ten minutes; then one process asks, and all go on", async () => {
    const { run, sent, lines } = createWrongApi(1);
    expect(await run("a", "b", "c")).toBe(0);
    const [probe = 0, ...rest] = sent.filter((at) => at > 1000);
    expect(probe).toBeGreaterThanOrEqual(600_000);
    expect(probe).toBeLessThan(606_000);
    expect(Math.min(...rest)).toBeGreaterThanOrEqual(probe + 200);
    expect(Math.max(...rest)).toBeLessThan(probe + 12_000);
    expect(lines[0]).toMatch(/all requests are paused for 600 s\. \[CDB3008\]$/);
  });

  test("does not close it for longer, however many messages are sent meanwhile", async () => {
    const { run, sent, time, server } = createWrongApi(1);
    const all = run("a", "b");
    const other = server.sharing("other");
    while (time.now() < 590_000) {
      await other.exchange({ process: "other", ended: [] });
      await time.sleep(1000);
    }
    expect(await all).toBe(0);
    expect(Math.max(...sent)).toBeLessThan(620_000);
  });

  test("that is repeated fails all requests, and later processes ask once", async () => {
    const { run, sent, time, lines } = createWrongApi(Number.POSITIVE_INFINITY);
    expect(await run("a", "b", "c")).toBe(12);
    // All that was under way at first, and one after ten minutes.
    expect(sent.filter((at) => at > 1000)).toHaveLength(1);
    expect(time.now()).toBeLessThan(620_000);
    await time.sleep(60_000);
    const before = sent.length;
    expect(await run("early")).toBe(16);
    expect(sent).toHaveLength(before);
    await time.sleep(600_000);
    expect(await run("late")).toBe(20);
    expect(sent).toHaveLength(before + 1);
    expect(lines.length).toBeLessThan(20);
  });

  test("of a process that dies while it asks is asked again by another", async () => {
    const { run, sent, time, server } = createWrongApi(1);
    const all = run("a", "b");
    await time.sleep(599_000);
    const { exchange } = server.sharing("dying");
    const ask = { process: "dying", ended: [], ask: { isUrgent: true, wanted: 1 } };
    while ((await exchange(ask)).granted === 0) await time.sleep(500);
    expect(await all).toBe(0);
    expect(Math.max(...sent)).toBeLessThan(640_000);
  });

  test("that asks for next to nothing is not repeated without a pause", async () => {
    const { start, time } = createFleet();
    let sent = 0;
    const send = async (limiter: RateLimiter) => {
      while (time.now() < 600_000) {
        const permit = await limiter.acquire(PATIENT);
        sent += 1;
        await time.sleep(5);
        permit?.reportRefusal(1);
      }
    };
    await Promise.all(["a", "b", "c"].map((name) => send(start(name))));
    expect(sent).toBeLessThan(150);
  });
});

describe("while sharing fails", () => {
  test("each process paces itself, says so once, and loses nothing", async () => {
    const { api, server, lines, run, time } = createFleet();
    const all = run(4, 30);
    await time.sleep(3000);
    server.failure = "Redis is gone.";
    await all;
    expect(api.passed).toHaveLength(120);
    expect(lines.filter((line) => line.endsWith(": Redis is gone. [CDB3009]"))).toHaveLength(4);
    expect(time.now()).toBeLessThan(3 * idealMs(120));
  });

  test.each([
    ["stops for 3 s", 3000, false, 5, 1.15],
    ["is restarted", 3000, true, 5, 1.15],
    ["fails for good", Number.POSITIVE_INFINITY, false, 30, 1.7],
  ])(
    "processes keep to what they have learned together when the server %s, and return",
    async (_, outageMs, forgets, refused, factor) => {
      const { api, server, run, time } = createFleet({ windowMs: 10_000 });
      const all = run(20, 10);
      await time.sleep(50_000);
      const before = api.refused.length;
      server.failure = "Redis is gone.";
      if (outageMs < Number.POSITIVE_INFINITY) {
        await time.sleep(outageMs);
        if (forgets) server.forget();
        server.failure = undefined;
        await time.sleep(3000);
        expect(server.state().waiting).toHaveLength(20);
      }
      await all;
      expect(api.refused.length - before).toBeLessThanOrEqual(refused);
      expect(time.now()).toBeLessThanOrEqual(factor * 190_000);
    },
  );

  test.each([
    ["has been told", 100],
    ["has not been told", 0],
  ])("a pause that the server %s of is kept", async (_, toldMs) => {
    const { api, server, start, time } = createFleet();
    const limiter = start("one");
    const permit = await limiter.acquire(PATIENT);
    if (toldMs === 0) server.failure = "Redis is gone.";
    permit?.reportRefusal(60_000);
    await time.sleep(toldMs);
    server.failure = "Redis is gone.";
    await api.send(limiter, "one");
    expect(api.passed[0]?.at).toBeGreaterThanOrEqual(60_000);
  });

  test.each([
    ["refused while the server fails", false],
    ["permitted before", true],
  ])("a pause after a request that was %s is kept, and told to the others", async (_, isBefore) => {
    const { api, server, start, time } = createFleet();
    const [limiter, other] = [start("one"), start("other")];
    const early = await limiter.acquire(PATIENT);
    if (!isBefore) early?.release();
    await time.sleep(100);
    server.failure = "Redis is gone.";
    const permit = isBefore ? early : await limiter.acquire(PATIENT);
    const next = limiter.acquire(PATIENT).then((count) => count?.release());
    await next;
    permit?.reportRefusal(60_000);
    const later = api.send(limiter, "one");
    await time.sleep(5000);
    server.failure = undefined;
    await time.sleep(5000);
    await Promise.all([later, api.send(other, "other")]);
    expect(Math.min(...api.passed.map(({ at }) => at))).toBeGreaterThanOrEqual(60_000);
  });

  test("from the start, requests go on at once", async () => {
    const { api, server, start, time } = createFleet();
    server.failure = "Redis is gone.";
    const limiter = start("alone");
    await Promise.all(Array.from({ length: 10 }, () => api.send(limiter, "alone")));
    expect(time.now()).toBeLessThan(100);
  });

  test("a process shares again when it can", async () => {
    const { api, server, start, lines, time } = createFleet();
    server.failure = "Redis is gone.";
    const limiter = start("one");
    await api.send(limiter, "one");
    server.failure = undefined;
    await time.sleep(10_000);
    // The first attempt is made aside.
    await api.send(limiter, "one");
    await time.sleep(100);
    const before = server.state().permits;
    await api.send(limiter, "one");
    expect(server.state().permits).toBe(before + 1);
    server.failure = "Redis is gone again.";
    await api.send(limiter, "one");
    expect(lines).toEqual(["one: Redis is gone. [CDB3009]"]);
  });
});
