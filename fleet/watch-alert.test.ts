import { openAlert } from "../provider/alerts";
import { render } from "../provider/errors";
import { type FaultRule, type RunningSimulator, startSimulator } from "../simulator/index";
import { createTestApi, environmentOf, type TestApi } from "../tests/support/api";
import { virtualTime } from "../tests/support/virtual-time";
import { rollOutCommand } from "./cli";
import { durationMs, watchAlert } from "./watch-alert";

/** One stack, `c`, whose update succeeds without changes. */
jest.mock("./stacks", () => ({
  reasonOf: String,
  openProject: async () => ({ project: "shop" }),
  findStacks: async () => ({ names: ["c"], canary: "c", organization: "" }),
  runStack: async () => ({ outcome: "succeeded", analysis: { counts: {} }, reasons: [] }),
}));
jest.mock("pulumi-clouddb/alerts", () => ({
  openAlert: () => async () => ({ state: "OK", interval: undefined }),
}));

const ALERT = { id: "alert-errors", name: "Errors", interval: "5m", state: "OK" };
const WATCHED = { id: ALERT.id, good: "OK", forMs: 600_000 };
const GOOD: FaultRule["effect"] = { kind: "latency", milliseconds: 0 };
const BAD: FaultRule["effect"] = {
  kind: "status",
  status: 200,
  body: { data: { ...ALERT, state: "ALERT" } },
};
const DOWN: FaultRule["effect"] = { kind: "status", status: 503 };

let simulator: RunningSimulator;
let api: TestApi;
beforeAll(async () => {
  simulator = await startSimulator({ seed: { alerts: [ALERT] } });
  api = createTestApi(simulator);
});
beforeEach(() => api.reset());
afterAll(() => simulator.close());

/** The faults of consecutive reads. */
const answering = (...effects: FaultRule["effect"][]) =>
  api.faults(...effects.map((effect) => ({ method: "GET" as const, times: 1, effect })));

/** Watches the alert with virtual time. */
function watching({
  environment = environmentOf(simulator) as Record<string, string>,
  stop = new AbortController().signal,
  ...alert
}: Partial<typeof WATCHED> & { environment?: Record<string, string>; stop?: AbortSignal } = {}) {
  const clock = virtualTime();
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const watched = { ...WATCHED, ...alert };
  const host = {
    environment,
    clock,
    cancellation: stop,
    log: (line: Parameters<typeof render>[0]) => log(render(line)),
  };
  const read = openAlert(watched.id, host);
  const watch = watchAlert(watched, stop, { read, log, sleep: clock.sleep });
  return { clock, lines, watch, reads: async () => (await api.requests()).length };
}

test("an alert that stays good is read at the start, and then once a minute", async () => {
  const { watch, reads, clock, lines } = watching();
  expect(await watch(0)).toBeUndefined();
  expect([await reads(), clock.now()]).toEqual([1, 0]);
  expect(await watch(600_000)).toBeUndefined();
  expect([await reads(), clock.now()]).toEqual([10, 600_000]);
  expect(await watch(90_000)).toBeUndefined();
  expect([await reads(), clock.now()]).toEqual([2, 690_000]);
  expect(lines).toEqual([]);
});

const STOPPED =
  'The alert alert-errors is "ALERT", not "OK": no more stacks are started. Do not go on until it is "OK" again; then run the same command again.';

test("an alert that is bad at the start or turns bad stops the roll-out with both states", async () => {
  await answering(BAD);
  expect(await watching().watch(0)).toBe(STOPPED);
  await answering(GOOD, GOOD, BAD);
  const { watch, reads, clock } = watching();
  await reads();
  expect(await watch(600_000)).toBe(STOPPED);
  expect([await reads(), clock.now()]).toEqual([3, 180_000]);
});

test("three failed reads in a row stop the roll-out with their reasons", async () => {
  await answering(DOWN, DOWN, GOOD, DOWN, DOWN, DOWN);
  const { watch, reads, clock, lines } = watching();
  expect(await watch(600_000)).toMatch(
    /^The alert alert-errors could not be read 3 times in a row: its state is unknown: no more stacks/,
  );
  expect([await reads(), clock.now(), lines.length]).toEqual([6, 360_000, 5]);
  expect(lines[0]).toMatch(/^Reading alert alert-errors: .*503.*\[CDB3500\]$/);
});

