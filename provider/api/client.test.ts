import dns from "node:dns";
import { z } from "zod";
import {
  call,
  clientAt,
  good,
  ID,
  ORGANIZATION,
  ok,
  reset,
  SERVICE,
  seen,
  send,
  serving,
} from "../../tests/support/scripted-client";
import { endpoints, operationsOf } from "./endpoints";

describe("calls", () => {
  test("a call sends the key, the client's name and its body as JSON", async () => {
    const client = await serving(good);
    await client.call(endpoints.updateService, SERVICE, { body: { name: "one" } });
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

  test("a call returns the documented members of a result", async () => {
    const answer = {
      id: ID,
      novelty: [1],
      password: "****",
      numReplicas: null,
      endpoints: [{ port: 1, tls: true }],
    };
    expect(await call.read(await serving(send(200, ok(answer))))).toEqual({
      id: ID,
      endpoints: [{ port: 1 }],
    });
  });

  test("a result must have the id in the path, unless the request creates an object", async () => {
    const result = { id: "another" };
    const operationFor = (method: "PATCH" | "POST") =>
      operationsOf("management")(method, "/v1/{serviceId}", z.object({ id: z.string() }));
    const callWith = async (method: "PATCH" | "POST") => {
      const client = await serving(send(200, ok(result)));
      return client.call(operationFor(method), { serviceId: ID }, { body: {} });
    };
    expect(await callWith("POST")).toEqual(result);
    await expect(callWith("PATCH")).rejects.toThrow("a different object than requested");
  });

  test.each([".", "..", ""])("a call rejects %j as part of a path", async (serviceId) => {
    const client = await serving(good);
    const reading = client.call(endpoints.getService, { ...SERVICE, serviceId });
    await expect(reading).rejects.toThrow("cannot be used in a request path");
    expect(seen).toHaveLength(0);
  });

  test("a call reports each attempt before it is sent, and each attempt that certainly had no effect", async () => {
    const told: string[] = [];
    const inFlight = {
      begin: async () => void told.push(`begin ${seen.length}`),
      end: async () => void told.push(`end ${seen.length}`),
    };
    const client = await serving(send(429, "{}"), send(400, "{}"), good, reset);
    const create = (more = inFlight) =>
      client.call(endpoints.createService, SERVICE, {
        body: {},
        idempotency: "create",
        inFlight: more,
      });
    await create().catch(() => {});
    expect(told.splice(0)).toEqual(["begin 0", "end 1", "begin 1", "end 2"]);
    await create().catch(() => {});
    await create().catch(() => {});
    expect(told).toEqual(["begin 2", "begin 3"]);
    const failing = { ...inFlight, begin: () => Promise.reject(new Error("no record")) };
    await expect(create(failing)).rejects.toThrow("no record");
    expect(seen).toHaveLength(4);
  });

  test("a change is not retried once the engine is gone, but a read is", async () => {
    const { baseUrl } = await serving(send(503, ""));
    let isThere = true;
    const client = clientAt(baseUrl, { isEngineAlive: async () => isThere });
    const change = call.change(client);
    while (seen.length === 0) await new Promise(setImmediate);
    isThere = false;
    await expect(change).rejects.toMatchObject({ code: "CDB3005", mayHaveSucceeded: true });
    expect(seen).toHaveLength(1);
    await expect(call.change(client)).rejects.toMatchObject({
      code: "CDB3005",
      mayHaveSucceeded: false,
    });
    await call.read(client).catch(() => {});
    expect(seen.length).toBeGreaterThan(1);
  });

  test.each([
    ["refuses connections", "http://127.0.0.1:1", "ECONNREFUSED"],
    ["has no route", "http://255.255.255.255:1", "E[A-Z]+"],
    ["resolves to hosts without a route", "http://several.example:1", "E[A-Z]+"],
    ["does not resolve", "http://nowhere.example:1", "ENOTFOUND"],
  ])(
    "a creation is retried if its address %s, since no request was sent",
    async (_, baseUrl, code) => {
      // The system refuses to connect to any of these, and sends nothing.
      const several = ["255.255.255.255", "224.0.0.1"].map((address) => ({ address, family: 4 }));
      const unknown = Object.assign(new Error("not found"), {
        code: "ENOTFOUND",
        syscall: "getaddrinfo",
      });
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
    },
  );

  test("a list change whose effect cannot be read stays uncertain", async () => {
    const client = await serving(reset, send(403, '{"requestId":"r-1"}'));
    const options = {
      body: { add: [1] },
      idempotency: "list",
      readFirst: () => call.read(client),
    } as const;
    const error = { response: { status: 403 }, request: { method: "GET" }, mayHaveSucceeded: true };
    await expect(
      client.callUnlessDone(endpoints.updateService, SERVICE, options),
    ).rejects.toMatchObject(error);
    expect(seen.map(({ request }) => request.method)).toEqual(["PATCH", "GET"]);
  });

  test("a second retry logs its reason, once for all requests", async () => {
    const client = await serving(reset);
    await Promise.allSettled([call.read(client), call.read(client)]);
    expect(client.said).toEqual([
      `Retrying: the connection was lost: ECONNRESET (GET /v1/organizations/${ORGANIZATION}/services/${ID}, after 2 attempts). [CDB3004]`,
    ]);
  });
});

// tests/contract/plugin/waits.test.ts cancels calls that wait for the rate limit.
describe("cancellation", () => {
  const canceling = () => {
    const controller = new AbortController();
    return { cancellation: controller.signal, onWait: () => controller.abort() };
  };
  test.each([
    ["a connection is refused", "ECONNREFUSED", undefined, "create", "POST"],
    ["an object is not ready", "409", send(409, "{}"), "change", "PATCH"],
    ["a read fails", "503", send(503, "{}"), "read", "GET"],
  ] as const)(
    "a canceled command sends no request again after %s",
    async (_, failure, step, kind, method) => {
      const baseUrl =
        step === undefined ? "http://127.0.0.1:1" : (await serving(step, good)).baseUrl;
      const outcome = call[kind](clientAt(baseUrl, canceling()));
      await expect(outcome).rejects.toMatchObject({ code: "CDB3006", mayHaveSucceeded: false });
      await expect(outcome).rejects.toThrow(
        new RegExp(
          `^the command was canceled while the request waited to be sent again after ${failure} \\(${method} /v1/[^,]*\\) \\[CDB3006\\]$`,
        ),
      );
      expect(seen.length).toBe(step === undefined ? 0 : 1);
    },
  );

  test("a canceled command finishes a request that may have changed something", async () => {
    const { baseUrl } = await serving(reset, send(503, ""), good);
    const signals = new Set<unknown>();
    const { cancellation, onWait: cancel } = canceling();
    const onWait = (_ms: number, signal: AbortSignal | undefined) => {
      signals.add(signal);
      cancel();
    };
    expect(await call.change(clientAt(baseUrl, { cancellation, onWait }))).toMatchObject({
      id: ID,
    });
    expect(signals.has(cancellation)).toBe(false);
  });
});
