import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import tls from "node:tls";
import { service as serviceType } from "../../provider/resources/service/service";
import type { FaultRule } from "../../simulator/index";
import { listen } from "../support/free-port";
import { temporaryFolder } from "../support/temporary-folder";
import { file, trustTestCertificate } from "./certificate/trust";
import { useServices } from "./service-setup";
import { checkInputs, createHandlers, failureOf, fakeClock, type Handlers, type Properties } from "./support";

/** `waitForEndpoint`: a service counts as created once its endpoints answer, and is in the stack before. */

const setup = useServices();
const servers: Server[] = [];
let faults: readonly FaultRule[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  faults = [];
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const WAIT = { name: "db", waitForEndpoint: true };
const greet = (socket: Socket) => socket.end("greeting");
const stayOpen = (socket: Socket) => socket.on("error", () => {}).resume();

/** A listener on a port of this machine. */
async function listening(onConnection: (socket: Socket) => void, certificate?: string): Promise<number> {
  const server = certificate
    ? tls.createServer({ key: file("key.pem"), cert: file(certificate) }, onConnection).on("tlsClientError", () => {})
    : createServer(onConnection);
  servers.push(server);
  return listen(server);
}

type GivenEndpoint = readonly [protocol: string, port: number | undefined, host?: string];

/** Makes all later responses to these requests show these endpoints. */
async function endpointsAfter(method: string, ...list: readonly GivenEndpoint[]) {
  const result = list.map(([protocol, port, host = "127.0.0.1"]) => ({ protocol, host, port, username: "default" }));
  faults = [
    ...faults.filter((fault) => fault.method !== method),
    { method, effect: { kind: "answer", result: { endpoints: result } } },
  ];
  await setup.api.faults(...faults);
}
const endpoints = (...list: readonly GivenEndpoint[]) => endpointsAfter("POST", ...list);

/** Another process of the plugin, in which something happens at each pause between attempts. */
function restart(onPause: () => unknown = () => {}, environment: Record<string, string> = {}) {
  const clock = fakeClock();
  let pauses = 0;
  const handlers = createHandlers(serviceType, setup.simulator, environment, {
    ...clock,
    async sleep(ms) {
      pauses += 1;
      await onPause();
      await clock.sleep(ms);
    },
  });
  return Object.assign(handlers, { pauses: () => pauses });
}

async function createAt(handlers: Handlers, args: Properties = WAIT) {
  const inputs = await checkInputs(handlers, args);
  return { inputs, ...(await handlers.create(inputs)) };
}

async function failedCreation(handlers: Handlers) {
  const inputs = await checkInputs(handlers, WAIT);
  const { id = "", properties: state = {}, message } = await failureOf(handlers.create(inputs));
  expect(state.password).toEqual(expect.stringMatching(/./));
  expect(message).toMatch(/It is in the stack; the next `pulumi up` completes it\. \[CDB4015\]$/);
  return { inputs, id, state, message };
}

/** The address of a server that starts later. */
async function reserved(onConnection: (socket: Socket) => void) {
  const port = await listening(greet);
  const [server] = servers.splice(-1);
  await new Promise((resolve) => server?.close(resolve));
  const start = () =>
    new Promise<void>((resolve) => {
      const late = createServer(onConnection);
      servers.push(late);
      late.listen(port, "127.0.0.1", resolve);
    });
  return { port, start };
}

test.each([
  ["sends data", "mysql", greet, undefined],
  ["stays open", "http", stayOpen, undefined],
  ["ends a TLS handshake", "https", stayOpen, "certificate.pem"],
] as const)("an endpoint that %s answers", async (_, protocol, onConnection, certificate) => {
  trustTestCertificate();
  await endpoints([protocol, await listening(onConnection, certificate)]);
  const handlers = restart();
  const { id, inputs, outs } = await createAt(handlers);
  expect(outs.waitForEndpoint).toBe(true);
  expect(handlers.pauses()).toBe(0);
  const bodies = (await setup.api.requests()).map(({ body }) => body);
  expect(bodies).toEqual([{ name: "db" }]);
  expect((await handlers.diff(id, outs, inputs)).changes).toBe(false);
});

test("a creation waits for a listener that is not there yet, and says so once", async () => {
  const { port, start } = await reserved(greet);
  await endpoints(["mysql", port]);
  const handlers = restart(() => handlers.pauses() === 3 && start());
  const { id } = await createAt(handlers);
  expect(handlers.pauses()).toBe(3);
  expect(handlers.messages).toEqual([
    `Waiting until service ${id} ("db") answers at mysql 127.0.0.1:${port}. [CDB4015]`,
  ]);
  expect((await setup.api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
});

test("all endpoints have to answer; one that closes connections, or that nobody trusts, does not", async () => {
  const closing = await listening((socket) => void socket.destroy());
  const untrusted = await listening(stayOpen, "certificate.pem");
  await endpoints(["mysql", await listening(greet)], ["http", closing], ["https", untrusted]);
  const { message } = await failedCreation(restart());
  expect(message).toContain(
    `: 10 minutes ended before it answered at http 127.0.0.1:${closing} (closed), https 127.0.0.1:${untrusted} (DEPTH_ZERO_SELF_SIGNED_CERT). Check that its access list includes this machine`,
  );
});

test("a port that is secure by its number gets a TLS handshake", async () => {
  const received: string[] = [];
  const { port } = await reserved(greet);
  jest.spyOn(tls, "connect").mockImplementation((() => {
    received.push("TLS");
    throw Object.assign(new Error(), { code: "SEEN" });
  }) as never);
  await endpoints(["native", 9440], ["mysql", port]);
  const { message } = await failedCreation(restart());
  expect(message).toContain("native 127.0.0.1:9440 (SEEN)");
});

test("a name that does not resolve is named", async () => {
  await endpoints(["mysql", 3306, "db.invalid"]);
  // A resolver may take long to fail: the 10 minutes end soon.
  const clock = { now: () => Date.now() * 1000, sleep: async () => {} };
  const { message } = await failedCreation(createHandlers(serviceType, setup.simulator, {}, clock));
  expect(message).toMatch(/db\.invalid:3306 \((ENOTFOUND|EAI_AGAIN)\)/);
});

test.each([
  ["no endpoint", [], []],
  ["an endpoint without a host", [["mysql", 9, ""]], [["mysql", 9, ""]]],
  ["an endpoint without a port", [["mysql", undefined]], [["mysql", undefined]]],
  ["an endpoint with an invalid port", [["mysql", 70_000]], [["mysql", 0]]],
] as const)("a service with %s is read until it has one", async (_, created, found) => {
  await endpoints(...created);
  await endpointsAfter("GET", ...found);
  const handlers = restart();
  const { id, inputs, state, message } = await failedCreation(handlers);
  expect(message).toContain(": 10 minutes ended before the API returned an endpoint to wait for.");
  const port = await listening(greet);
  await endpointsAfter("GET", ["mysql", port]);
  const { outs } = await handlers.update(id, state, inputs);
  expect(outs).toMatchObject({ waitForEndpoint: true, password: state.password, serviceEndpoints: [{ port }] });
});

test("after a failed wait, the next update waits again, also after a refresh, and sends nothing", async () => {
  const { port, start } = await reserved(greet);
  await endpoints(["mysql", port]);
  const handlers = restart();
  const { id, inputs, state } = await failedCreation(handlers);
  await setup.api.faults({ method: "GET", effect: { kind: "answer", result: { endpoints: state.serviceEndpoints } } });
  const { props: refreshed = {} } = await handlers.read(id, state);
  await setup.api.requests();
  for (const stored of [state, refreshed]) {
    expect((await handlers.diff(id, stored, inputs)).changes).not.toBe(false);
    const again = await failureOf(handlers.update(id, stored, inputs));
    expect(again.message).toMatch(
      /^Updating service .*: 10 minutes ended before it answered at .* remove waitForEndpoint\. \[CDB4015\]$/,
    );
  }
  // Without `waitForEndpoint`, the service is used as it is.
  const { waitForEndpoint: _, ...without } = inputs;
  expect((await handlers.update(id, state, without)).outs.id).toBe(state.id);
  await start();
  const { outs } = await handlers.update(id, refreshed, inputs);
  expect(outs).toEqual({ ...refreshed, waitForEndpoint: true });
  expect((await handlers.diff(id, outs, inputs)).changes).toBe(false);
  expect(await setup.api.requests()).toEqual([]);
});

test("on an existing service, it waits when it becomes true; it sends nothing, and is no drift", async () => {
  await endpoints(["mysql", await listening(greet)]);
  const handlers = restart();
  const start = await createAt(handlers, { name: "db" });
  let { outs, inputs } = start;
  await setup.api.requests();
  for (const change of [{ waitForEndpoint: true }, { waitForEndpoint: false }, {}, { waitForEndpoint: true }]) {
    inputs = await checkInputs(handlers, { name: "db", ...change }, inputs);
    expect(await handlers.diff(start.id, outs, inputs)).toMatchObject({ replaces: [] });
    ({ outs } = await handlers.update(start.id, outs, inputs));
    expect(outs.waitForEndpoint).toBe(change.waitForEndpoint);
    expect((await handlers.diff(start.id, outs, inputs)).changes).toBe(false);
  }
  expect(await setup.api.requests()).toEqual([]);
  expect((await handlers.read(start.id, outs)).inputs).toEqual(inputs);
});

test("a service that an earlier command has created is waited for, too", async () => {
  const environment = { CLOUDDB_JOURNAL: join(temporaryFolder("wait"), "records") };
  const { port, start } = await reserved(greet);
  await endpoints(["mysql", port]);
  const { id, state } = await failedCreation(restart(() => {}, environment));
  await setup.api.faults({ method: "GET", effect: { kind: "answer", result: { endpoints: state.serviceEndpoints } } });
  const next = restart(start, environment);
  const { id: taken, outs } = await createAt(next);
  expect([taken, outs]).toEqual([id, { ...state, waitForEndpoint: true }]);
  expect(next.pauses()).toBe(1);
  expect(await setup.api.services()).toHaveLength(1);
});
