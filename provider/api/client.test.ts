import dns from "node:dns";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { render } from "../errors";
import { type Client, createClient } from "./client";
import { basic } from "./http";
import { operation, SERVICE as PATH, SERVICES } from "./operations";
import { alert, created, service } from "./schemas";
import type { Body } from "./send";

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const SERVICE = { organizationId: ORGANIZATION, serviceId: ID };
const operations = {
  createService: operation("POST", SERVICES, created),
  getService: operation("GET", PATH, service),
  updateService: operation("PATCH", PATH, service),
  getAlert: operation("GET", "/api/v2/alerts/{id}", alert, "observability"),
};
const ok = (result: unknown) => JSON.stringify({ status: 200, requestId: "r-1", result });

const servers: Server[] = [];
const seen: { request: IncomingMessage; body: string }[] = [];

afterEach(() => {
  jest.restoreAllMocks();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  seen.length = 0;
});

type Step = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that takes one step for each request, and repeats the last; and a client whose waits take no time. */
async function serving(...steps: Step[]) {
  const listener: RequestListener = (request, response) => {
    const step = steps[Math.min(seen.length, steps.length - 1)];
    const entry = { request, body: "" };
    seen.push(entry);
    request.on("data", (chunk) => {
      entry.body += chunk;
    });
    request.on("end", () => step?.(request, response));
  };
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  return { ...clientAt(baseUrl), baseUrl };
}

interface ClientOptions {
  readonly isEngineAlive?: () => Promise<boolean>;
  readonly cancellation?: AbortSignal;
  /** Called with each wait before it ends. */
  readonly onWait?: (ms: number, signal: AbortSignal | undefined) => unknown;
}

function clientAt(baseUrl: string, { isEngineAlive, cancellation, onWait }: ClientOptions = {}) {
  let now = 0;
  const waits: number[] = [];
  const said: string[] = [];
  const client = createClient(
    {
      baseUrl,
      authorization: basic("key", "s3cret"),
      requestTimeoutSeconds: 1,
      maxRetries: 3,
      userAgent: "test/1",
    },
    {
      clock: {
        now: () => now,
        sleep: async (ms, signal) => {
          waits.push(ms);
          await onWait?.(ms, signal);
          now += ms;
        },
      },
      random: () => 1,
      log: (line) => said.push(render(line)),
      redact: (text) => text,
      ...(isEngineAlive && { isEngineAlive }),
      ...(cancellation && { cancellation }),
    },
  );
  return { ...client, waits, said };
}

