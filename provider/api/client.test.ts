import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basic, createClient } from "./client";
import { operations } from "./operations";

const ID = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";
const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";
const SERVICE = { organizationId: ORGANIZATION, serviceId: ID };
const ok = (result: unknown) => JSON.stringify({ status: 200, requestId: "r-1", result });

const servers: Server[] = [];
const seen: { request: IncomingMessage; body: string }[] = [];

afterEach(() => {
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
  return { ...clientAt(port), port };
}

function clientAt(port: number, isAwaited = async () => true) {
  let now = 0;
  const waits: number[] = [];
  const client = createClient(
    {
      baseUrl: `http://127.0.0.1:${port}`,
      authorization: basic("key", "s3cret"),
      requestTimeoutSeconds: 1,
      maxRetries: 3,
      userAgent: "test/1",
    },
    {
      clock: {
        now: () => now,
        sleep: async (ms) => {
          waits.push(ms);
          now += ms;
        },
      },
      random: () => 1,
      say: () => {},
      redacted: (text) => text,
      isAwaited,
    },
  );
  return { ...client, waits };
}

const send =
  (status: number, body: string, headers: Record<string, string> = {}): Step =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
const good = send(200, ok({ id: ID, name: "one" }));
const reset: Step = (request) => request.socket.resetAndDestroy();

describe("a call", () => {
  test("carries the key, the name of the client, and its body as JSON", async () => {
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

  test("gives the documented members of a result", async () => {
    const answer = { id: ID, novelty: [1], password: "****", numReplicas: null, endpoints: [{ port: 1, tls: true }] };
    const client = await serving(send(200, ok(answer)));
    expect(await client.call(operations.getService, SERVICE)).toEqual({ id: ID, endpoints: [{ port: 1 }] });
  });

  test.each([".", "..", ""])("refuses %j as a part of a path", async (serviceId) => {
    const client = await serving(good);
    await expect(client.call(operations.getService, { ...SERVICE, serviceId })).rejects.toThrow(
      "cannot stand in a request path",
    );
    expect(seen).toHaveLength(0);
  });

  test("cannot be led to another path", async () => {
    const client = await serving(send(404, "{}"));
    await client.call(operations.getService, { ...SERVICE, serviceId: "../x?y#z" }).catch(() => {});
    expect(seen[0]?.request.url).toBe(`/v1/organizations/${ORGANIZATION}/services/..%2Fx%3Fy%23z`);
  });

  test("does not follow a redirect", async () => {
    const client = await serving(send(302, "", { location: "/elsewhere" }));
    await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });

  test("that passes is sat out", async () => {
    const client = await serving(send(503, ""), reset, good);
    expect(await client.call(operations.getService, SERVICE)).toMatchObject({ id: ID });
    expect(client.waits).toEqual([500, 1000]);
  });

  test("that stays is told with status, request id and attempts", async () => {
    const client = await serving(send(500, JSON.stringify({ requestId: "r-9", error: "INTERNAL: oops", status: 500 })));
    const error = await client.call(operations.getService, SERVICE).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: "ServerError", status: 500, code: "INTERNAL", requestId: "r-9", attempts: 4 });
    expect(String(error)).toMatch(/the API answered 500, INTERNAL: oops \(GET .*, request id r-9, after 4 attempts\)/);
  });

  test("of a creation that may have been received is not repeated", async () => {
    for (const step of [reset, send(500, "{}"), send(200, "{")]) {
      const client = await serving(step);
      const call = client.call(operations.createService, SERVICE, { body: {}, repeatable: "create" });
      await expect(call).rejects.toMatchObject({ mayHaveLanded: true });
      expect(seen).toHaveLength(1);
      seen.length = 0;
    }
  });

  test("for want of an engine that stores it is not begun, unless it reads", async () => {
    const { port } = await serving(send(503, ""));
    let isThere = true;
    const client = clientAt(port, async () => isThere);
    const change = client.call(operations.updateService, SERVICE, { body: {} });
    while (seen.length === 0) await new Promise(setImmediate);
    isThere = false;
    await expect(change).rejects.toMatchObject({ name: "DesertedError", mayHaveLanded: true });
    expect(seen).toHaveLength(1);
    await expect(client.call(operations.updateService, SERVICE, { body: {} })).rejects.toMatchObject({
      name: "DesertedError",
      mayHaveLanded: false,
    });
    await client.call(operations.getService, SERVICE).catch(() => {});
    expect(seen.length).toBeGreaterThan(1);
  });

  test("of a creation that was never sent is repeated", async () => {
    const client = clientAt(1);
    const call = client.call(operations.createService, SERVICE, { body: {}, repeatable: "create" });
    await expect(call).rejects.toMatchObject({ name: "UnreachableError", mayHaveLanded: false, attempts: 4 });
  });

  test("that may have landed stays uncertain, whatever fails after it", async () => {
    const client = await serving(reset, send(403, "{}"));
    const call = client.call(operations.updateService, SERVICE, { body: {} });
    await expect(call).rejects.toMatchObject({ status: 403, mayHaveLanded: true });
  });

  test("of a list change is looked at before it is sent again", async () => {
    const client = await serving(reset, good);
    const result = await client.call(operations.updateService, SERVICE, {
      body: { ipAccessList: { add: [1, 2] } },
      repeatable: "list",
      readFirst: async () => ({ ipAccessList: { add: [2] } }),
    });
    expect(result).toMatchObject({ id: ID });
    expect(seen.map(({ body }) => body)).toEqual(['{"ipAccessList":{"add":[1,2]}}', '{"ipAccessList":{"add":[2]}}']);
  });

  test("of a list change that turns out to be done is over", async () => {
    const client = await serving(reset);
    const options = { body: { a: 1 }, repeatable: "list", readFirst: async () => undefined } as const;
    expect(await client.call(operations.updateService, SERVICE, options)).toBeUndefined();
    expect(seen).toHaveLength(1);
  });

  test("for want of an answer in time is told as such", async () => {
    const client = await serving(() => {});
    const call = client.call(operations.createService, SERVICE, { body: {}, repeatable: "create" });
    await expect(call).rejects.toThrow("no answer came in time");
  });

  test("with a page that is not the API's is no missing object", async () => {
    const client = await serving(send(404, "<html>not here</html>"));
    await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ name: "ForeignAnswerError" });
  });
});

