import { request } from "node:http";
import type { FaultEffect, FaultRule, Seed } from "../../../simulator/index";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { started } from "./support/started";

const office = { source: "203.0.113.7", description: "office" };

/** A simulator with one service and these rules. */
async function hampered(...faults: FaultRule[]) {
  const simulator = await started();
  const path = await simulator.created({ name: "before", ipAccessList: [office] });
  await simulator.setFaults(...faults);
  const service = async () => (await simulator.call("GET", path)).body.result ?? {};
  async function nameNow() {
    await simulator.setFaults();
    return (await service()).name;
  }
  return {
    ...simulator,
    path,
    service,
    nameNow,
    rename: () => simulator.call("PATCH", path, { name: "after" }),
  };
}

test("the first matching fault rule applies `times` times, and the rest can be set again", async () => {
  const effect = {
    kind: "status",
    status: 503,
    headers: { "retry-after": "1" },
    body: { password: "canary" },
  };
  const faults = [
    { method: "GET", times: 2, effect },
    { path: "/services/", effect: { kind: "answer", result: { name: "other" } } },
  ] as FaultRule[];
  const { call, path, service, admin } = await hampered(...faults);
  const failed = async () => {
    const { status, headers, body } = await call("GET", path);
    expect([status, headers.get("retry-after"), body]).toEqual([503, "1", { password: "canary" }]);
  };
  await failed();
  const left = await admin<object>("faults");
  const shown = { ...effect, body: { password: "[secret]" } };
  expect(left).toEqual({ faults: [{ ...faults[0], times: 1, effect: shown }, faults[1]] });
  expect(await admin("faults", left)).toEqual(left);
  await failed();
  expect(await service()).toMatchObject({ name: "other" });
  expect(await admin("faults")).toEqual({ faults: [faults[1]] });
});

test.each<[string, unknown, string]>([
  ["an unknown kind", [{ effect: { kind: "explode" } }], "faults.0.effect"],
  [
    "an unknown field",
    [{ verb: "GET", effect: { kind: "malformed" } }],
    "faults.0 has no field verb",
  ],
  ["an effect without a required member", [{ effect: { kind: "status" } }], "status"],
  [
    "an invalid header",
    [{ effect: { kind: "status", status: 500, headers: { "a b": "x" } } }],
    "headers",
  ],
  [
    "a header with two lines",
    [{ effect: { kind: "status", status: 500, headers: { a: "x\ny" } } }],
    "headers",
  ],
  ["no list", {}, "faults: expected array"],
])("a fault rule with %s is refused with the reason", async (_, faults, says) => {
  const { call } = await started();
  const response = await call("PUT", "/__admin/faults", { faults });
  expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(says)]);
});

test("fault rules come from the seed and the options, and a reset restores them", async () => {
  const rule = (status: number): FaultRule => ({ times: 1, effect: { kind: "status", status } });
  const seed: Seed = { ...exampleSeed, faults: [rule(502)] };
  const { call, services } = await started({ seed, faults: [rule(501)] });
  for (const _ of ["at the start", "after a reset"]) {
    for (const status of [501, 502, 200])
      expect((await call("GET", `${services}/${EXAMPLE.service}`)).status).toBe(status);
    await call("POST", "/__admin/reset");
  }
});

test.each([
  ["before", undefined],
  ["after", "after"],
] as const)(
  "a status fault with headers and HTML keeps the old name from %s the request",
  async (name, when) => {
    const headers = { "x-request-id": "r" };
    const effect = {
      kind: "status",
      status: 502,
      when,
      headers,
      body: "<html>Bad gateway</html>",
    } as FaultEffect;
    const { rename, nameNow } = await hampered({ method: "PATCH", effect });
    const response = await rename();
    expect([response.status, response.text]).toEqual([502, "<html>Bad gateway</html>"]);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(response.headers.get("x-request-id")).toBe("r");
    expect(await nameNow()).toBe(name);
  },
);

test("latency after the execution only delays the response", async () => {
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

test("latency before the execution delays it, as the journal shows", async () => {
  const { service, admin } = await hampered({
    times: 1,
    effect: { kind: "latency", milliseconds: 60 },
  });
  await service();
  await service();
  type Journal = {
    readonly requests: readonly { readonly milliseconds: number; readonly fault?: string }[];
  };
  const { requests } = await admin<Journal>("requests");
  expect(requests.map(({ fault }) => fault)).toEqual([undefined, "latency", undefined]);
  expect(requests[1]?.milliseconds).toBeGreaterThanOrEqual(59);
});

test.each<[FaultEffect, string]>([
  [{ kind: "reset", when: "before" }, "before"],
  [{ kind: "reset", when: "after" }, "after"],
  [{ kind: "truncated" }, "after"],
])(
  "the fault %j breaks the connection, is journaled, and keeps the name from %s the request",
  async (effect, name) => {
    const { rename, nameNow, admin } = await hampered({ method: "PATCH", effect });
    await expect(rename()).rejects.toThrow();
    const { requests } = await admin<{ requests: object[] }>("requests");
    expect(requests.at(-1)).toMatchObject({
      status: 0,
      fault: effect.kind,
      body: { name: "after" },
    });
    expect(await nameNow()).toBe(name);
  },
);

test("a truncated response contains its beginning", async () => {
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

test("a malformed response follows the execution", async () => {
  const { rename, nameNow } = await hampered({ method: "PATCH", effect: { kind: "malformed" } });
  await expect(rename()).rejects.toThrow(SyntaxError);
  expect(await nameNow()).toBe("after");
});

test("an answer fault replaces or omits parts of the result", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const { create, service, rename, setFaults, nameNow } = await hampered({
    effect: { kind: "answer", result: { id }, password: null },
  });
  expect((await create()).body.result).toMatchObject({ service: { id }, password: null });
  expect(await service()).toMatchObject({ id, name: "before" });
  await setFaults({ method: "PATCH", effect: { kind: "answer", result: null } });
  expect((await rename()).body).not.toHaveProperty("result");
  expect(await nameNow()).toBe("after");
});

test("a fault rule stores access entries as networks", async () => {
  const { call, path, service, setFaults } = await hampered({ effect: { kind: "normalised" } });
  expect((await service()).ipAccessList).toEqual([{ ...office, source: "203.0.113.7/32" }]);
  const add = [{ source: "198.51.100.77/24" }, { source: "2001:db8::1" }];
  await call("PATCH", path, { ipAccessList: { add } });
  await setFaults();
  expect((await service()).ipAccessList).toEqual([
    office,
    { source: "198.51.100.0/24", description: "" },
    { source: "2001:db8::1/128", description: "" },
  ]);
});

test("a fault rule adds list entries before it removes others", async () => {
  const { call, path } = await hampered({ effect: { kind: "addFirst" } });
  const body = { ipAccessList: { add: [{ ...office, description: "new" }], remove: [office] } };
  expect((await call("PATCH", path, body)).body.result?.ipAccessList).toEqual([]);
});
