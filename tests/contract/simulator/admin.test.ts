import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { type Seed, startSimulator } from "../../../simulator/index";
import { apiOperations } from "../../../simulator/schema/api";
import { EXAMPLE, findObject, exampleSeed as seed } from "../../support/example";
import { NOBODY, started } from "./support/started";

test("the request journal contains unknown paths, but no secrets and no admin requests", async () => {
  const { admin, call, create } = await started();
  const { password } = (await create({ encryptionKey: "d1sk-key" })).body.result as {
    password: string;
  };
  await call("GET", "/v1/nothing");
  const { requests } = await admin<{ requests: object[] }>("requests");
  expect(requests).toMatchObject([
    {
      method: "POST",
      body: { encryptionKey: "[secret]" },
      status: 200,
      at: expect.stringMatching(/Z$/),
    },
    { method: "GET", path: "/v1/nothing", status: 404, requestId: expect.any(String) },
  ]);
  expect(JSON.stringify(requests)).not.toContain(password);
});

test("the admin state shows all objects without secrets", async () => {
  const { call, create } = await started({ seed });
  const { password } = (await create({ encryptionKey: "d1sk-key" })).body.result as {
    password: string;
  };
  const { text, body } = await call("GET", "/__admin/state");
  expect(body).toMatchObject({
    organizations: [
      {
        name: "Example organization",
        services: [{ name: "Analytics", pipes: expect.any(Array) }, {}, {}],
      },
      { name: "Second organization", services: [] },
    ],
    alerts: [{ id: "alert-errors" }],
    faults: [],
  });
  for (const secret of ["d1sk-key", password]) expect(text).not.toContain(secret);
});

test("the admin state shows when a pipe's secret was set, unlike any response", async () => {
  const { call, admin, services } = await started({ seed });
  const path = `${services}/${EXAMPLE.service}/pipes/${EXAMPLE.pipes.kafka}`;
  const writeOnly = async () =>
    findObject(await admin("state"), EXAMPLE.pipes.kafka)?.writeOnly as SecretSet[] | undefined;
  type SecretSet = { readonly field: string; readonly setAt: string };
  expect(await writeOnly()).toBeUndefined();
  for (const [password, advanceSeconds] of [
    ["canary-1", 0],
    ["canary-2", 3600],
  ] as const) {
    const { now } = await admin<{ now: string }>("clock", { advanceSeconds });
    const source = { kafka: { credentials: { username: "loader", password } } };
    expect((await call("PATCH", path, { source })).text).not.toMatch(/canary|writeOnly/);
    const [set, ...more] = (await writeOnly()) ?? [];
    expect([set?.field, more]).toEqual(["source.kafka.credentials", []]);
    const waitMs = Date.parse(set?.setAt ?? "") - Date.parse(now);
    expect(waitMs).toBeGreaterThanOrEqual(0);
    expect(waitMs).toBeLessThan(60_000);
  }
  expect((await call("GET", path)).text).not.toMatch(/writeOnly/);
});

test("a reset restores the initial state and clock, and a seed replaces the state", async () => {
  const { call, admin, created } = await started();
  const path = await created();
  const seeded = path.replace(/[^/]+$/, EXAMPLE.service);
  const exist = async () => [
    (await call("GET", path)).status === 200,
    (await call("GET", seeded)).status === 200,
  ];
  expect(await exist()).toEqual([true, false]);
  await admin("seed", seed);
  expect(await exist()).toEqual([false, true]);
  await admin("clock", { advanceSeconds: 86_400 });
  await call("POST", "/__admin/reset");
  expect(await exist()).toEqual([false, false]);
  expect(Date.parse((await admin<{ now: string }>("clock")).now)).toBeLessThan(Date.now() + 1000);
});

test("new objects get their time from the clock, even after a new seed", async () => {
  const now = () => Date.parse("2026-03-01T00:00:00Z");
  const organizations = [
    { id: NOBODY, services: [{ id: NOBODY, pipes: [{ id: NOBODY }] }] },
  ] as Seed["organizations"];
  const { call, create } = await started({ seed: { organizations } as Seed, now });
  const later = () => call("PUT", "/__admin/clock", { advanceSeconds: 86_400 });
  await later();
  expect((await create()).body.result).toMatchObject({
    service: { createdAt: "2026-03-02T00:00:00.000Z" },
  });
  const service = `/v1/organizations/${NOBODY}/services/${NOBODY}`;
  for (const [method, path, body] of [
    ["POST", "/__admin/reset"],
    ["PUT", "/__admin/seed", { organizations }],
  ] as const) {
    await later();
    await call(method, path, body);
    for (const object of [service, `${service}/pipes/${NOBODY}`])
      expect((await call("GET", object)).body.result).toMatchObject({
        createdAt: "2026-03-01T00:00:00.000Z",
      });
  }
});

