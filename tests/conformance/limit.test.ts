import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Fleet, newFleet } from "../faults/limiter/fleet";
import { describeWithRedis, needsRedis, type RunningRedis, startRedis } from "../support/redis";
import { temporaryFolder } from "../support/temporary-folder";
import { conclude } from "./support/conclude";
import { judge, testWithGo, versionOf } from "./support/go";

/*
 * Many processes whose clocks are off by an hour share a limit, while Redis fails. They record their requests, the server
 * records their arrivals, and a program of its own judges both.
 */

const LIMIT = { requests: 60, seconds: 3 } as const;
const WINDOW_MS = LIMIT.seconds * 1000;
const NAMES = Array.from({ length: 12 }, (_, index) => String.fromCharCode(97 + index));
/** Requests of each process: for a window in which they learn the limit, and four afterwards. */
const EACH = 26;
const OUTAGE_MS = 2000;
/** See docs/guides/share-rate-limit.md. */
const RETURN_MS = 1000 + WINDOW_MS;
const UNDER_WAY_MS = Math.min(1000, WINDOW_MS / 4);

interface Situation {
  /** How often a process can lose Redis. */
  readonly failures: number;
  readonly act: (redis: RunningRedis) => Promise<unknown>;
}

const repeated = (times: number, act: (redis: RunningRedis) => Promise<unknown>) => async (redis: RunningRedis) => {
  for (let count = 0; count < times; count += 1) {
    await act(redis);
    await setTimeout(OUTAGE_MS / times);
  }
};

const SITUATIONS: Readonly<Record<string, Situation>> = {
  "scripts are flushed": { failures: 0, act: repeated(5, ({ admin }) => admin.script("FLUSH")) },
  "connections are killed": {
    failures: 5,
    act: repeated(5, ({ admin }) => admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")),
  },
  "Redis is stopped": {
    failures: 1,
    async act({ signal }) {
      signal("SIGSTOP");
      await setTimeout(OUTAGE_MS);
      signal("SIGCONT");
    },
  },
  "Redis is restarted": {
    failures: 1,
    async act(redis) {
      await redis.close();
      await setTimeout(OUTAGE_MS);
      await startRedis({ port: redis.port });
    },
  },
  "its memory is full": {
    failures: 1,
    async act({ admin }) {
      await admin.config("SET", "maxmemory", "1");
      await setTimeout(OUTAGE_MS);
      await admin.config("SET", "maxmemory", "0");
    },
  },
};

describeWithRedis(`many processes that share a rate limit${needsRedis}`, () => {
  testWithGo("never exceed it while Redis responds, and hardly while it does not", async () => {
    const histories = [];
    for (const [name, situation] of Object.entries(SITUATIONS)) histories.push(await record(name, situation));
    const file = join(temporaryFolder("limit"), "histories");
    writeFileSync(file, JSON.stringify(histories));
    const { failures } = await judge("limit", { ...process.env, HISTORIES: file });
    const requests = histories.reduce((sum, { calls }) => sum + calls.length, 0);
    const version = versionOf("github.com/anishathalye/porcupine");
    conclude({ source: "Porcupine, as the judge of requests", version }, requests, failures);
  });
});

/** The requests of many processes by the server's clock, and the time in which Redis failed. */
async function record(name: string, { failures, act }: Situation) {
  const redis = await startRedis();
  const fleet = await newFleet({ ...LIMIT, tells: "retryAfterDecimal" });
  const folder = temporaryFolder("records");
  const environment = {
    CLOUDDB_RATE_LIMIT_URL: redis.url,
    NODE_OPTIONS: `--require ${join(__dirname, "support/recorder.cjs")}`,
    READS: "1",
    RECORDS: folder,
  };
  const outage = { from: 0, until: 0, failures };
  const action = async () => {
    await learned(fleet);
    outage.from = Date.now();
    await act(redis);
    outage.until = Date.now() + (failures > 0 ? RETURN_MS : 0);
  };
  // Shared by all processes of this machine; a process's own clock is off.
  const offsetMs = Date.now() - Number(process.hrtime.bigint()) / 1e6;
  const result = await fleet.run({ names: NAMES, each: EACH, environment, at: { requests: 1, action } });
  expect(result.failures).toEqual([]);
  const arrivals = await arrivalsOf(fleet);
  const calls = NAMES.flatMap((process) => {
    const recorded: { path: string; start: number; end: number }[] = JSON.parse(
      readFileSync(join(folder, process), "utf8"),
    );
    // A path is requested again only after a refusal.
    return recorded.map(({ path, start, end }) => ({
      start: start + offsetMs,
      end: end + offsetMs,
      ...arrivals.get(path)?.shift(),
    }));
  });
  expect([...arrivals.values()].flat()).toEqual([]);
  const limit = { requests: LIMIT.requests, windowMs: WINDOW_MS };
  return { name, processes: NAMES.length, limit, underWayMs: UNDER_WAY_MS, outage, calls };
}

/** Waits for the first refusal, and until the window after it is over. */
async function learned(fleet: Fleet): Promise<void> {
  while ((await fleet.refused()) === 0) await setTimeout(20);
  await setTimeout(WINDOW_MS);
}

/** When the requests of each path arrived, and the status of their responses. */
async function arrivalsOf({ journal }: Fleet) {
  const arrivals = new Map<string, { arrival: number; status: number }[]>();
  for (const { path, at, milliseconds, status } of await journal()) {
    const arrival = { arrival: Date.parse(at) - milliseconds, status };
    arrivals.set(path, [...(arrivals.get(path) ?? []), arrival]);
  }
  return arrivals;
}