const send =
  (status: number, body: string, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const good = send(200, ok({ id: ID, name: "one" }));
const reset: Step = (request) => request.socket.resetAndDestroy();

const call = {
  read: ({ call }: Client) => call(operations.getService, SERVICE),
  readAlert: ({ call }: Client) => call(operations.getAlert, { id: "alert-1" }),
  change: ({ call }: Client) => call(operations.updateService, SERVICE, { body: {} }),
  changeAfterOthers: ({ call }: Client) => call(operations.updateService, SERVICE, { body: {}, isUrgent: true }),
  create: ({ call }: Client) => call(operations.createService, SERVICE, { body: {}, idempotency: "create" }),
};

/** The outcome of a call, with its requests and waits. */
interface Course {
  /** Members of the result or of the error. */
  readonly outcome?: object;
  /** The beginning of the error's message. */
  readonly message?: RegExp;
  readonly requests?: number;
  readonly waits?: readonly number[];
  readonly said?: readonly string[];
}

const DONE = { id: ID };
const UNCERTAIN = { mayHaveSucceeded: true };
const busy = (seconds: number, status = 503) =>
  send(status, '{"requestId":"r-1","error":"BUSY: later"}', { "retry-after": String(seconds) });
const limited = (seconds: number) => send(429, "{}", { "retry-after": String(seconds) });
const bySlowClock = (status: number, seconds: number) =>
  send(status, "", { date: "Thu, 01 Jan 1970 02:00:00 GMT", "retry-after": `Thu, 01 Jan 1970 02:00:0${seconds} GMT` });
const LIMITED = { code: "CDB3429" };

test.each<[string, keyof typeof call, Step[], Course]>([
  [
    "temporary failures are retried, with a message from the second one on",
    "read",
    [send(503, ""), reset, good],
    { outcome: DONE, waits: [500, 1000], said: [expect.stringMatching("^Retrying: the connection was lost")] },
  ],
  ["a first retry that succeeds is silent", "read", [send(503, ""), good], { outcome: DONE, said: [] }],
  [
    "a failure that persists is reported with status, request id and attempts",
    "read",
    [send(500, JSON.stringify({ requestId: "r-9", error: "INTERNAL: oops", status: 500 }))],
    {
      outcome: { code: "CDB3500", response: { status: 500, apiCode: "INTERNAL", requestId: "r-9" } },
      message: /^the API returned 500, INTERNAL: oops \(GET .*, request id r-9, after 4 attempts\)/,
      requests: 4,
    },
  ],
  ["a creation whose connection is lost is not retried", "create", [reset], { outcome: UNCERTAIN, requests: 1 }],
  [
    "a creation that fails on the server is not retried",
    "create",
    [send(500, "{}")],
    { outcome: UNCERTAIN, requests: 1 },
  ],
  [
    "a creation with an invalid response is not retried",
    "create",
    [send(200, "{")],
    { outcome: UNCERTAIN, requests: 1 },
  ],
  ["a timeout is not a lost connection", "create", [() => {}], { message: /^the request timed out/, requests: 1 }],
  [
    "a change that may have succeeded stays uncertain, whatever fails later",
    "change",
    [reset, send(403, "{}")],
    { outcome: { ...UNCERTAIN, response: { status: 403 } }, requests: 2 },
  ],
  ...(["read", "change", "create"] as const).map((kind): [string, typeof kind, Step[], Course] => [
    `a response of more than 20 MB is final: ${kind}`,
    kind,
    [send(200, ok("x".repeat(21 * 1024 * 1024)))],
    {
      outcome: { code: "CDB3010", ...UNCERTAIN },
      message: /^the server returned more than 20 MB \(\w+ \S+\) \[CDB3010\]$/,
      requests: 1,
      waits: [],
    },
  ]),
  [
    "a 404 with a request id: the object is gone",
    "read",
    [send(404, '{"requestId":"r-1"}')],
    { outcome: { code: "CDB3404" } },
  ],
  [
    "a 404 with an invalid request id tells nothing",
    "read",
    [send(404, '{"requestId":""}')],
    { outcome: { code: "CDB3012" } },
  ],
  ["a 404 with a list tells nothing", "read", [send(404, "[]")], { outcome: { code: "CDB3012" } }],
  [
    "the observability API has no request ids",
    "readAlert",
    [send(404, '{"error":"NOT_FOUND: no such alert"}')],
    { outcome: { code: "CDB3404" } },
  ],
  ...(
    [
      [400, "CDB3012"],
      [401, "CDB3401"],
      [403, "CDB3012"],
      [502, "CDB3500"],
    ] as const
  ).map(([status, code]): [string, "create", Step[], Course] => [
    `a gateway's ${status}`,
    "create",
    [send(status, "<html>no</html>")],
    { outcome: { code, response: { status }, mayHaveSucceeded: status === 502 } },
  ]),
  [
    "a requested wait has one message",
    "change",
    [busy(30), good],
    {
      outcome: DONE,
      waits: [30_000],
      said: ["The API returned 503 and asked to wait 30 s before the next attempt. [CDB3008]"],
    },
  ],
  [
    "a requested wait is measured by the server's clock",
    "read",
    [bySlowClock(503, 7), bySlowClock(429, 3), good],
    { outcome: DONE, waits: [7000, 3000] },
  ],
  [
    "a requested wait that is too long fails at once",
    "change",
    [busy(61)],
    {
      message: /^the API returned 503 and asked to wait 61 s, BUSY: later \(PATCH .*, request id r-1\) \[CDB3500\]$/,
      requests: 1,
      waits: [],
      said: [],
    },
  ],
  [
    "a requested wait does not repeat a creation",
    "create",
    [busy(1)],
    { outcome: UNCERTAIN, message: /returned 503 and asked to wait 1 s, BUSY/, requests: 1 },
  ],
  [
    "a change waits until the object is ready",
    "change",
    [busy(45, 409), busy(45, 423), good],
    { outcome: DONE, waits: [45_000, 45_000] },
  ],
  [
    "a message about retries is repeated after half a minute",
    "change",
    [send(409, '{"requestId":"r-1"}')],
    {
      said: Array(4).fill(
        expect.stringMatching(/^Retrying: the API returned 409 \(PATCH .*, after \d+ attempts\)\. \[CDB3004\]$/),
      ),
    },
  ],
  [
    "a refusal by the rate limit does not count as a failed attempt, even for a creation",
    "create",
    [...Array(5).fill(limited(2)), send(200, ok({ service: { id: ID }, password: "pw" }))],
    { outcome: { password: "pw" }, requests: 6 },
  ],
  [
    "the rate limit delays a request for at most ten minutes",
    "read",
    [limited(301)],
    { outcome: LIMITED, requests: 2 },
  ],
  [
    "a rate limit of a day is quoted, and delays no request",
    "read",
    [limited(86_400)],
    { outcome: LIMITED, message: /returned 429 and asked to wait 86400 s/, requests: 1, waits: [] },
  ],
  [
    "the rate limit delays a change after others for at most a minute",
    "changeAfterOthers",
    [limited(90), good],
    { outcome: LIMITED, waits: [] },
  ],
  [
    "the rate limit delays a change that may have succeeded for at most a minute",
    "change",
    [send(503, ""), limited(90), good],
    { outcome: LIMITED, requests: 2 },
  ],
  ["the rate limit delays a read for longer", "read", [send(503, ""), limited(90), good], { outcome: DONE }],
])("%s", async (_, kind, steps, { outcome = {}, message, requests, waits, said }) => {
  const client = await serving(...steps);
  const settled = await call[kind](client).catch((error: unknown) => error);
  expect(settled).toMatchObject(outcome);
  if (message) expect((settled as Error).message).toMatch(message);
  if (requests) expect(seen).toHaveLength(requests);
  if (waits) expect(client.waits).toEqual(waits);
  if (said) expect(client.said).toEqual(said);
});

describe("a call", () => {
  test("sends the key, the client's name and its body as JSON", async () => {
    const client = await serving(good);
    await client.call(operations.updateService, SERVICE, { body: { name: "one" } });
    expect(seen).toHaveLength(1);
    const [{ request, body } = { request: undefined, body: "" }] = seen;
    expect(request?.method).toBe("PATCH");
    expect(request?.url).toBe(`/v1/organizations/${ORGANIZATION}/services/${ID}`);
    expect(request?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from("key:s3cret").toString("base64")}`,
      "content-type": "application/json",
      "user-agent": "test/1",
    });
    expect(JSON.parse(body)).toEqual({ name: "one" });
  });

  test("returns the documented members of a result", async () => {
    const answer = { id: ID, novelty: [1], password: "****", numReplicas: null, endpoints: [{ port: 1, tls: true }] };
    expect(await call.read(await serving(send(200, ok(answer))))).toEqual({ id: ID, endpoints: [{ port: 1 }] });
  });

  test.each([".", "..", ""])("rejects %j as part of a path", async (serviceId) => {
    const client = await serving(good);
    const reading = client.call(operations.getService, { ...SERVICE, serviceId });
    await expect(reading).rejects.toThrow("cannot be used in a request path");
    expect(seen).toHaveLength(0);
  });

  test("calls back before each attempt, and after an attempt that certainly did nothing", async () => {
    const told: string[] = [];
    const inFlight = {
      begin: async () => void told.push(`begin ${seen.length}`),
      end: async () => void told.push(`end ${seen.length}`),
    };
    const client = await serving(send(429, "{}"), send(400, "{}"), good, reset);
    const create = (more = inFlight) =>
      client.call(operations.createService, SERVICE, { body: {}, idempotency: "create", inFlight: more });
    await create().catch(() => {});
    expect(told.splice(0)).toEqual(["begin 0", "end 1", "begin 1", "end 2"]);
    await create().catch(() => {});
    await create().catch(() => {});
    expect(told).toEqual(["begin 2", "begin 3"]);
    const failing = { ...inFlight, begin: () => Promise.reject(new Error("no record")) };
    await expect(create(failing)).rejects.toThrow("no record");
    expect(seen).toHaveLength(4);
  });

  test("is not retried if the engine is gone, unless it is a read", async () => {
    const { baseUrl } = await serving(send(503, ""));
    let isThere = true;
    const client = clientAt(baseUrl, { isEngineAlive: async () => isThere });
    const change = call.change(client);
    while (seen.length === 0) await new Promise(setImmediate);
    isThere = false;
    await expect(change).rejects.toMatchObject({ code: "CDB3005", mayHaveSucceeded: true });
    expect(seen).toHaveLength(1);
    await expect(call.change(client)).rejects.toMatchObject({ code: "CDB3005", mayHaveSucceeded: false });
    await call.read(client).catch(() => {});
    expect(seen.length).toBeGreaterThan(1);
  });

  test.each([
    ["that nobody listens at", "http://127.0.0.1:1", "ECONNREFUSED"],
    ["that has no route", "http://255.255.255.255:1", "E[A-Z]+"],
    ["of several without a route", "http://several.example:1", "E[A-Z]+"],
    ["that does not resolve", "http://nowhere.example:1", "ENOTFOUND"],
  ])("of a creation to an address %s is repeated: it was never sent", async (_, baseUrl, code) => {
    // The system refuses to connect to any of these, and sends nothing.
    const several = ["255.255.255.255", "224.0.0.1"].map((address) => ({ address, family: 4 }));
    const unknown = Object.assign(new Error("not found"), { code: "ENOTFOUND", syscall: "getaddrinfo" });
    const lookup = (host: string, _options: object, done: (...matches: unknown[]) => void) =>
      setImmediate(() => (host === "several.example" ? done(null, several) : done(unknown)));
    jest.spyOn(dns, "lookup").mockImplementation(lookup as never);
    jest.replaceProperty(process, "env", { ...process.env, no_proxy: "*" });
    const creation = call.create(clientAt(baseUrl));
    await expect(creation).rejects.toMatchObject({
      code: "CDB3001",
      mayHaveSucceeded: false,
      request: { attempts: 4 },
    });
    await expect(creation).rejects.toThrow(
      new RegExp(`^could not connect to the server: ${code}( [\\d.]+:1)? \\(POST `),
    );
  });

  test.each<[string, () => Promise<Body | undefined>, string[]]>([
    ["what is left is sent", async () => ({ add: [2] }), ['{"add":[1,2]}', '{"add":[2]}']],
    ["nothing is left", async () => undefined, ['{"add":[1,2]}']],
  ])("of a list whose connection is lost is read first: %s", async (_, readFirst, bodies) => {
    const client = await serving(reset, good);
    const options = { body: { add: [1, 2] }, idempotency: "list", readFirst } as const;
    const result = await client.callUnlessDone(operations.updateService, SERVICE, options);
    expect(result?.id).toBe(bodies.length > 1 ? ID : undefined);
    expect(seen.map(({ body }) => body)).toEqual(bodies);
  });

  test("of a list stays uncertain if the object cannot be read", async () => {
    const client = await serving(reset, send(403, '{"requestId":"r-1"}'));
    const options = { body: { add: [1] }, idempotency: "list", readFirst: () => call.read(client) } as const;
    const error = { response: { status: 403 }, request: { method: "GET" }, mayHaveSucceeded: true };
    await expect(client.callUnlessDone(operations.updateService, SERVICE, options)).rejects.toMatchObject(error);
    expect(seen.map(({ request }) => request.method)).toEqual(["PATCH", "GET"]);
  });

  test.each([
    ["refuses connections", undefined, "could not connect to the server: ECONNREFUSED 127.0.0.1:1"],
    ["resets connections", reset, "the connection was lost: ECONNRESET"],
    ["fails", send(503, ""), "the server returned 503 with a body that is not from the API"],
    [
      "asks for short waits",
      send(503, "", { "retry-after": "1" }),
      "the server returned 503 and asked to wait 1 s with a body that is not from the API",
    ],
  ])("tells after the first retry that a server %s, once for all requests", async (_, step, reason) => {
    const client = step === undefined ? clientAt("http://127.0.0.1:1") : await serving(step);
    await Promise.allSettled([call.read(client), call.read(client)]);
    expect(client.said).toEqual([
      `Retrying: ${reason} (GET /v1/organizations/${ORGANIZATION}/services/${ID}, after 2 attempts). [CDB3004]`,
    ]);
  });

  test("backs off, and gives up, although the limit asks for almost no wait", async () => {
    const client = await serving(limited(0.001));
    const calls = Array.from({ length: 12 }, () => call.read(client));
    for (const outcome of await Promise.allSettled(calls)) expect(outcome).toMatchObject({ reason: LIMITED });
    // Ten at once at first, and then for ten minutes.
    expect(seen.length).toBeLessThan(1000);
  });
});

describe("a canceled command", () => {
  const canceling = () => {
    const controller = new AbortController();
    return { cancellation: controller.signal, onWait: () => controller.abort() };
  };
  const canceled = (request: string, again: string) =>
    expect.objectContaining({
      code: "CDB3006",
      mayHaveSucceeded: false,
      message: expect.stringMatching(
        `^the command was canceled while the request waited to be sent${again} \\(${request} /v1/[^,]*\\) \\[CDB3006\\]$`,
      ),
    });

  test.each([
    ["the rate limit is reached", "429", limited(300), "create", "POST"],
    ["a connection is refused", "ECONNREFUSED", undefined, "create", "POST"],
    ["an object is not ready", "409", send(409, "{}"), "change", "PATCH"],
    ["a read fails", "503", send(503, "{}"), "read", "GET"],
  ] as const)("sends no request again after %s", async (_, failure, step, kind, method) => {
    const baseUrl = step === undefined ? "http://127.0.0.1:1" : (await serving(step, good)).baseUrl;
    const outcome = call[kind](clientAt(baseUrl, canceling()));
    await expect(outcome).rejects.toEqual(canceled(method, ` again after ${failure}`));
    expect(seen.length).toBe(step === undefined ? 0 : 1);
  });

  test("sends nothing new", async () => {
    const { baseUrl } = await serving(good);
    await expect(call.read(clientAt(baseUrl, { cancellation: AbortSignal.abort() }))).rejects.toEqual(
      canceled("GET", ""),
    );
    expect(seen).toHaveLength(0);
  });

  test.each<[string, keyof typeof call, Step[]]>([
    ["has changed something", "changeAfterOthers", [limited(30), good]],
    ["may have changed something", "change", [reset, send(503, ""), good]],
  ])("finishes what %s", async (_, kind, steps) => {
    const { baseUrl } = await serving(...steps);
    const signals = new Set<unknown>();
    const { cancellation, onWait } = canceling();
    const onEachWait = (_ms: number, signal: AbortSignal | undefined) => {
      signals.add(signal);
      onWait();
    };
    expect(await call[kind](clientAt(baseUrl, { cancellation, onWait: onEachWait }))).toMatchObject(DONE);
    expect(signals.has(cancellation)).toBe(false);
  });
});
