import { service as serviceType } from "../../provider/resources/service/service";
import { type RateLimit, type RunningSimulator, startSimulator } from "../../simulator/index";
import { createTestApi } from "../support/api";
import { type VirtualTime, virtualTime } from "../support/virtual-time";
import { checkInputs, createHandlers, type Handlers, type Properties } from "./support";

/** Many services under the published rate limit, with the real handlers, in virtual time. Each command is a process. */

const LIMIT = { requests: 10, seconds: 10 };
/** The default of the engine on a machine with four processors. */
const AT_ONCE = 16;
/** The lead of the server's clock. */
const AHEAD_MS = 15 * 60_000;
/** The shortest time for a number of requests; the first ten take none. */
const allowedMs = (requests: number) => (Math.ceil(requests / LIMIT.requests) - 1) * LIMIT.seconds * 1000;

let simulator: RunningSimulator;
let time: VirtualTime;

async function startLimited(tells: RateLimit["tells"]) {
  time = virtualTime(Date.parse("2026-11-21T10:00:00.300Z"));
  const now = () => time.now() + AHEAD_MS;
  simulator = await startSimulator({ now, rateLimit: { ...LIMIT, ...(tells && { tells }) } });
  return createTestApi(simulator);
}
afterEach(() => simulator.close());

const newProcess = () => createHandlers(serviceType, simulator, {}, time);

/** Does the work for each item, with the concurrency of the engine; returns the total time. */
async function forAll<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<number> {
  const startedAt = time.now();
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return time.now() - startedAt;
}

interface Stored {
  readonly id: string;
  outs: Properties;
}

const names = (count: number) => Array.from({ length: count }, (_, number) => `service ${number}`);
const inputsOf = (handlers: Handlers, name: string, more: Properties = {}) =>
  checkInputs(handlers, { name, numReplicas: 2, ...more });

test.each(
  ([20, 100] as const).flatMap((count) =>
    (["retryAfter", "retryAfterDate", "reset", "nothing"] as const).map((tells) => ({ count, tells })),
  ),
)("$count services under a rate limit announced by $tells", async ({ count, tells }) => {
  const api = await startLimited(tells);
  const stored: Stored[] = [];

  const phases: Record<string, (handlers: Handlers) => Promise<number>> = {
    create: (handlers) =>
      forAll(names(count), async (name) => {
        const { id, outs } = await handlers.create(await inputsOf(handlers, name));
        stored.push({ id, outs: outs as Properties });
      }),
    refresh: (handlers) => forAll(stored, ({ id, outs }) => handlers.read(id, outs)),
    update: (handlers) =>
      forAll(stored, async (item) => {
        const inputs = await inputsOf(handlers, String(item.outs.name), { numReplicas: 3 });
        item.outs = (await handlers.update(item.id, item.outs, inputs)).outs as Properties;
      }),
    "a refresh at once": (handlers) => forAll(stored, ({ id, outs }) => handlers.read(id, outs)),
  };
  for (const [name, phase] of Object.entries(phases)) {
    const isAtOnce = name.endsWith("at once");
    if (!isAtOnce) await time.sleep(20_000);
    const handlers = newProcess();
    const ms = await phase(handlers);
    const requests = await api.requests();
    const refused = requests.filter(({ status }) => status === 429).length;
    expect({ name, done: requests.length - refused }).toEqual({ name, done: count });
    // A command right after another finds part of the limit used up.
    const most = allowedMs(count + (isAtOnce ? LIMIT.requests : 0));
    expect({ name, ms: ms <= 1.2 * most || ms }).toEqual({ name, ms: true });
    expect({ name, refused: refused <= 10 || refused }).toEqual({ name, refused: true });
    expect(handlers.messages[0]).toMatch(
      /^The API's rate limit was reached; all requests are paused for (9|10|11) s\. \[CDB3008\]$/,
    );
  }
  expect(await api.services()).toHaveLength(count);
  expect(stored.every(({ outs }) => outs.numReplicas === 3)).toBe(true);
});

test("with a tight limit, services are finished one by one", async () => {
  const api = await startLimited("retryAfter");
  const handlers = newProcess();
  await forAll(names(15), async (name) =>
    handlers.create(await inputsOf(handlers, name, { privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] })),
  );
  const passed = (await api.requests()).filter(({ status }) => status === 200).map(({ request }) => request);
  const createdBy = (count: number) => passed.slice(0, count).filter((text) => text.startsWith("POST")).length;
  expect(createdBy(10)).toBe(10);
  expect(createdBy(20)).toBe(10);
  expect(passed).toHaveLength(30);
});
