import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import type { FaultRule } from "../../simulator/index";
import { certificateFile, freePort, serve, trustTestCertificate } from "../support/local-server";
import { temporaryFolder } from "../support/temporary-folder";
import { useServices } from "./simulators";
import {
  answer,
  create,
  createHandlers,
  failedCreation,
  fakeClock,
  type Handlers,
} from "./support";

/**
 * `waitForEndpoint`: a service counts as created once its endpoints answer, and is in the stack
 * before.
 */

const setup = useServices();
let faults: readonly FaultRule[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  faults = [];
});

const WAIT = { name: "db", waitForEndpoint: true };
const greet = (socket: Socket) => socket.end("greeting");
const stayOpen = (socket: Socket) => socket.on("error", () => {}).resume();

/** A listener on a port of this machine. */
const listening = (onConnection: (socket: Socket) => void) => serve(createServer(onConnection));
const listeningSecurely = (onConnection: (socket: Socket) => void) =>
  serve(
    tls
      .createServer(
        { key: certificateFile("key.pem"), cert: certificateFile("certificate.pem") },
        onConnection,
      )
      .on("tlsClientError", () => {}),
  );

/** The port of a server that starts later. */
async function reserved() {
  const port = await freePort();
  return { port, start: () => serve(createServer(greet), port) };
}

type GivenEndpoint = readonly [protocol: string, port: number | undefined, host?: string];

/** Makes all later responses to these requests show these endpoints. */
async function endpointsAfter(method: "GET" | "POST", ...list: readonly GivenEndpoint[]) {
  const result = list.map(([protocol, port, host = "127.0.0.1"]) => ({
    protocol,
    host,
    port,
    username: "default",
  }));
  faults = [
    ...faults.filter((fault) => fault.method !== method),
    answer(method, { endpoints: result }),
  ];
  await setup.api.faults(...faults);
}
const endpoints = (...list: readonly GivenEndpoint[]) => endpointsAfter("POST", ...list);

/** Another process of the plugin, in which something happens at each pause between attempts. */
function restart(onPause: () => unknown = () => {}, environment: Record<string, string> = {}) {
  const clock = fakeClock();
  let pauses = 0;
  const handlers = createHandlers("Service", setup.api, environment, {
    clock: {
      ...clock,
      async sleep(ms) {
        pauses += 1;
        await onPause();
        await clock.sleep(ms);
      },
    },
  });
  return Object.assign(handlers, { pauses: () => pauses });
}

/** A creation that ends without an answer, and leaves the service in the stack. */
async function failedWait(handlers: Handlers) {
  const { stored, message } = await failedCreation(handlers, WAIT);
  expect(stored.outs.password).toEqual(expect.stringMatching(/./));
  expect(message).toMatch(/It is in the stack; the next `pulumi up` completes it\. \[CDB4015\]$/);
  return { stored, message };
}

test.each([
  ["sends data", "mysql", () => listening(greet)],
  ["stays open", "http", () => listening(stayOpen)],
  ["ends a TLS handshake", "https", () => listeningSecurely(stayOpen)],
])("an endpoint that %s counts as reachable", async (_, protocol, listen) => {
  trustTestCertificate();
  await endpoints([protocol, await listen()]);
  const handlers = restart();
  const created = await create(handlers, WAIT);
  expect(created.outs.waitForEndpoint).toBe(true);
  expect(handlers.pauses()).toBe(0);
  expect(await setup.sent()).toEqual([["POST /services", { name: "db" }]]);
  expect((await created.diff(WAIT)).changes).toBe(false);
});

test("a creation waits for a listener, and reports the wait once", async () => {
  const { port, start } = await reserved();
  await endpoints(["mysql", port]);
  const handlers = restart(() => handlers.pauses() === 3 && start());
  const { id } = await create(handlers, WAIT);
  expect(handlers.pauses()).toBe(3);
  expect(handlers.messages).toEqual([
    `Waiting until service ${id} ("db") answers at mysql 127.0.0.1:${port}. [CDB4015]`,
  ]);
  expect(await setup.sent()).toHaveLength(1);
});

test("all endpoints have to answer; a closed connection or an untrusted certificate does not count", async () => {
  const closing = await listening((socket) => void socket.destroy());
  const untrusted = await listeningSecurely(stayOpen);
  await endpoints(["mysql", await listening(greet)], ["http", closing], ["https", untrusted]);
  const { message } = await failedWait(restart());
  expect(message).toContain(
    `: 10 minutes ended before it answered at http 127.0.0.1:${closing} (closed), https 127.0.0.1:${untrusted} (DEPTH_ZERO_SELF_SIGNED_CERT). Check that its access list includes this machine`,
  );
});

