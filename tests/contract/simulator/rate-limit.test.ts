import { started } from "./support/started";

describe("a rate limit", () => {
  const limit = { requests: 3, seconds: 10 };

  test.each([
    [undefined, "retry-after", /^\d+$/],
    ["retryAfterDecimal", "retry-after", /^\d+\.\d+$/],
    ["retryAfterDate", "retry-after", /GMT$/],
    ["reset", "x-ratelimit-reset", /^\d+$/],
  ] as const)(
    "a rate limit that is told by %s lets its number of requests pass in any window",
    async (tells, header, form) => {
      const { call, created } = await started();
      const path = await created();
      await call("PUT", "/__admin/rate-limit", { ...limit, ...(tells && { tells }) });
      const statuses = async (times: number) => {
        const responses = [];
        for (let time = 0; time < times; time += 1) responses.push(await call("GET", path));
        return responses.map(({ status }) => status);
      };
      expect(await statuses(4)).toEqual([200, 200, 200, 429]);
      const refused = await call("GET", path);
      expect(refused.headers.get(header)).toMatch(form);
      expect(refused.body.error).toMatch(/^TOO_MANY_REQUESTS: /);
      await call("PUT", "/__admin/clock", { advanceSeconds: 10 });
      expect(await statuses(4)).toEqual([200, 200, 200, 429]);
      await call("DELETE", "/__admin/rate-limit");
      expect(await statuses(4)).toEqual([200, 200, 200, 200]);
    },
  );

  test("a rate limit says when to retry: when the oldest request leaves the window, not counting refused ones", async () => {
    const { call, created } = await started();
    const path = await created();
    await call("PUT", "/__admin/rate-limit", { requests: 2, seconds: 10, tells: "reset" });
    const pass = (advanceSeconds: number) => call("PUT", "/__admin/clock", { advanceSeconds });
    await call("GET", path);
    await pass(4);
    await call("GET", path);
    await pass(1);
    const refused = await call("GET", path);
    const headers = ["limit", "remaining", "reset"].map((name) => refused.headers.get(`x-ratelimit-${name}`));
    expect(headers).toEqual(["2", "0", "5"]);
    await pass(5);
    expect((await call("GET", path)).status).toBe(200);
    expect((await call("GET", path)).status).toBe(429);
    await call("POST", "/__admin/reset");
    expect((await call("GET", "/__admin/rate-limit")).body).toEqual({});
  });

  test("a rate limit with `tells: nothing` sends no header; each key is counted separately, and requests without a key are not counted", async () => {
    const { call, observabilityUrl, accessToken, services } = await started({
      rateLimit: { requests: 1, seconds: 60, tells: "nothing" },
    });
    const alerts = () =>
      fetch(`${observabilityUrl}/api/v2/dashboards`, { headers: { authorization: `Bearer ${accessToken}` } });
    expect((await call("POST", services, {}, { authorization: "" })).status).toBe(401);
    expect((await call("POST", services, {})).status).toBe(200);
    const refused = await call("POST", services, {});
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, null]);
    expect([(await alerts()).status, (await alerts()).status]).toEqual([200, 429]);
  });
});
