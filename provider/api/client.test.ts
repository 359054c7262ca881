import dns from "node:dns";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { render } from "../errors";
import { createClient } from "./client";
import { basic } from "./http";
import { operation, SERVICE as PATH, SERVICES } from "./operations";
import { alert, created, service } from "./schemas";

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
    const client = await serving(send(200, ok(answer)));
    expect(await client.call(operations.getService, SERVICE)).toEqual({ id: ID, endpoints: [{ port: 1 }] });
  });

  test.each([".", "..", ""])("rejects %j as part of a path", async (serviceId) => {
    const client = await serving(good);
    await expect(client.call(operations.getService, { ...SERVICE, serviceId })).rejects.toThrow(
      "cannot be used in a request path",
    );
    expect(seen).toHaveLength(0);
  });

  test("cannot be redirected to another path by an id", async () => {
    const client = await serving(send(404, "{}"));
    await client.call(operations.getService, { ...SERVICE, serviceId: "../x?y#z" }).catch(() => {});
    expect(seen[0]?.request.url).toBe(`/v1/organizations/${ORGANIZATION}/services/..%2Fx%3Fy%23z`);
  });

  test("does not follow a redirect", async () => {
    const client = await serving(send(302, "", { location: "/elsewhere" }));
    await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });

  test("that is temporary is retried", async () => {
    const client = await serving(send(503, ""), reset, good);
    expect(await client.call(operations.getService, SERVICE)).toMatchObject({ id: ID });
    expect(client.waits).toEqual([500, 1000]);
  });

  test("tells of each attempt before it is sent, and of its end where it did nothing", async () => {
    const told: string[] = [];
    const inFlight = {
      begin: async () => void told.push(`begin ${seen.length}`),
      end: async () => void told.push(`end ${seen.length}`),
    };
    const client = await serving(send(429, "{}"), send(400, "{}"), good, reset);
    const call = () =>
      client.call(operations.createService, SERVICE, { body: {}, idempotency: "create", inFlight }).catch(() => {});
    await call();
    expect(told.splice(0)).toEqual(["begin 0", "end 1", "begin 1", "end 2"]);
    await call();
    await call();
    expect(told).toEqual(["begin 2", "begin 3"]);
    const failing = { ...inFlight, begin: () => Promise.reject(new Error("no record")) };
    const request = client.call(operations.createService, SERVICE, {
      body: {},
      idempotency: "create",
      inFlight: failing,
    });
    await expect(request).rejects.toThrow("no record");
    expect(seen).toHaveLength(4);
  });

  test("that persists is reported with status, request id and attempts", async () => {
    const client = await serving(send(500, JSON.stringify({ requestId: "r-9", error: "INTERNAL: oops", status: 500 })));
    const error = await client.call(operations.getService, SERVICE).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      status: 500,
      code: "CDB3500",
      apiCode: "INTERNAL",
      requestId: "r-9",
      attempts: 4,
    });
    expect(String(error)).toMatch(/the API returned 500, INTERNAL: oops \(GET .*, request id r-9, after 4 attempts\)/);
  });

  test("of a creation that the API may have received is not retried", async () => {
    for (const step of [reset, send(500, "{}"), send(200, "{")]) {
      const client = await serving(step);
      const call = client.call(operations.createService, SERVICE, { body: {}, idempotency: "create" });
      await expect(call).rejects.toMatchObject({ mayHaveSucceeded: true });
      expect(seen).toHaveLength(1);
      seen.length = 0;
    }
  });

  test("is not retried if the engine is gone, unless it is a read", async () => {
    const { baseUrl } = await serving(send(503, ""));
    let isThere = true;
    const client = clientAt(baseUrl, { isEngineAlive: async () => isThere });
    const change = client.call(operations.updateService, SERVICE, { body: {} });
    while (seen.length === 0) await new Promise(setImmediate);
    isThere = false;
    await expect(change).rejects.toMatchObject({ code: "CDB3005", mayHaveSucceeded: true });
    expect(seen).toHaveLength(1);
    await expect(client.call(operations.updateService, SERVICE, { body: {} })).rejects.toMatchObject({
      code: "CDB3005",
      mayHaveSucceeded: false,
    });
    await client.call(operations.getService, SERVICE).catch(() => {});
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
    const client = clientAt(baseUrl);
    const call = client.call(operations.createService, SERVICE, { body: {}, idempotency: "create" });
    await expect(call).rejects.toMatchObject({ name: "UnreachableError", mayHaveSucceeded: false, attempts: 4 });
    await expect(call).rejects.toThrow(new RegExp(`^could not connect to the server: ${code} \\(POST `));
  });

  test("after which the request may have succeeded stays uncertain, whatever fails later", async () => {
    const client = await serving(reset, send(403, "{}"));
    const call = client.call(operations.updateService, SERVICE, { body: {} });
    await expect(call).rejects.toMatchObject({ status: 403, mayHaveSucceeded: true });
  });

  test("after which the request may have succeeded stays uncertain if the object cannot be read", async () => {
    const client = await serving(reset, send(403, '{"requestId":"r-1"}'));
    const call = client.callUnlessDone(operations.updateService, SERVICE, {
      body: { ipAccessList: { add: [1] } },
      idempotency: "list",
      readFirst: () => client.call(operations.getService, SERVICE),
    });
    await expect(call).rejects.toMatchObject({ status: 403, method: "GET", mayHaveSucceeded: true });
    expect(seen.map(({ request }) => request.method)).toEqual(["PATCH", "GET"]);
  });

  test("of a list change leads to a read before it is resent", async () => {
    const client = await serving(reset, good);
    const result = await client.callUnlessDone(operations.updateService, SERVICE, {
      body: { ipAccessList: { add: [1, 2] } },
      idempotency: "list",
      readFirst: async () => ({ ipAccessList: { add: [2] } }),
    });
    expect(result).toMatchObject({ id: ID });
    expect(seen.map(({ body }) => body)).toEqual(['{"ipAccessList":{"add":[1,2]}}', '{"ipAccessList":{"add":[2]}}']);
  });

  test("of a list change is not retried if the read shows that it was applied", async () => {
    const client = await serving(reset);
    const options = { body: { a: 1 }, idempotency: "list", readFirst: async () => undefined } as const;
    expect(await client.callUnlessDone(operations.updateService, SERVICE, options)).toBeUndefined();
    expect(seen).toHaveLength(1);
  });

  test.each([
    ["of a read", operations.getService, "read"],
    ["of a change", operations.updateService, "set"],
    ["of a creation", operations.createService, "create"],
  ] as const)(
    "%s whose response is larger than 20 MB is neither a lost connection nor retried",
    async (_, operation, idempotency) => {
      const { call, waits } = await serving(send(200, ok("x".repeat(21 * 1024 * 1024))));
      await expect(call<unknown>(operation, SERVICE, { idempotency })).rejects.toMatchObject({
        code: "CDB3010",
        message: expect.stringMatching(/^the server returned more than 20 MB \(\w+ \S+\) \[CDB3010\]$/),
        mayHaveSucceeded: true,
      });
      expect([seen.length, waits]).toEqual([1, []]);
    },
  );

  test("by timeout is reported as a timeout", async () => {
    const client = await serving(() => {});
    const call = client.call(operations.createService, SERVICE, { body: {}, idempotency: "create" });
    await expect(call).rejects.toThrow("the request timed out");
  });

  test.each([
    ["the API's", '{"requestId":"r-1","error":"NOT_FOUND: no such service","status":404}'],
    ["nothing but a request id", '{"requestId":"r-1"}'],
  ])("returned 404 with %s tells that the object is gone", async (_, body) => {
    const client = await serving(send(404, body));
    await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ name: "NotFoundError" });
  });

  test.each([
    ["<html>not here</html>", ": not here"],
    ["", ""],
    ["{}", ""],
    ["null", ""],
    ["[]", ""],
    ['{"timestamp":"2026-11-21T10:00:00Z","status":404,"error":"Not Found","path":"/v1"}', ": Not Found"],
    ['{"message":"no Route matched with those values"}', ": no Route matched with those values"],
    ['{"requestId":7,"error":"NOT_FOUND: no such service"}', ": NOT_FOUND: no such service"],
    ['{"requestId":null,"status":404}', ""],
    ['{"requestId":"","status":404}', ""],
  ])("returned 404 with %s tells nothing of the object", async (body, told) => {
    const client = await serving(send(404, body));
    const error = await client.call(operations.getService, SERVICE).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: "CDB3012", status: 404 });
    expect(String(error)).toContain(`: the server returned 404 with a body that is not from the API${told} (GET /v1/`);
  });

  test("is recognized only by a request id, except from the observability API, which has none", async () => {
    const client = await serving(send(404, '{"error":"NOT_FOUND: no such alert"}'));
    const call = client.call(operations.getAlert, { id: "alert-1" });
    await expect(call).rejects.toMatchObject({ name: "NotFoundError" });
  });

  test("with a status but no request id is reported with that status", async () => {
    for (const [status, code] of Object.entries({
      400: "CDB3012",
      401: "CDB3401",
      403: "CDB3012",
      502: "CDB3500",
    })) {
      const client = clientAt((await serving(send(Number(status), "<html>no</html>"))).baseUrl);
      await expect(
        client.call(operations.createService, SERVICE, { body: {}, idempotency: "create" }),
      ).rejects.toMatchObject({ code, status: Number(status), mayHaveSucceeded: status === "502" });
      seen.length = 0;
    }
  });
});