describe("a rate limit", () => {
  test("is waited for, also by a creation, and does not count as a failure", async () => {
    const limit = send(429, '{"error":"TOO_MANY_REQUESTS"}', { "retry-after": "2" });
    const created = send(200, ok({ service: { id: ID }, password: "pw" }));
    const client = await serving(limit, limit, limit, limit, limit, created);
    expect(await client.call(operations.createService, SERVICE, { body: {}, repeatable: "create" })).toMatchObject({
      password: "pw",
    });
    expect(seen).toHaveLength(6);
  });

  test("is waited for ten minutes at most", async () => {
    const client = await serving(send(429, "{}", { "retry-after": "301" }));
    await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ name: "RateLimitError" });
    expect(seen).toHaveLength(2);
  });

  test("is waited for a minute at most by what has changed something already, and by a read for ten all the same", async () => {
    const limit = send(429, "{}", { "retry-after": "90" });
    const pressing = await serving(limit, good);
    const call = pressing.call(operations.updateService, SERVICE, { body: {}, isPressing: true });
    await expect(call).rejects.toMatchObject({ name: "RateLimitError" });
    expect(pressing.waits).toEqual([]);
    seen.length = 0;
    const landed = await serving(send(503, ""), limit, good);
    await expect(landed.call(operations.updateService, SERVICE, { body: {} })).rejects.toMatchObject({ status: 429 });
    seen.length = 0;
    const read = await serving(send(503, ""), limit, good);
    expect(await read.call(operations.getService, SERVICE)).toMatchObject({ id: ID });
  });

  test("of a day is not waited for, by nobody", async () => {
    const client = await serving(send(429, "{}", { "retry-after": "86400" }));
    for (let round = 0; round < 2; round += 1) {
      await expect(client.call(operations.getService, SERVICE)).rejects.toMatchObject({ name: "RateLimitError" });
    }
    expect(client.waits).toEqual([]);
    expect(seen).toHaveLength(1);
  });
});
