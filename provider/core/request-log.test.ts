import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoggedRequest, RequestLog } from "../api";
import { createRequestLog } from "./request-log";

const folder = mkdtempSync(join(tmpdir(), "clouddb-log-"));
const file = join(folder, "requests.jsonl");
afterEach(() => rmSync(file, { force: true }));
afterAll(() => rmSync(folder, { recursive: true }));

const REQUEST: LoggedRequest = {
  method: "GET",
  path: "/v1/organizations/o/services/secret-id",
  attempt: 1,
  status: 200,
  sentAt: 0,
  durationMs: 12.4,
  rateLimitMs: 0,
};

function logTo(setting: string, now = () => 0) {
  const lines: string[] = [];
  const lastLines: (() => string)[] = [];
  const log = createRequestLog(setting, {
    clock: { now, sleep: async () => {} },
    log: (line) => lines.push(line),
    redact: (text) => text.replaceAll("secret-id", "[secret]"),
    onEnd: (lastLine) => lastLines.push(lastLine),
  }) as RequestLog;
  return { log, lines, lastLines };
}

test("logs nothing if the setting is off or absent", () => {
  expect(logTo("off").log).toBeUndefined();
});

test("a line for people has all parts of a request, and redacts an id that is a secret", () => {
  const { log, lines } = logTo("all");
  log.add({ ...REQUEST, attempt: 3, rateLimitMs: 1500, backOffMs: 250, requestId: "r-1" });
  log.add({ ...REQUEST, status: undefined, error: "ECONNRESET", retryAfterMs: 7000 });
  expect(lines).toEqual([
    "1970-01-01T00:00:00.000Z GET /v1/organizations/o/services/[secret]: 200 after 0.01 s, attempt 3, waited 1.50 s for the rate limit, waited 0.25 s before the retry, request id r-1. [CDB3013]",
    "1970-01-01T00:00:00.000Z GET /v1/organizations/o/services/[secret]: ECONNRESET after 0.01 s, attempt 1, waited 7.00 s as the API asked. [CDB3013]",
  ]);
});

test("a summary counts the time in which requests overlap once", async () => {
  let now = 0;
  const { log, lastLines } = logTo("summary", () => now);
  const ends: (() => void)[] = [];
  const work = () => log.measure("response", new Promise<void>((resolve) => ends.push(resolve)));
  const all = [work()];
  now = 1000;
  all.push(work());
  now = 3000;
  ends[0]?.();
  await all[0];
  now = 4000;
  ends[1]?.();
  await all[1];
  now = 9000;
  void work();
  log.add(REQUEST);
  log.add({ ...REQUEST, method: "PATCH", status: 429, error: "CDB3429" });
  log.add({ ...REQUEST, method: "PATCH", attempt: 2, status: 404, error: "CDB3404" });
  now = 9500;
  expect(lastLines.map((lastLine) => lastLine())).toEqual([
    "API requests: 3 (1 GET, 2 PATCH); retries: 1; refused by the rate limit: 1; failed: 1. Time in total: 4.50 s for responses, 0.00 s waiting for the rate limit, 0.00 s waiting for retries. [CDB3014]",
  ]);
});

test("a file that its owner alone can read holds a line of JSON for each request", () => {
  const { log, lines } = logTo(file);
  log.add(REQUEST);
  log.add({ ...REQUEST, error: "CDB3404", status: 404 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const entries = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(entries.map((line) => JSON.parse(line))).toMatchObject([
    { path: "/v1/organizations/o/services/[secret]", status: 200, durationMs: 12 },
    { status: 404, error: "CDB3404" },
  ]);
  expect(lines).toEqual([]);
});

const problems: Record<string, { prepare: () => void; reason: string }> = {
  "is full": {
    prepare: () => {
      writeFileSync(file, "");
      truncateSync(file, 100_000_000);
    },
    reason: "it has reached 100 MB",
  },
  "is a pipe that nobody reads": { prepare: () => void spawnSync("mkfifo", [file]), reason: "ENXIO" },
  "is a folder": { prepare: () => void spawnSync("mkdir", [file]), reason: "EISDIR" },
};

test.each(Object.entries(problems))("a file that %s: one warning, and requests go on", (_, { prepare, reason }) => {
  prepare();
  const { log, lines } = logTo(file);
  log.add(REQUEST);
  log.add(REQUEST);
  expect(lines).toEqual([
    `Cannot log requests in ${file}: ${reason}. The command continues without this log. [CDB2007]`,
  ]);
  rmSync(file, { recursive: true });
});

test("lines of several processes do not mix", async () => {
  const root = join(__dirname, "../..");
  const program = `
    const { createRequestLog } = require(${JSON.stringify(join(root, "provider/dist/core/request-log.js"))});
    const log = createRequestLog(${JSON.stringify(file)}, { clock: { now: () => 0 }, log: console.error, redact: (text) => text });
    for (let index = 0; index < 500; index += 1) log.add({ ...${JSON.stringify(REQUEST)}, path: "/" + "x".repeat(index) });`;
  const run = () =>
    new Promise((resolve) => spawn(process.execPath, ["-e", program], { stdio: "inherit" }).once("exit", resolve));
  expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
  const entries = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(entries.map((line) => JSON.parse(line).path)).toHaveLength(1500);
});