describe("a server that asks the client to wait", () => {
  const busy = (seconds: number | string, status = 503) =>
    send(status, '{"requestId":"r-1","error":"BUSY: later"}', { "retry-after": String(seconds) });

  test("is obeyed, with one message", async () => {
    const client = await serving(busy(30), good);
    expect(await client.call(operations.updateService, SERVICE, { body: {} })).toMatchObject({ id: ID });
    expect(client.waits).toEqual([30_000]);
    expect(client.said).toEqual(["The API returned 503 and asked to wait 30 s before the next attempt. [CDB3008]"]);
  });

  test("is measured by its own clock, not this machine's", async () => {
    const date = "Thu, 01 Jan 1970 02:00:00 GMT";
    const client = await serving(
      send(503, "", { date, "retry-after": "Thu, 01 Jan 1970 02:00:07 GMT" }),
      send(429, "", { date, "retry-after": "Thu, 01 Jan 1970 02:00:03 GMT" }),
      good,
    );
    expect(await client.call(operations.getService, SERVICE)).toMatchObject({ id: ID });
    expect(client.waits).toEqual([7000, 3000]);
  });

  test("for longer than the time left causes an immediate failure that states the wait", async () => {
    const client = await serving(busy(61));
    const change = client.call(operations.updateService, SERVICE, { body: {} });
    await expect(change).rejects.toThrow(
      /^the API returned 503 and asked to wait 61 s, BUSY: later \(PATCH .*, request id r-1\) \[CDB3500\]$/,
    );
    expect(seen).toHaveLength(1);
    expect(client.waits).toEqual([]);
    expect(client.said).toEqual([]);
  });

  test("does not cause a creation to be resent", async () => {
    const client = await serving(busy(1));
    const call = client.call(operations.createService, SERVICE, { body: {}, idempotency: "create" });
    await expect(call).rejects.toThrow("returned 503 and asked to wait 1 s, BUSY");
    await expect(call).rejects.toMatchObject({ mayHaveSucceeded: true, attempts: 1 });
    expect(seen).toHaveLength(1);
  });

  test("until an object is ready delays a change", async () => {
    const client = await serving(busy(45, 409), busy(45, 423), good);
    expect(await client.call(operations.updateService, SERVICE, { body: {} })).toMatchObject({ id: ID });
    expect(client.waits).toEqual([45_000, 45_000]);
  });

  test("for a day because of a rate limit is quoted", async () => {
    const client = await serving(busy(86_400, 429));
    await expect(client.call(operations.getService, SERVICE)).rejects.toThrow("returned 429 and asked to wait 86400 s");
  });
});

