import { started } from "./support/started";

const NOBODY = "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640";

describe("a request", () => {
  test.each([
    ["without a key", {}],
    ["with another key", { authorization: `Basic ${Buffer.from("simulator:wrong").toString("base64")}` }],
    ["with a token", { authorization: "Bearer x" }],
  ])("a request %s is refused", async (_, headers) => {
    const { call, services } = await started();
    const response = await call("POST", services, {}, { authorization: "", ...headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Basic");
    expect(response.body).toEqual({
      requestId: expect.any(String),
      error: expect.stringMatching(/^UNAUTHORIZED: /),
      status: 401,
    });
  });

  test("a request with another content type, invalid JSON or a body that is too large is refused", async () => {
    const { call, services } = await started();
    expect((await call("POST", services, "name=x", { "content-type": "text/plain" })).status).toBe(415);
    expect((await call("POST", services, "{")).status).toBe(400);
    expect((await call("POST", services, JSON.stringify({ name: "x".repeat(2_000_000) }))).status).toBe(413);
  });

  test.each([{}, { "content-type": "application/x-www-form-urlencoded" }])(
    "a request with a body and the headers %j gets the required content type",
    async (headers) => {
      const { call, services } = await started();
      for (const path of [services, "/__admin/reset"]) {
        const response = await call("POST", path, new Blob(["{}"]), headers);
        const says = "send the body as JSON, with the header Content-Type: application/json";
        expect([response.status, response.body.error]).toEqual([415, `UNSUPPORTED_MEDIA_TYPE: ${says}`]);
      }
    },
  );

  test.each(["__proto__", "constructor"])(
    "a request with the member %s is refused like any unknown field",
    async (name) => {
      const { call, services } = await started();
      const response = await call("POST", services, `{"${name}":{"prototype":{"isAdmin":true}}}`);
      expect([response.status, response.body.error]).toEqual([400, `BAD_REQUEST: body has no field ${name}`]);
      expect((await call("PUT", "/__admin/faults", `{"faults":[],"${name}":{"x":1}}`)).body.error).toBe(
        `BAD_REQUEST: body has no field ${name}`,
      );
      const current = await call("GET", "/__admin/requests");
      expect(current.text).toContain(`"body":{"${name}":`);
      expect({}).not.toHaveProperty("isAdmin");
    },
  );

  test("a request with another method on an existing path gets the allowed methods", async () => {
    const { call, services } = await started();
    for (const method of ["GET", "DELETE", "PUT", "OPTIONS"]) {
      const response = await call(method, services);
      expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, "POST"]);
    }
  });

  test("a request needs the authentication scheme of its API, in any case", async () => {
    const { call, keyId, keySecret, accessToken, services } = await started();
    const key = Buffer.from(`${keyId}:${keySecret}`).toString("base64");
    const status = async (path: string, authorization: string) => {
      const response = await call("GET", path, undefined, { authorization });
      return [response.status, response.headers.get("www-authenticate")];
    };
    const [dashboards, service] = ["/api/v2/dashboards", `${services}/${NOBODY}`];
    expect(await status(dashboards, `bearer ${accessToken}`)).toEqual([200, null]);
    expect(await status(dashboards, `Basic ${accessToken}`)).toEqual([401, "Bearer"]);
    expect(await status(service, `Bearer ${key}`)).toEqual([401, "Basic"]);
    expect(await status(service, `basic ${key}`)).toEqual([404, null]);
  });

  test.each([
    ["an unknown path", 404, "GET", "/v1/nothing"],
    ["an unknown organization", 404, "POST", `/v1/organizations/${NOBODY}/services`],
    ["an id that is not a UUID", 400, "POST", "/v1/organizations/mine/services"],
    ["a path that cannot be decoded", 400, "GET", "/v1/organizations/%zz"],
    ["a long id", 404, "GET", `/api/v2/alerts/${"x".repeat(500)}`],
    ["ids in capitals", 400, "GET", "/v1/organizations/3F0C1D9E-6A52-4B7E-9D01-2C8A51E7B640/services/A"],
  ])("a request with %s gets a response in the common format", async (_, status, method, path) => {
    const { call, accessToken } = await started();
    const headers = path.startsWith("/api") ? { authorization: `Bearer ${accessToken}` } : {};
    const response = await call(method, path, method === "POST" ? {} : undefined, headers);
    expect(response.status).toBe(status);
    expect(response.body).toEqual({
      requestId: expect.any(String),
      error: expect.stringMatching(/^[A-Z_]+: /),
      status,
    });
  });

  test("a request may be nested deeply without breaking anything", async () => {
    const { call, services } = await started();
    for (const path of [services, "/v1/nothing"]) {
      await call("POST", path, `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`);
    }
    expect((await call("GET", "/__admin/health")).status).toBe(200);
  });

  test("a request has its own id in the response", async () => {
    const { call, created } = await started();
    const path = await created();
    const [one, other] = [await call("GET", path), await call("GET", path)];
    expect(one.body.requestId).not.toBe(other.body.requestId);
  });
});
