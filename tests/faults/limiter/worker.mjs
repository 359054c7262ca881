// A process of a fleet: creates services with the built provider, as a plugin does. It prints a
// line when it is ready, starts when it reads one, and ends by itself.   COUNT services, named
// after NAME; with URGENT, each takes a second request.   With LIMITERS, it has that number of rate
// limiters with a connection each, and reads COUNT services through each.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const { service } = require("../../../provider/dist/runtime.js");
const { createRateLimiter } = require("../../../provider/dist/api/rate-limiter.js");
const { sharedQuota, windowKey } = require("../../../provider/dist/core/session/shared-quota.js");
const { render } = require("../../../provider/dist/errors.js");
const { parseRateLimit } = require("../../../provider/dist/core/session/settings.js");
const { clock } = require("../../../provider/dist/hosts/process.js");

const { NAME, COUNT, URGENT, LIMITERS } = process.env;
const { CLOUDDB_BASE_URL, CLOUDDB_ORGANIZATION_ID, CLOUDDB_KEY_ID, CLOUDDB_KEY_SECRET } =
  process.env;
/** The default concurrency of the engine on a machine with four processors. */
const AT_ONCE = 16;
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function create(number) {
  const more = URGENT ? { privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] } : {};
  const name = `${NAME}-${number}`;
  const urn = `urn:pulumi:dev::fleet::pulumi-nodejs:dynamic/clouddb:Service::${name}`;
  const args = {
    __resourceName: name,
    __urn: urn,
    name: `${NAME} ${number}`,
    numReplicas: 2,
    ...more,
  };
  const { inputs, failures } = await service.check({}, args);
  if (failures.length > 0) throw new Error(JSON.stringify(failures));
  await service.create(inputs);
}

async function createAll() {
  let next = 0;
  let failure;
  const worker = async () => {
    while (next < Number(COUNT)) {
      next += 1;
      await create(next).catch((error) => {
        failure = error.message;
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failure;
}

function newLimiter() {
  const { CLOUDDB_RATE_LIMIT, CLOUDDB_RATE_LIMIT_URL } = process.env;
  const dependencies = {
    clock,
    log: (line) => console.log(render(line)),
    random: Math.random,
    redact: (text) => text,
  };
  const key = windowKey(CLOUDDB_BASE_URL, CLOUDDB_KEY_ID);
  const quota = sharedQuota(
    dependencies,
    CLOUDDB_RATE_LIMIT_URL,
    parseRateLimit(CLOUDDB_RATE_LIMIT),
    key,
  );
  return createRateLimiter(clock, dependencies.log, quota);
}

async function read(limiter) {
  const url = `${CLOUDDB_BASE_URL}/v1/organizations/${CLOUDDB_ORGANIZATION_ID}/services/${randomUUID()}`;
  const authorization = `Basic ${btoa(`${CLOUDDB_KEY_ID}:${CLOUDDB_KEY_SECRET}`)}`;
  const since = clock.now();
  for (;;) {
    const permit = await limiter.acquire({ since, maxWaitMs: 600_000, isUrgent: false });
    const { status, headers } = await fetch(url, { headers: { authorization } });
    if (status !== 429) return permit.release();
    permit.reportRefusal(1000 * Number(headers.get("retry-after")));
  }
}

async function readAll() {
  const limiters = Array.from({ length: Number(LIMITERS) }, newLimiter);
  await Promise.all(
    limiters.flatMap((limiter) => Array.from({ length: Number(COUNT) }, () => read(limiter))),
  );
}

// Loads what the first request of a limiter loads.
if (LIMITERS) await fetch(`${CLOUDDB_BASE_URL}/__admin/health`);
say({ ready: true });
createInterface(process.stdin).once("line", async () => {
  process.stdin.destroy();
  const failure = await (LIMITERS ? readAll() : createAll());
  say({ done: true, failure });
});