describe("messages about retries", () => {
  test.each([
    ["refuses connections", undefined, "could not connect to the server: ECONNREFUSED"],
    ["resets connections", reset, "the connection was lost: ECONNRESET"],
    ["fails", send(503, ""), "the server returned 503 with a body that is not from the API"],
    [
      "asks for short waits",
      send(503, "", { "retry-after": "1" }),
      "the server returned 503 and asked to wait 1 s with a body that is not from the API",
    ],
  ])("say after the first retry that a server %s, once for all requests", async (_, step, reason) => {
    const { call, said } = step === undefined ? clientAt("http://127.0.0.1:1") : await serving(step);
    await Promise.allSettled([call(operations.getService, SERVICE), call(operations.getService, SERVICE)]);
    expect(said).toEqual([
      `Retrying: ${reason} (GET /v1/organizations/${ORGANIZATION}/services/${ID}, after 2 attempts). [CDB3004]`,
    ]);
  });

  test("are sent again after half a minute", async () => {
    const client = await serving(send(409, '{"requestId":"r-1"}'));
    await client.call(operations.updateService, SERVICE, { body: {} }).catch(() => {});
    expect(client.said).toHaveLength(4);
    expect(client.said[3]).toMatch(/^Retrying: the API returned 409 \(PATCH .*, after \d\d attempts\)\. \[CDB3004\]$/);
  });

  test("are not sent if the first retry succeeds", async () => {
    const client = await serving(send(503, ""), good);
    await client.call(operations.getService, SERVICE);
    expect(client.said).toEqual([]);
  });
});

