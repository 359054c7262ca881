import { request } from "node:http";
import type { FaultEffect, FaultRule, Seed } from "../../../simulator/index";
import { exampleSeed } from "../../support/example";
import { started } from "./support/started";

const office = { source: "203.0.113.7", description: "office" };

/** A simulator with one service and these rules. */
async function hampered(...faults: FaultRule[]) {
  const simulator = await started();
  const path = await simulator.created({ name: "before", ipAccessList: [office] });
  const put = (rules: FaultRule[]) => simulator.call("PUT", "/__admin/faults", { faults: rules });
  expect((await put(faults)).status).toBe(200);
  async function nameNow() {
    await put([]);
    return (await simulator.call("GET", path)).body.result?.name;
  }
  return { ...simulator, path, nameNow, rename: () => simulator.call("PATCH", path, { name: "after" }) };
}

describe("rules", () => {
  test("fault rules apply to as many requests as `times` says; the first matching rule applies", async () => {
    const { call, path } = await hampered(
      { method: "GET", times: 1, effect: { kind: "status", status: 503, headers: { "retry-after": "1" } } },
      { path: "/services/", effect: { kind: "answer", result: { name: "other" } } },
    );
    const first = await call("GET", path);
    expect([first.status, first.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await call("GET", path)).body.result).toMatchObject({ name: "other" });
    const left = (await call("GET", "/__admin/faults")).body as { faults?: object[] };
    expect(left.faults).toHaveLength(1);
  });

  test("fault rules with probability 0 never apply, with 1 always", async () => {
    const effect = { kind: "status", status: 500 } as const;
    const { call, path } = await hampered(
      { probability: 0, effect: { kind: "status", status: 400 } },
      { probability: 1, effect },
    );
    for (let times = 0; times < 20; times += 1) expect((await call("GET", path)).status).toBe(500);
  });

  test.each<[string, unknown, string]>([
    ["an unknown kind", [{ effect: { kind: "explode" } }], "faults.0.effect"],
    ["an unknown field", [{ verb: "GET", effect: { kind: "malformed" } }], "faults.0 has no field verb"],
    ["an effect without a required member", [{ effect: { kind: "status" } }], "status"],
    ["an invalid header", [{ effect: { kind: "status", status: 500, headers: { "a b": "x" } } }], "headers"],
    ["a header with two lines", [{ effect: { kind: "status", status: 500, headers: { a: "x\ny" } } }], "headers"],
    ["no list", {}, "faults: expected array"],
  ])("fault rules with %s are refused, and say why", async (_, faults, says) => {
    const { call } = await started();
    const response = await call("PUT", "/__admin/faults", { faults });
    expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(says)]);
  });

  test("fault rules come from the seed and the options, and a reset restores them", async () => {
    const rule = (status: number): FaultRule => ({ times: 1, effect: { kind: "status", status } });
    const seed: Seed = { ...exampleSeed, faults: [rule(502)] };
    const { call, services } = await started({ seed, faults: [rule(501)] });
    const path = `${services}/a1b2c3d4-0001-4a53-9c1e-000000000001`;
    const statuses = async () => [await call("GET", path), await call("GET", path), await call("GET", path)];
    expect((await statuses()).map(({ status }) => status)).toEqual([501, 502, 200]);
    await call("POST", "/__admin/reset");
    expect((await statuses()).map(({ status }) => status)).toEqual([501, 502, 200]);
  });
});

