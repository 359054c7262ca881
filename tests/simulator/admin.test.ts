import { request } from "node:http";
import { type Seed, startSimulator } from "../../simulator/index";
import exampleSeed from "../../simulator/seeds/example.json";
import { started } from "./support/started";

const seed = exampleSeed as unknown as Seed;
type Found = { count: number; requests: Record<string, unknown>[] };

describe("the journal", () => {
  test("tells requests without their secrets, and unknown paths, but not what steers", async () => {
    const { call, create } = await started();
    await create({ encryptionKey: "d1sk-key" });
    await call("GET", "/v1/nothing");
    const found = (await call("GET", "/__admin/requests")).body as never as Found;
    expect(found.requests).toMatchObject([
      { method: "POST", body: { encryptionKey: "[secret]" }, status: 200, at: expect.stringMatching(/Z$/) },
      { method: "GET", path: "/v1/nothing", status: 404, requestId: expect.any(String) },
    ]);
  });

  test.each([
    ["method=PATCH", 2],
    ["path=replicaScaling", 1],
    ["status=400", 1],
    ["status=2xx", 3],
    ["method=PATCH&status=2xx&path=replica", 0],
    ["since=2020-01-01T00:00:00Z&until=2999-01-01T00:00:00Z", 4],
    ["until=2020-01-01T00:00:00Z", 0],
  ])("finds and counts by %s", async (query, count) => {
    const { call, created } = await started();
    const path = await created();
    await call("GET", path);
    await call("PATCH", path, { name: "x" });
    await call("PATCH", `${path}/replicaScaling`, { numReplicas: 0 });
    const found = (await call("GET", `/__admin/requests?${query}`)).body as never as Found;
    expect([found.count, found.requests.length]).toEqual([count, count]);
  });

  test("is told live, with what changes", async () => {
    const { baseUrl, create } = await started();
    const aborted = new AbortController();
    const response = await fetch(`${baseUrl}/__admin/events`, { signal: aborted.signal });
    const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (part: string) => {
      while (!text.includes(part)) text += (await reader.read()).value ?? "";
    };
    await until("event: hello");
    await create({ name: "live", encryptionKey: "d1sk-key" });
    await until("event: request");
    expect(text).toMatch(/event: changed\ndata: .*"name":"live"/);
    expect(text).not.toContain("d1sk-key");
    aborted.abort();
  });
});

describe("what steers it", () => {
  test("shows everything that exists, without secrets", async () => {
    const { call, create } = await started({ seed });
    await create({ encryptionKey: "d1sk-key" });
    const { text } = await call("GET", "/__admin/state");
    expect(JSON.parse(text)).toMatchObject({
      organizations: [
        { name: "Example organization", services: [{ name: "Analytics", pipes: expect.any(Array) }, {}, {}] },
      ],
      alerts: [{ id: "alert-errors" }],
      faults: [],
    });
    expect(text).not.toContain("d1sk-key");
  });

  test("begins anew, as at the start or as another seed says", async () => {
    const { call, created } = await started();
    const path = await created();
    expect((await call("PUT", "/__admin/seed", { organizations: "none" })).status).toBe(400);
    expect((await call("GET", path)).status).toBe(200);
    await call("PUT", "/__admin/seed", seed);
    expect((await call("GET", path)).status).toBe(404);
    expect((await call("GET", path.replace(/[^/]+$/, "a1b2c3d4-0001-4a53-9c1e-000000000001"))).status).toBe(200);
    await call("POST", "/__admin/reset");
    expect((await call("GET", path.replace(/[^/]+$/, "a1b2c3d4-0001-4a53-9c1e-000000000001"))).status).toBe(404);
  });

  test("rotates keys", async () => {
    const { call, create } = await started();
    await call("PUT", "/__admin/credentials", { keySecret: "other" });
    expect((await create()).status).toBe(401);
  });

  test("sets the clock forward", async () => {
    const { call, create } = await started();
    await call("PUT", "/__admin/clock", { advanceSeconds: 86_400 });
    const { service } = (await create()).body.result as { service: { createdAt: string } };
    expect(Date.parse(service.createdAt)).toBeGreaterThan(Date.now() + 86_000_000);
  });

  test("is for no other site's pages", async () => {
    const { call } = await started();
    const answer = await call("GET", "/__admin/state", undefined, { "sec-fetch-site": "cross-site" });
    expect([answer.status, answer.body.error]).toEqual([403, expect.stringMatching(/^FORBIDDEN: /)]);
  });
});

describe("where it listens", () => {
  test("is this machine alone", async () => {
    const { baseUrl } = await started();
    expect(new URL(baseUrl).hostname).toBe("127.0.0.1");
  });

  test("is elsewhere only with credentials of one's own", async () => {
    const open = { host: "0.0.0.0", keyId: "k", keySecret: "s" };
    await expect(startSimulator(open)).rejects.toThrow("--access-token");
    const { baseUrl, call } = await started({ ...open, accessToken: "t" });
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    expect((await call("GET", "/__admin/health")).status).toBe(200);
  });

  test("on another loopback address needs none", async () => {
    const { call } = await started({ host: "127.0.0.2" });
    expect((await call("GET", "/__admin/health")).status).toBe(200);
  });
});

test("the document that requests are validated from is served", async () => {
  const { call } = await started();
  const document = (await call("GET", "/openapi.json")).body as never as { paths: Record<string, object> };
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.keys(path).filter((key) => key !== "parameters"),
  );
  expect(operations).toHaveLength(10);
});

test("a password is told once and kept nowhere", async () => {
  const { create, call } = await started();
  const { password } = (await create()).body.result as { password: string };
  for (const path of ["/__admin/state", "/__admin/requests"]) {
    expect((await call("GET", path)).text).not.toContain(password);
  }
});

test("the server that a page talks to does not follow a path out of its folder", async () => {
  const { baseUrl } = await started();
  const status = await new Promise((resolve) => {
    const { port } = new URL(baseUrl);
    request({ port, path: "/..%2fpackage.json" }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(404);
});