describe("a canceled command", () => {
  const canceling = () => {
    const controller = new AbortController();
    return { cancellation: controller.signal, onWait: () => controller.abort() };
  };
  const limited = send(429, "{}", { "retry-after": "300" });
  const canceled = (request: string, again = "") =>
    expect.objectContaining({
      name: "CanceledError",
      mayHaveSucceeded: false,
      message: expect.stringMatching(
        `^the command was canceled while the request waited to be sent${again} \\(${request} /v1/[^,]*\\) \\[CDB3006\\]$`,
      ),
    });

  test("ends the wait for a rate limit", async () => {
    const { baseUrl } = await serving(limited, good);
    const call = clientAt(baseUrl, canceling()).call(operations.createService, SERVICE, {
      body: {},
      idempotency: "create",
    });
    await expect(call).rejects.toEqual(canceled("POST", " again after 429"));
    expect(seen).toHaveLength(1);
  });

  test.each([
    [
      "a connection is refused",
      "ECONNREFUSED",
      undefined,
      { body: {}, idempotency: "create" },
      operations.createService,
    ],
    ["an object is not ready", "409", send(409, "{}"), { body: {} }, operations.updateService],
    ["a read fails", "503", send(503, "{}"), {}, operations.getService],
  ] as const)("sends no request again after %s", async (_, failure, step, options, operation) => {
    const baseUrl = step === undefined ? "http://127.0.0.1:1" : (await serving(step, good)).baseUrl;
    const call = clientAt(baseUrl, canceling()).call<unknown>(operation, SERVICE, options);
    await expect(call).rejects.toEqual(canceled(operation.method, ` again after ${failure}`));
    expect(seen.length).toBe(step === undefined ? 0 : 1);
  });

  test("sends nothing new", async () => {
    const { baseUrl } = await serving(good);
    const client = clientAt(baseUrl, { cancellation: AbortSignal.abort() });
    await expect(client.call(operations.getService, SERVICE)).rejects.toEqual(canceled("GET"));
    expect(seen).toHaveLength(0);
  });

  test("finishes what has changed something, or may have", async () => {
    const urgent = await serving(send(429, "{}", { "retry-after": "30" }), good);
    const client = clientAt(urgent.baseUrl, canceling());
    expect(await client.call(operations.updateService, SERVICE, { body: {}, isUrgent: true })).toMatchObject({
      id: ID,
    });
    seen.length = 0;
    const uncertain = await serving(reset, send(503, ""), good);
    const signals: unknown[] = [];
    const { cancellation, onWait } = canceling();
    const late = clientAt(uncertain.baseUrl, {
      cancellation,
      onWait: (_, signal) => {
        signals.push(signal);
        onWait();
      },
    });
    expect(await late.call(operations.updateService, SERVICE, { body: {} })).toMatchObject({ id: ID });
    expect(signals).toEqual([undefined, undefined]);
  });
});

describe("a rate limit", () => {
  test("delays requests, also creations, and does not count as a failed attempt", async () => {
    const limit = send(429, '{"error":"TOO_MANY_REQUESTS"}', { "retry-after": "2" });
    const created = send(200, ok({ service: { id: ID }, password: "pw" }));
    const client = await serving(limit, limit, limit, limit, limit, created);
    expect(await client.call(operations.createService, SERVICE, { body: {}, idempotency: "create" })).toMatchObject({
      password: "pw",
    });
    expect(seen).toHaveLength(6);
  });

  test("delays a request for at most ten minutes", async () => {
    const client = await serving(send(429, "{}", { "retry-after": "301" }));
    await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ name: "RateLimitError" });
    expect(seen).toHaveLength(2);
  });

  test("delays an update that has begun for at most a minute, and a read for ten", async () => {
    const limit = send(429, "{}", { "retry-after": "90" });
    const pressing = await serving(limit, good);
    const call = pressing.call(operations.updateService, SERVICE, { body: {}, isUrgent: true });
    await expect(call).rejects.toMatchObject({ name: "RateLimitError" });
    expect(pressing.waits).toEqual([]);
    seen.length = 0;
    const landed = await serving(send(503, ""), limit, good);
    await expect(landed.call(operations.updateService, SERVICE, { body: {} })).rejects.toMatchObject({ status: 429 });
    seen.length = 0;
    const read = await serving(send(503, ""), limit, good);
    expect(await read.call(operations.getService, SERVICE)).toMatchObject({ id: ID });
  });

  test("of a day delays no request", async () => {
    const client = await serving(send(429, "{}", { "retry-after": "86400" }));
    for (let round = 0; round < 2; round += 1) {
      await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ name: "RateLimitError" });
    }
    expect(client.waits).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  test("that asks for next to no wait is not asked again without a pause, or without an end", async () => {
    const client = await serving(send(429, "{}", { "retry-after": "0.001" }));
    const calls = Array.from({ length: 12 }, () => client.call(operations.getService, SERVICE));
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ reason: { name: "RateLimitError" } });
    }
    // Ten at once at first, and then for ten minutes.
    expect(seen.length).toBeLessThan(1000);
  });
});