test("a failed last read is repeated, since an unknown state is not good", async () => {
  await answering(DOWN, { kind: "status", status: 200, body: { data: { id: ALERT.id } } }, GOOD);
  const { watch, clock, lines } = watching();
  expect(await watch(60_000)).toBeUndefined();
  expect(clock.now()).toBe(180_000);
  expect(lines[1]).toBe("The API shows no state of the alert alert-errors.");
});

test("a watch shorter than the alert's own interval causes one warning", async () => {
  const { watch, lines } = watching({ forMs: 60_000 });
  await watch(0);
  await watch(60_000);
  expect(lines).toEqual([
    "Warning: --for is shorter than the interval of the alert alert-errors (5m): the alert may not show what the canary causes.",
  ]);
});

test("an interruption ends the watch without a reason and without another read", async () => {
  const stop = new AbortController();
  const { watch, reads, clock } = watching({ stop: stop.signal });
  await reads();
  void clock.sleep(90_000).then(() => stop.abort());
  expect(await watch(600_000)).toBeUndefined();
  expect([await reads(), clock.now()]).toEqual([1, 90_000]);
});

test("an interruption during the third read does not count as a failed read", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  let reads = 0;
  const read = async () => {
    reads += 1;
    if (reads === 3) stop.abort();
    throw new Error(`failure ${reads}`);
  };
  const { sleep } = virtualTime();
  const log = (line: string) => void lines.push(line);
  const watch = watchAlert(WATCHED, stop.signal, { read, log, sleep });
  expect([await watch(600_000), lines]).toEqual([undefined, ["failure 1", "failure 2"]]);
});

test("the access token is redacted, even if the server echoes it", async () => {
  const { accessToken } = simulator;
  const echo = { data: { ...ALERT, state: `no ${accessToken}` } };
  await answering(
    { kind: "status", status: 400, body: { message: `wrong token ${accessToken}` } },
    { kind: "status", status: 200, body: echo },
  );
  const { watch, lines } = watching();
  expect(await watch(600_000)).toContain('is "no [secret]", not "OK"');
  expect(lines.join()).toContain("wrong token [secret]");
});

test("missing settings or an invalid ID fail before the first request", async () => {
  expect(() => watching({ environment: {} })).toThrow(
    /CLOUDDB_OBSERVABILITY_URL.*CLOUDDB_ACCESS_TOKEN.*CDB2001/s,
  );
  expect(() => watching({ id: "../x" })).toThrow(/The argument id of getAlert is invalid/);
});

describe("roll-out", () => {
  const run = (...args: string[]) => rollOutCommand.parseAsync(args, { from: "user" });
  afterEach(() => {
    process.exitCode = undefined;
    jest.restoreAllMocks();
  });

  test("--for without --watch-alert is refused", async () => {
    const print = jest.spyOn(process.stderr, "write").mockReturnValue(true);
    const command = rollOutCommand.exitOverride();
    await expect(command.parseAsync(["--for", "5m"], { from: "user" })).rejects.toMatchObject({
      message: "error: --for requires --watch-alert",
    });
    expect(print).toHaveBeenCalled();
  });

  test("an interrupted watch after the only stack exits with 130", async () => {
    const lines: string[] = [];
    jest.spyOn(console, "log").mockImplementation((line: string) => {
      lines.push(line);
      if (line.startsWith("Watching")) process.emit("SIGINT");
    });
    await run("--stacks", "c", "--canary", "c", "--watch-alert", "alert-errors=OK");
    expect([process.exitCode, lines]).toEqual([
      130,
      [
        "c: started",
        "c: unchanged",
        "Watching the alert alert-errors for 600 s.",
        "Stopping: no more stacks are started.",
        "1 stack: 1 unchanged.",
        "To go on, run the same command again: a stack that is up to date takes no requests.",
      ],
    ]);
  });
});

test.each([
  ["90s", 90_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["1d", 86_400_000],
  ["", undefined],
  ["10", undefined],
  ["10 minutes", undefined],
])("the duration %j means %p milliseconds", (text, ms) => {
  expect(durationMs(text)).toBe(ms);
});
