// Processes that share one API key, with the limit of the API scaled down in time: 10 requests in 1 s instead of 10 s.
// Each creates ten services. Then many more processes, in virtual time.
//   node bench/fleet.mjs 2 8      only these numbers of processes
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { withSimulator } from "./support/project.mjs";
import { withRedis } from "./support/redis.mjs";
import { printTable, progress } from "./support/table.mjs";
import { root } from "./support/tools.mjs";
import { simulateFleet } from "./support/virtual-fleet.mjs";

const given = process.argv.slice(2).map(Number);
const SIZES = given.length > 0 ? given : [2, 8, 20, 40];
const VIRTUAL_SIZES = [20, 40, 100, 200, 500];
const EACH = 10;
/** Retry-After with decimals, since in whole seconds it would be scaled up. */
const LIMIT = { requests: 10, seconds: 1, tells: "retryAfterDecimal" };

const HEAD = [
  "processes",
  "rate limit",
  "requests",
  "ideal",
  "total",
  "of the ideal",
  "refused",
  "first done",
  "last done",
];
/** The first ten need no time. */
const idealMs = (requests) => (Math.ceil(requests / LIMIT.requests) - 1) * LIMIT.seconds * 1000;
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;

function row(size, kind, { ends, refused }) {
  const requests = size * EACH;
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  const share = ((100 * refused) / requests).toFixed(1);
  const ratio = (last / idealMs(requests)).toFixed(2);
  return [
    size,
    kind,
    requests,
    seconds(idealMs(requests)),
    seconds(last),
    ratio,
    `${refused} (${share} %)`,
    seconds(first),
    seconds(last),
  ];
}

printTable(
  HEAD,
  await rowsOf(SIZES, (size, isShared) => (isShared ? withRedis((redis) => measure(size, redis)) : measure(size))),
);
console.log("\nIn virtual time:\n");
printTable(
  HEAD,
  await rowsOf(VIRTUAL_SIZES, (size, isShared) =>
    simulateFleet({ processes: size, each: EACH, limit: LIMIT, isShared }),
  ),
);

async function rowsOf(sizes, measured) {
  const rows = [];
  for (const size of sizes) {
    for (const kind of ["shared", "by each process"]) {
      progress(`${size} processes, ${kind}`);
      rows.push(row(size, kind, await measured(size, kind === "shared")));
    }
  }
  return rows;
}

/** When each process was done, and how many requests were refused. */
function measure(size, redis) {
  return withSimulator([], async ({ environment, requests }) => {
    const admin = `${environment.CLOUDDB_BASE_URL}/__admin`;
    const existing = await firstService(environment);
    const env = { ...environment, EXISTING: existing, ...(redis && { CLOUDDB_RATE_LIMIT_URL: redis.url }) };
    const processes = Array.from({ length: size }, (_, number) => start(`p${number}`, env));
    await Promise.all(processes.map(({ ready }) => ready));
    // Excludes loading, and the requests sent until here.
    await redis?.clear();
    await requests();
    const init = { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(LIMIT) };
    await fetch(`${admin}/rate-limit`, init);
    const startedAt = performance.now();
    for (const { go } of processes) go();
    const ends = await Promise.all(processes.map(({ done }) => done.then((at) => at - startedAt)));
    await Promise.all(processes.map(({ ended }) => ended));
    const sent = await requests();
    const created = new Set(sent.filter(({ status }) => status === 200).map(({ body }) => body.name));
    if (created.size !== size * EACH) throw new Error(`${created.size} of ${size * EACH} services were created`);
    return { ends, refused: sent.filter(({ status }) => status === 429).length };
  });
}

async function firstService(environment) {
  const { CLOUDDB_BASE_URL, CLOUDDB_KEY_ID, CLOUDDB_KEY_SECRET, CLOUDDB_ORGANIZATION_ID } = environment;
  const authorization = `Basic ${Buffer.from(`${CLOUDDB_KEY_ID}:${CLOUDDB_KEY_SECRET}`).toString("base64")}`;
  const body = JSON.stringify({ name: "first", provider: "aws", region: "us-east-1" });
  const headers = { authorization, "content-type": "application/json" };
  const response = await fetch(`${CLOUDDB_BASE_URL}/v1/organizations/${CLOUDDB_ORGANIZATION_ID}/services`, {
    method: "POST",
    headers,
    body,
  });
  return (await response.json()).result.service.id;
}

/** A process of the built provider, which waits for a line before it begins. */
function start(name, environment) {
  const env = { PATH: process.env.PATH, NAME: name, COUNT: String(EACH), ...environment };
  const child = spawn(process.execPath, [join(root, "tests/faults/limiter/worker.mjs")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  let done;
  const doneAt = new Promise((resolve, reject) => {
    done = resolve;
    child.once("close", (code) => reject(new Error(`${name} ended with exit code ${code}`)));
  });
  const ready = new Promise((resolve) => {
    lines.on("line", (line) => {
      if (line.startsWith('{"ready"')) resolve();
      if (line.startsWith('{"done"')) done(performance.now());
    });
  });
  return { ready, done: doneAt, ended: once(child, "close"), go: () => child.stdin.write("go\n") };
}