test("a port that is secure by convention gets a TLS handshake", async () => {
  await endpoints(["native", 9440], ["mysql", await freePort()]);
  jest.spyOn(tls, "connect").mockImplementation((() => {
    throw Object.assign(new Error(), { code: "SEEN" });
  }) as never);
  const { message } = await failedWait(restart());
  expect(message).toContain("native 127.0.0.1:9440 (SEEN)");
});

test("an error names a host that does not resolve", async () => {
  await endpoints(["mysql", 3306, "db.invalid"]);
  // A resolver may take long to fail: the 10 minutes end soon.
  const clock = { now: () => Date.now() * 1000, sleep: async () => {} };
  const { message } = await failedWait(createHandlers("Service", setup.api, {}, { clock }));
  expect(message).toMatch(/db\.invalid:3306 \((ENOTFOUND|EAI_AGAIN)\)/);
});

test.each([
  ["no endpoint", [], []],
  ["an endpoint without a host", [["mysql", 9, ""]], [["mysql", 9, ""]]],
  ["an endpoint without a port", [["mysql", undefined]], [["mysql", undefined]]],
  ["an endpoint with an invalid port", [["mysql", 70_000]], [["mysql", 0]]],
] as const)(
  "a service with %s is read until its endpoint is complete",
  async (_, created, found) => {
    await endpoints(...created);
    await endpointsAfter("GET", ...found);
    const { stored, message } = await failedWait(restart());
    expect(message).toContain(
      ": 10 minutes ended before the API returned an endpoint to wait for.",
    );
    const port = await listening(greet);
    await endpointsAfter("GET", ["mysql", port]);
    const { password } = stored.outs;
    const { outs } = await stored.update(WAIT);
    expect(outs).toMatchObject({ waitForEndpoint: true, password, serviceEndpoints: [{ port }] });
  },
);

test("after a failed wait, the next update waits again without sending, even after a refresh", async () => {
  const { port, start } = await reserved();
  await endpoints(["mysql", port]);
  const { stored } = await failedWait(restart());
  await setup.api.faults(answer("GET", { endpoints: stored.outs.serviceEndpoints }));
  const refreshed = await stored.refresh();
  await setup.sent();
  for (const service of [stored, refreshed]) {
    expect((await service.diff(WAIT)).changes).not.toBe(false);
    const { message } = await service.failedUpdate(WAIT);
    expect(message).toMatch(
      /^Updating service .*: 10 minutes ended before it answered at .* remove waitForEndpoint\. \[CDB4015\]$/,
    );
  }
  // Without `waitForEndpoint`, the service is used as it is.
  await stored.update({ name: "db" });
  await start();
  const updated = await refreshed.update(WAIT);
  expect(updated.outs).toEqual({ ...refreshed.outs, waitForEndpoint: true });
  expect((await updated.diff(WAIT)).changes).toBe(false);
  expect(await setup.sent()).toEqual([]);
});

test("waitForEndpoint on an existing service waits once it is true, without a request or drift", async () => {
  await endpoints(["mysql", await listening(greet)]);
  let service = await create(restart(), { name: "db" });
  await setup.sent();
  for (const change of [
    { waitForEndpoint: true },
    { waitForEndpoint: false },
    {},
    { waitForEndpoint: true },
  ]) {
    const program = { name: "db", ...change };
    expect(await service.diff(program)).toMatchObject({ replaces: [] });
    service = await service.update(program);
    expect(service.outs.waitForEndpoint).toBe(change.waitForEndpoint);
    expect((await service.diff(program)).changes).toBe(false);
  }
  expect(await setup.sent()).toEqual([]);
  expect((await service.refresh()).inputs).toEqual(service.inputs);
});

test("an up that adopts the service of a lost creation waits for its endpoint", async () => {
  const environment = { CLOUDDB_JOURNAL: join(temporaryFolder("wait"), "records") };
  const { port, start } = await reserved();
  await endpoints(["mysql", port]);
  const { stored } = await failedWait(restart(() => {}, environment));
  await setup.api.faults(answer("GET", { endpoints: stored.outs.serviceEndpoints }));
  const next = restart(start, environment);
  const { id, outs } = await create(next, WAIT);
  expect([id, outs]).toEqual([stored.id, { ...stored.outs, waitForEndpoint: true }]);
  expect(next.pauses()).toBe(1);
  expect(await setup.api.services()).toHaveLength(1);
});
