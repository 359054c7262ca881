import { NOBODY, started } from "./support/started";

/** A response in the common format of errors. */
const errorWith = (status: number, error = /^[A-Z_]+: /) => ({
  requestId: expect.any(String),
  error: expect.stringMatching(error),
  status,
});

test("a request needs the authentication of its API, with its scheme in any case", async () => {
  const { call, keyId, keySecret, accessToken, services } = await started();
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const key = base64(`${keyId}:${keySecret}`);
  const [dashboards, service] = ["/api/v2/dashboards", `${services}/${NOBODY}`];
  for (const [path, authorization, status, scheme] of [
    [service, "", 401, "Basic"],
    [service, `Basic ${base64("simulator:wrong")}`, 401, "Basic"],
    [service, `Bearer ${key}`, 401, "Basic"],
    [service, `basic ${key}`, 404, null],
    [dashboards, `Basic ${accessToken}`, 401, "Bearer"],
    [dashboards, `bearer ${accessToken}`, 200, null],
  ] as const) {
    const response = await call("GET", path, undefined, { authorization });
    expect([authorization, response.status, response.headers.get("www-authenticate")]).toEqual([
      authorization,
      status,
      scheme,
    ]);
    if (status === 401) expect(response.body).toEqual(errorWith(401, /^UNAUTHORIZED: /));
  }
});

test("a request with another content type, invalid JSON or a body that is too large is refused", async () => {
  const { call, services } = await started();
  expect((await call("POST", services, "name=x", { "content-type": "text/plain" })).status).toBe(
    415,
  );
  expect((await call("POST", services, "{")).status).toBe(400);
  expect(
    (await call("POST", services, JSON.stringify({ name: "x".repeat(2_000_000) }))).status,
  ).toBe(413);
  for (const headers of [{}, { "content-type": "application/x-www-form-urlencoded" }]) {
    for (const path of [services, "/__admin/reset"]) {
      const response = await call(
        "POST",
        path,
        new Blob(["{}"]),
        headers as Record<string, string>,
      );
      const says = "send the body as JSON, with the header Content-Type: application/json";
      expect([response.status, response.body.error]).toEqual([
        415,
        `UNSUPPORTED_MEDIA_TYPE: ${says}`,
      ]);
    }
  }
});

test.each(["__proto__", "constructor"])(
  "the member %s is refused like any unknown field",
  async (name) => {
    const { call, services } = await started();
    const refused = `BAD_REQUEST: body has no field ${name}`;
    const response = await call("POST", services, `{"${name}":{"prototype":{"isAdmin":true}}}`);
    expect([response.status, response.body.error]).toEqual([400, refused]);
    expect(
      (await call("PUT", "/__admin/faults", `{"faults":[],"${name}":{"x":1}}`)).body.error,
    ).toBe(refused);
    expect((await call("GET", "/__admin/requests")).text).toContain(`"body":{"${name}":`);
    expect({}).not.toHaveProperty("isAdmin");
  },
);

test.each(["GET", "DELETE", "PUT", "OPTIONS"])(
  "%s on the path of a POST is refused with the allowed method",
  async (method) => {
    const { call, services } = await started();
    const response = await call(method, services);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  },
);

test.each([
  ["an unknown path", 404, "GET", "/v1/nothing"],
  ["an unknown organization", 404, "POST", `/v1/organizations/${NOBODY}/services`],
  ["an id that is not a UUID", 400, "POST", "/v1/organizations/mine/services"],
  ["a path that cannot be decoded", 400, "GET", "/v1/organizations/%zz"],
  ["a long id", 404, "GET", `/api/v2/alerts/${"x".repeat(500)}`],
  [
    "ids in capitals",
    400,
    "GET",
    "/v1/organizations/3F0C1D9E-6A52-4B7E-9D01-2C8A51E7B640/services/A",
  ],
])("a request with %s is answered in the common error format", async (_, status, method, path) => {
  const { call, accessToken } = await started();
  const headers = path.startsWith("/api") ? { authorization: `Bearer ${accessToken}` } : {};
  const response = await call(method, path, method === "POST" ? {} : undefined, headers);
  expect([response.status, response.body]).toEqual([status, errorWith(status)]);
});

test("each request gets its own id, even with deeply nested JSON", async () => {
  const { call, services } = await started();
  const ids = new Set<unknown>();
  for (const path of [services, "/v1/nothing"]) {
    const response = await call("POST", path, `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
    ids.add(response.body.requestId);
  }
  expect(ids.size).toBe(2);
  expect((await call("GET", "/__admin/health")).status).toBe(200);
});

test.each([
  [undefined, "retry-after", /^\d+$/],
  ["retryAfterDecimal", "retry-after", /^\d+\.\d+$/],
  ["retryAfterDate", "retry-after", /GMT$/],
  ["reset", "x-ratelimit-reset", /^\d+$/],
] as const)(
  "requests that respect a rate limit announced by %s pass in any window",
  async (tells, header, form) => {
    const { call, admin, created } = await started();
    const path = await created();
    await admin("rate-limit", { requests: 3, seconds: 10, ...(tells && { tells }) });
    const expectStatuses = async (...statuses: number[]) => {
      for (const status of statuses) expect((await call("GET", path)).status).toBe(status);
    };
    await expectStatuses(200, 200, 200, 429);
    const refused = await call("GET", path);
    expect(refused.headers.get(header)).toMatch(form);
    expect(refused.body.error).toMatch(/^TOO_MANY_REQUESTS: /);
    await admin("clock", { advanceSeconds: 10 });
    await expectStatuses(200, 200, 200, 429);
    await call("DELETE", "/__admin/rate-limit");
    await expectStatuses(200, 200, 200, 200);
  },
);

test("a date in retry-after is the end of the wait", async () => {
  const { call, admin, created } = await started();
  const path = await created();
  await admin("rate-limit", { requests: 1, seconds: 1000, tells: "retryAfterDate" });
  await call("GET", path);
  const date = Date.parse((await call("GET", path)).headers.get("retry-after") ?? "");
  expect(date).toBeGreaterThan(Date.now());
  await admin("clock", { advanceSeconds: Math.ceil((date - Date.now()) / 1000) });
  expect((await call("GET", path)).status).toBe(200);
});

test("a refusal by the rate limit says when the oldest accepted request leaves the window", async () => {
  const { call, admin, created } = await started();
  const path = await created();
  await admin("rate-limit", { requests: 2, seconds: 10, tells: "reset" });
  const pass = (advanceSeconds: number) => admin("clock", { advanceSeconds });
  await call("GET", path);
  await pass(4);
  await call("GET", path);
  await pass(1);
  const refused = await call("GET", path);
  const headers = ["limit", "remaining", "reset"].map((name) =>
    refused.headers.get(`x-ratelimit-${name}`),
  );
  expect(headers).toEqual(["2", "0", "5"]);
  await pass(5);
  expect((await call("GET", path)).status).toBe(200);
  expect((await call("GET", path)).status).toBe(429);
  await call("POST", "/__admin/reset");
  expect(await admin("rate-limit")).toEqual({});
});

test("the rate limit counts each key separately, and no requests without a key", async () => {
  const { call, accessToken, services } = await started({
    rateLimit: { requests: 1, seconds: 60, tells: "nothing" },
  });
  const post = (authorization?: string) =>
    call("POST", services, {}, authorization === "" ? { authorization } : {});
  expect((await post("")).status).toBe(401);
  expect((await post()).status).toBe(200);
  const refused = await post();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, null]);
  for (const status of [200, 429]) {
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await call("GET", "/api/v2/dashboards", undefined, headers)).status).toBe(status);
  }
});
