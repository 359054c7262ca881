import type { RateLimit } from "../../simulator/index";
import { simulated, type TestApi } from "../support/api";
import { type VirtualTime, virtualTime } from "../support/virtual-time";
import { create, createHandlers, type Handlers, type StackResource } from "./support";

/**
 * Many services under the published rate limit, with the real handlers, in virtual time. Each
 * command is a process.
 */

const LIMIT = { requests: 10, seconds: 10 };
/** The default of the engine on a machine with four processors. */
const AT_ONCE = 16;
/** The lead of the server's clock. */
const AHEAD_MS = 15 * 60_000;
/** The shortest time for a number of requests; the first ten take none. */
const allowedMs = (requests: number) =>
  (Math.ceil(requests / LIMIT.requests) - 1) * LIMIT.seconds * 1000;

let api: TestApi;
let time: VirtualTime;

async function startLimited(tells: RateLimit["tells"]) {
  time = virtualTime(Date.parse("2026-11-21T10:00:00.300Z"));
  const now = () => time.now() + AHEAD_MS;
  api = await simulated({ now, rateLimit: { ...LIMIT, ...(tells && { tells }) } });
}

const newProcess = () => createHandlers("Service", api, {}, { clock: time });

/** Does the work for each item, with the concurrency of the engine; returns the total time. */
async function forAll<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<number> {
  const startedAt = time.now();
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return time.now() - startedAt;
}

const names = (count: number) => Array.from({ length: count }, (_, number) => `service ${number}`);

test.each(
  ([20, 100] as const).flatMap((count) =>
    (["retryAfter", "retryAfterDate", "reset", "nothing"] as const).map((tells) => ({
      count,
      tells,
    })),
  ),
)(
  "$count services are created under a rate limit announced by $tells",
  async ({ count, tells }) => {
    await startLimited(tells);
    const stored: StackResource[] = [];

    const phases: Record<string, (handlers: Handlers) => Promise<number>> = {
      create: (handlers) =>
        forAll(names(count), async (name) =>
          stored.push(await create(handlers, { name, numReplicas: 2 })),
        ),
      refresh: (handlers) => forAll(stored, (service) => service.in(handlers).refresh()),
      update: (handlers) =>
        forAll([...stored.entries()], async ([index, service]) => {
          stored[index] = await service
            .in(handlers)
            .update({ name: service.outs.name, numReplicas: 3 });
        }),
      "a refresh at once": (handlers) =>
        forAll(stored, (service) => service.in(handlers).refresh()),
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
  },
);

test("with a tight limit, services are finished one after another", async () => {
  await startLimited("retryAfter");
  const handlers = newProcess();
  const privateEndpointIds = ["vpce-0a1b2c3d4e5f60001"];
  await forAll(names(15), (name) => create(handlers, { name, numReplicas: 2, privateEndpointIds }));
  const passed = (await api.requests())
    .filter(({ status }) => status === 200)
    .map(({ request }) => request);
  const createdBy = (count: number) =>
    passed.slice(0, count).filter((text) => text.startsWith("POST")).length;
  expect(createdBy(10)).toBe(10);
  expect(createdBy(20)).toBe(10);
  expect(passed).toHaveLength(30);
});