describe("an effect", () => {
  test.each<[string, FaultEffect, string]>([
    ["without execution", { kind: "status", status: 502 }, "before"],
    ["after execution", { kind: "status", status: 502, when: "after" }, "after"],
  ])(
    "the effect of a fault responds with a status, headers and a body, as HTML if it is text, %s",
    async (_, effect, name) => {
      const { rename, nameNow } = await hampered({
        method: "PATCH",
        effect: { ...effect, headers: { "x-request-id": "r" }, body: "<html>Bad gateway</html>" } as FaultEffect,
      });
      const response = await rename();
      expect([response.status, response.text]).toEqual([502, "<html>Bad gateway</html>"]);
      expect(response.headers.get("content-type")).toContain("text/html");
      expect(response.headers.get("x-request-id")).toBe("r");
      expect(await nameNow()).toBe(name);
    },
  );

  test("the effect of a fault delays the response to a request that was executed at once", async () => {
    const { rename, nameNow } = await hampered({
      method: "PATCH",
      effect: { kind: "latency", milliseconds: 200, when: "after" },
    });
    const pending = rename();
    const isDone = pending.then(() => true);
    while ((await nameNow()) !== "after") await new Promise(setImmediate);
    expect(await Promise.race([isDone, false])).toBe(false);
    expect((await pending).status).toBe(200);
  });

  test("the effect of a fault omits the result", async () => {
    const { rename, nameNow } = await hampered({ method: "PATCH", effect: { kind: "answer", result: null } });
    expect((await rename()).body).not.toHaveProperty("result");
    expect(await nameNow()).toBe("after");
  });

  test.each<[FaultEffect, string]>([
    [{ kind: "reset", when: "before" }, "before"],
    [{ kind: "reset", when: "after" }, "after"],
    [{ kind: "truncated" }, "after"],
  ])("the fault %j breaks the connection, which the journal tells", async (effect, name) => {
    const { rename, nameNow, call } = await hampered({ method: "PATCH", effect });
    await expect(rename()).rejects.toThrow();
    const { requests } = (await call("GET", "/__admin/requests")).body as { requests?: object[] };
    expect(requests?.at(-1)).toMatchObject({ status: 0, fault: effect.kind, body: { name: "after" } });
    expect(await nameNow()).toBe(name);
  });

  test("the effect of a fault truncates a response", async () => {
    const { baseUrl, path, keyId, keySecret } = await hampered({ effect: { kind: "truncated" } });
    const text = await new Promise<string>((resolve, reject) => {
      let received = "";
      const options = { port: new URL(baseUrl).port, path, auth: `${keyId}:${keySecret}` };
      const sent = request(options, (response) => {
        // From Node 24 on, the request also emits an error if its response is truncated.
        sent.off("error", reject).on("error", () => undefined);
        response.on("data", (chunk) => {
          received += chunk;
        });
        response.on("error", () => resolve(received));
      });
      sent.on("error", reject).end();
    });
    expect(text).toMatch(/^\{"status":200,/);
    expect(() => JSON.parse(text)).toThrow();
  });

  test("the effect of a fault responds with a body that is not valid JSON", async () => {
    const { rename, nameNow } = await hampered({ method: "PATCH", effect: { kind: "malformed" } });
    await expect(rename()).rejects.toThrow(SyntaxError);
    expect(await nameNow()).toBe("after");
  });

  test("the effect of a fault delays the execution of a request", async () => {
    const { call, path } = await hampered({ times: 1, effect: { kind: "latency", milliseconds: 60 } });
    await call("GET", path);
    await call("GET", path);
    const { requests } = (await call("GET", "/__admin/requests")).body as never as {
      requests: { milliseconds: number; fault?: string }[];
    };
    expect(requests.map(({ fault }) => fault)).toEqual([undefined, "latency", undefined]);
    expect(requests[1]?.milliseconds).toBeGreaterThanOrEqual(59);
  });

  test("the effect of a fault replaces the id, also in the response to a creation", async () => {
    const id = "00000000-0000-4000-8000-000000000000";
    const { create, call, path } = await hampered({ effect: { kind: "answer", result: { id }, password: null } });
    expect((await create()).body.result).toMatchObject({ service: { id }, password: null });
    expect((await call("GET", path)).body.result).toMatchObject({ id, name: "before" });
  });

  test("the effect of a fault stores access entries as networks", async () => {
    const { call, path } = await hampered({ effect: { kind: "normalised" } });
    const list = async () => (await call("GET", path)).body.result?.ipAccessList;
    expect(await list()).toEqual([{ ...office, source: "203.0.113.7/32" }]);
    const add = [{ source: "198.51.100.77/24" }, { source: "2001:db8::1" }];
    await call("PATCH", path, { ipAccessList: { add } });
    await call("PUT", "/__admin/faults", { faults: [] });
    expect(await list()).toEqual([
      office,
      { source: "198.51.100.0/24", description: "" },
      { source: "2001:db8::1/128", description: "" },
    ]);
  });

  test("the effect of a fault adds list entries before it removes others", async () => {
    const { call, path } = await hampered({ effect: { kind: "addFirst" } });
    const body = { ipAccessList: { add: [{ ...office, description: "new" }], remove: [office] } };
    expect((await call("PATCH", path, body)).body.result?.ipAccessList).toEqual([]);
  });
});
