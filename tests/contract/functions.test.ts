import { startProgram } from "../support/adapters/functions";
import type { Properties } from "../support/adapters/handlers";
import { environmentOf } from "../support/api";
import { EXAMPLE } from "../support/example";
import { useSeededSimulator } from "./simulators";
import { createHandlers, failureOf, type ResourceType } from "./support";

/**
 * The ids that functions and `get` take. Invalid ids are neither sent nor shown, since they may be
 * secrets.
 */

const seeded = useSeededSimulator();
const { service, pipes } = EXAMPLE;

beforeAll(() => void Object.assign(process.env, environmentOf(seeded.api)));

const ids = { serviceId: service, pipeId: pipes.kafka };
const TOKEN = "sk-live-canary token";
const cases: [name: string, args: Properties, wrong: string][] = [
  ["getService", { serviceId: service }, "serviceId"],
  ["getService", { serviceId: service }, "organizationId"],
  ["getPipe", ids, "pipeId"],
  ["getPipe", ids, "serviceId"],
  ["getPipeSettings", ids, "pipeId"],
  ["getAlert", { id: "alert-errors" }, "id"],
];

test.each(cases)(
  "%s with %j refuses an invalid %s without showing it",
  async (name, args, wrong) => {
    for (const text of [TOKEN, `${service}?`, `${service}/../x`, "../x", "a\nb", `"${service}"`]) {
      const { message } = await failureOf(startProgram().call(name, { ...args, [wrong]: text }));
      expect(message).toMatch(
        new RegExp(`^The argument ${wrong} of ${name} is invalid: must .*\\. \\[CDB1003\\]$`),
      );
      expect(message).not.toContain(text);
      expect(message).not.toContain("canary");
    }
    expect(await seeded.api.requests()).toEqual([]);
  },
);

test("functions accept ids in capitals", async () => {
  const capitals = { serviceId: service.toUpperCase(), pipeId: pipes.kafka.toUpperCase() };
  expect(await startProgram().call("getPipe", capitals)).toMatchObject({ id: pipes.kafka });
  expect(await seeded.api.requestNames()).toEqual(["GET /services/{id}/pipes/{id}"]);
});

test("a function reads from the organization that it is passed", async () => {
  const organizationId = "00000000-0000-4000-8000-000000000001";
  const { message } = await failureOf(startProgram().call("getPipe", { ...ids, organizationId }));
  expect(message).toContain(`GET /v1/organizations/${organizationId}/`);
});

test("an error names all missing settings of a function, including the organization", async () => {
  const names = ["ORGANIZATION_ID", "BASE_URL", "KEY_ID", "KEY_SECRET"].map(
    (name) => `CLOUDDB_${name}`,
  );
  for (const name of names) delete process.env[name];
  const { message } = await failureOf(startProgram().call("getService", { serviceId: service }));
  for (const name of names) expect(message).toContain(`(${name})`);
  Object.assign(process.env, environmentOf(seeded.api));
});

test("a 404 of a function names the arguments, the setting, the address and the source of the key", async () => {
  const missing = "a1b2c3d4-0009-4a53-9c1e-000000000009";
  const { message } = await failureOf(startProgram().call("getPipe", { ...ids, pipeId: missing }));
  const account = "clouddb:organizationId (CLOUDDB_ORGANIZATION_ID)";
  expect(message).toMatch(/^Reading pipe \S+: the API returned 404/);
  expect(message).toContain(
    ` Check pipeId, serviceId, and organizationId or ${account}. The request went to `,
  );
  expect(message).toContain(
    `${seeded.api.baseUrl} with the key from CLOUDDB_KEY_ID and CLOUDDB_KEY_SECRET in`,
  );
  expect(message).not.toContain("pulumi refresh");
});

test.each([
  [404, /^Reading alert gone: the API returned 404, Not found \(.+\)\. Check id\..+ \[CDB3404\]$/],
  [
    403,
    /^Reading alert gone: the API returned 403, Not found \(.+\)\. Grant the key .+ \[CDB3403\]$/,
  ],
  [
    400,
    /^Reading alert gone: the API returned 400, Not found \(.+\)\. Fix the problem .+ \[CDB3400\]$/,
  ],
])(
  "a %i that has only a message is an error of the observability API",
  async (status, expected) => {
    const effect = { kind: "status", status, body: { message: "Not found" } } as const;
    await seeded.api.faults({ effect });
    const { message } = await failureOf(startProgram().call("getAlert", { id: "gone" }));
    expect(message).toMatch(expected);
  },
);

test("a body that has only a message is not an error of the management API", async () => {
  const effect = { kind: "status", status: 404, body: { message: "Not found" } } as const;
  await seeded.api.faults({ effect });
  const { message } = await failureOf(startProgram().call("getPipe", ids));
  expect(message).toMatch(/with a body that is not from the API: Not found .+ \[CDB3012\]$/);
});

test("missing pipe settings are named as the likely cause of a 404", async () => {
  await seeded.api.faults({ effect: { kind: "status", status: 404 } });
  const { message } = await failureOf(startProgram().call("getPipeSettings", ids));
  expect(message).toContain(
    " Pipes that replicate a database have no settings to read. Check pipeId",
  );
  const { message: other } = await failureOf(startProgram().call("getPipe", ids));
  expect(other).not.toContain("no settings");
});

test("an idle service is named as the cause of a 424 after at most 20 seconds", async () => {
  process.env.CLOUDDB_MAX_RETRIES = "0";
  await seeded.api.faults({ effect: { kind: "status", status: 424 } });
  const { message } = await failureOf(startProgram().call("getService", { serviceId: service }));
  delete process.env.CLOUDDB_MAX_RETRIES;
  expect(message).toMatch(
    /^Reading service \S+: the API returned 424.+ run a query to wake it.+ \[CDB3424\]$/,
  );
});

test("the id of an alert is any text", async () => {
  const { message } = await failureOf(startProgram().call("getAlert", { id: "65f0:a_b.c~d-1" }));
  expect(message).toMatch(/^Reading alert 65f0:a_b\.c~d-1: the API returned 404/);
  expect(await seeded.api.requests()).toHaveLength(1);
});

describe("get", () => {
  test.each<[string, ResourceType, Properties]>([
    [TOKEN, "Service", {}],
    [`${service}?x=canary`, "ServiceScaling", {}],
    ["canary", "Pipe", { serviceId: service }],
    [pipes.kafka, "Pipe", { serviceId: TOKEN }],
    [service, "Service", { organizationId: TOKEN }],
  ])("get refuses the invalid id %j without repeating it", async (id, type, state) => {
    const { message } = await failureOf(createHandlers(type, seeded.api).read(id, state));
    expect(message).toMatch(/must be .*UUID/);
    expect(message).not.toContain("canary");
    expect(await seeded.api.requests()).toEqual([]);
  });
});