// simulator/http/local-requests.test.ts has all kinds of foreign requests.
test.each<[number, string, Record<string, string>]>([
  [403, "FORBIDDEN: ", { "sec-fetch-site": "cross-site" }],
  [403, "FORBIDDEN: ", { host: "attacker.example" }],
  [200, "reset", {}],
])(
  "the admin API answers the API key with %i %s in a request with %j",
  async (status, says, headers) => {
    const { baseUrl, keyId, keySecret } = await started();
    const { hostname, port } = new URL(baseUrl);
    expect(hostname).toBe("127.0.0.1");
    const options = {
      port,
      method: "POST",
      path: "/__admin/reset",
      auth: `${keyId}:${keySecret}`,
      headers,
    };
    const response = await new Promise<IncomingMessage>((resolve) =>
      request(options, resolve).end(),
    );
    expect([response.statusCode, await text(response)]).toEqual([
      status,
      expect.stringContaining(says),
    ]);
  },
);

test.each<[string, object, string]>([
  ["an unknown member", { organisations: [] }, "has no field organisations"],
  ["an invalid date", { organizations: [{ id: NOBODY, createdAt: "yesterday" }] }, "createdAt"],
  [
    "an organization twice",
    { organizations: [{ id: NOBODY }, { id: NOBODY.toUpperCase() }] },
    "duplicate organization",
  ],
  ["an unknown effect", { faults: [{ effect: { kind: "explode" } }] }, "faults.0.effect"],
  [
    "an access entry that is not a network",
    {
      organizations: [
        {
          id: NOBODY,
          services: [{ id: NOBODY, create: { ipAccessList: [{ source: "office" }] } }],
        },
      ],
    },
    "ipAccessList.0.source: must be an IPv4",
  ],
])("a seed with %s is refused at the start and later", async (_, seed, says) => {
  await expect(startSimulator({ seed: seed as Seed })).rejects.toThrow(says);
  const { call, created } = await started();
  const path = await created();
  const response = await call("PUT", "/__admin/seed", seed);
  expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(says)]);
  expect((await call("GET", path)).status).toBe(200);
});

test.each<[string, object, string]>([
  ["faults", { faults: [{ effect: { kind: "explode" } }] }, "invalid options: faults.0.effect"],
  [
    "an organization",
    { organization: { id: "x" } },
    "invalid options: seed.organizations.0.id: must be a UUID",
  ],
  [
    "a rate limit",
    { rateLimit: { requests: 0, seconds: 1 } },
    "invalid options: rateLimit.requests: expected number to be >=1",
  ],
  [
    "an empty secret",
    { keySecret: "" },
    "invalid options: keySecret: expected string to have >=1 characters",
  ],
])("the invalid option %s is refused under its own name", async (_, options, says) => {
  await expect(startSimulator(options)).rejects.toThrow(says);
});

test("a seeded pipe has all of its parts", async () => {
  const organizations = [
    { id: NOBODY, services: [{ id: NOBODY, pipes: [{ id: NOBODY, source: { postgres: {} } }] }] },
  ];
  const { call } = await started({ seed: { organizations } as Seed });
  const path = `/v1/organizations/${NOBODY}/services/${NOBODY}/pipes/${NOBODY}`;
  expect((await call("GET", `${path}/settings`)).body.result).toEqual({});
  const mapping = { sourceSchemaName: "s", sourceTable: "t", targetTable: "t" };
  const response = await call("PATCH", path, {
    source: { postgres: { tableMappingsToAdd: [mapping] } },
  });
  expect(response.body.result?.source).toMatchObject({ postgres: { tableMappings: [mapping] } });
});

test("the served document is the one that requests are validated with", async () => {
  const { call } = await started();
  const document = (await call("GET", "/openapi.json")).body as {
    readonly paths?: Record<string, object>;
  };
  const methods = Object.values(document.paths ?? {}).flatMap((path) => Object.keys(path));
  const operations = methods.filter((key) => key !== "parameters");
  expect(operations).toHaveLength(Object.keys(apiOperations).length);
});

test("the page is served with a strict content security policy, and no file outside its folder", async () => {
  const { call } = await started();
  expect((await call("GET", "/..%2fpackage.json")).status).toBe(404);
  const page = await call("GET", "/");
  expect([page.status, page.text]).toEqual([
    200,
    expect.stringContaining("<title>clouddb simulator</title>"),
  ]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});
