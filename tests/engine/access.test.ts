import { join } from "node:path";
import seed from "../../simulator/seeds/example.json";
import { ADAPTER } from "../support/adapters/adapter";
import { EXAMPLE } from "../support/example";
import { expectFailure, expectOk, newStack, simulated, typeOf } from "./support/stack";

/** Stacks that share the access list of a service, through the real engine. */

const { service: SERVICE } = EXAMPLE;
const [GET, PATCH] = ["GET /services/{id}", "PATCH /services/{id}"];
const seeded = () => simulated({ seed: seed as never });
const access = (name: string, ...sources: string[]) =>
  `new clouddb.ServiceAccess("${name}", { serviceId: "${SERVICE}", ipAccessList: ${JSON.stringify(
    sources.map((source) => ({ source, description: name })),
  )} });`;

type Api = Awaited<ReturnType<typeof simulated>>;
async function sourcesOf(api: Api): Promise<string[]> {
  const service = (await api.services()).find(({ id }) => id === SERVICE) as { ipAccessList: { source: string }[] };
  return service.ipAccessList.map(({ source }) => source);
}
const sent = async (api: Api) => (await api.requests()).map(({ request, body }) => body ?? request);
const entry = (source: string, description: string) => ({ source, description });
const OTHERS = ["203.0.113.0/24", "198.51.100.7"];

test("two stacks share a list: each adds, repairs and removes its own entries alone", async () => {
  const api = await seeded();
  const [web, jobs] = [
    await newStack(api, access("web", "192.0.2.1", OTHERS[0] as string)),
    await newStack(api, access("jobs", "192.0.2.2", "192.0.2.3")),
  ];
  await expectOk(web.up());
  expect(await sent(api)).toEqual([GET, { ipAccessList: { add: [entry("192.0.2.1", "web")] } }]);
  await expectOk(jobs.up());
  await api.requests();
  await expectOk(web.up("--expect-no-changes"));
  expect(await sent(api)).toEqual([]);
  // Entries that the other stack has added since are no drift.
  await expectOk(web.refresh("--expect-no-changes"));
  expect(await sent(api)).toEqual([GET]);

  web.program(access("web", "192.0.2.9", OTHERS[0] as string));
  const plan = await expectOk(web.preview());
  expect(plan).toContain("192.0.2.9");
  await expectOk(web.up());
  expect(await sent(api)).toEqual([
    { ipAccessList: { add: [entry("192.0.2.9", "web")], remove: [entry("192.0.2.1", "web")] } },
  ]);

  await api.change("PATCH", `/${SERVICE}`, {
    ipAccessList: { remove: [entry("192.0.2.9", "web"), entry("192.0.2.3", "jobs")] },
  });
  const drift = await expectOk(web.refresh());
  expect(drift).toContain("192.0.2.9");
  expect(drift).not.toContain("192.0.2.3");
  await expectOk(web.up());
  expect(await sent(api)).toEqual([GET, { ipAccessList: { add: [entry("192.0.2.9", "web")] } }]);

  await expectOk(web.destroy());
  expect(await sent(api)).toEqual([{ ipAccessList: { remove: [entry("192.0.2.9", "web")] } }]);
  expect(await sourcesOf(api)).toEqual([...OTHERS, "192.0.2.2"]);
  await expectOk(jobs.destroy());
  expect(await sourcesOf(api)).toEqual(OTHERS);
});

test("a destroy removes the entries of an update that the stack has not stored", async () => {
  const api = await seeded();
  const stack = await newStack(api, access("web", "192.0.2.1"));
  await expectOk(stack.up());
  const file = join(stack.folder, "before.json");
  await expectOk(stack.pulumi("stack", "export", "--file", file));
  stack.program(access("web", "192.0.2.1", "192.0.2.2"));
  await expectOk(stack.up());
  // The state is as after a kill between response and stack.
  await expectOk(stack.pulumi("stack", "import", "--file", file));
  await expectOk(stack.destroy());
  expect(await sourcesOf(api)).toEqual(OTHERS);
});

test("a Service that does not declare its list shows no drift beside it, and removes nothing", async () => {
  const api = await simulated();
  const program = (name: string) => `
    const db = new clouddb.Service("db", { name: "${name}" });
    new clouddb.ServiceAccess("web", { serviceId: db.id, ipAccessList: [{ source: "192.0.2.1" }] });`;
  const stack = await newStack(api, program("one"));
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services", GET, PATCH]);
  await expectOk(stack.up("--expect-no-changes"));
  await expectOk(stack.refresh());
  expect(await expectOk(stack.refresh("--expect-no-changes"))).not.toContain("192.0.2.1");
  await expectOk(stack.up("--expect-no-changes"));
  await api.requests();
  stack.program(program("two"));
  await expectOk(stack.up());
  expect(await sent(api)).toEqual([{ name: "two" }]);
  const [service] = await api.services();
  expect(service?.ipAccessList).toEqual([{ source: "192.0.2.1", description: "" }]);
});

test("a refused entry is one sentence, and the next up finishes the rest", async () => {
  const api = await seeded();
  const program = (endpoint: string) => `new clouddb.ServiceAccess("web", {
    serviceId: "${SERVICE}", ipAccessList: [{ source: "${OTHERS[0]}" }, { source: "192.0.2.1" }], privateEndpointIds: ["${endpoint}"],
  });`;
  const stack = await newStack(api, program("vpce-unknown"));
  const output = await expectFailure(stack.up());
  expect(output).toContain(`Adding access to service ${SERVICE}`);
  expect(output).toContain("vpce-unknown does not exist");
  const [stored] = (await stack.resources()).filter(({ type }) => type === typeOf("ServiceAccess"));
  expect(stored?.initErrors).toHaveLength(1);
  await api.requests();
  stack.program(program("vpce-0a1b2c3d4e5f60001"));
  await expectOk(stack.up());
  expect((await sent(api)).at(-1)).toEqual({
    ipAccessList: { add: [{ source: "192.0.2.1" }] },
    privateEndpointIds: { add: ["vpce-0a1b2c3d4e5f60001"] },
  });
  await expectOk(stack.up("--expect-no-changes"));
});

test("a service that is gone: a refresh drops the resource, and a destroy succeeds", async () => {
  const api = await seeded();
  const [refreshed, destroyed] = [
    await newStack(api, access("web", "192.0.2.1")),
    await newStack(api, access("jobs", "192.0.2.2")),
  ];
  for (const stack of [refreshed, destroyed]) await expectOk(stack.up());
  const body = { requestId: "r-1", status: 404, error: "NOT_FOUND" };
  await api.faults({ effect: { kind: "status", status: 404, body } });
  expect(await expectOk(refreshed.refresh())).toContain("no longer exists");
  for (const stack of [refreshed, destroyed]) {
    await expectOk(stack.destroy());
    expect((await stack.resources()).filter(({ type }) => type === typeOf("ServiceAccess"))).toEqual([]);
  }
});

// Pulumi cannot import dynamic resources.
if (ADAPTER === "native") {
  test("an import takes over the entries that its ID names, and a destroy removes them", async () => {
    const api = await seeded();
    const stack = await newStack(api);
    const type = "clouddb:index:ServiceAccess";
    const id = `${SERVICE}/${OTHERS[0]}`;
    await expectOk(
      stack.pulumi("import", type, "web", id, "--protect=false", "--yes", "--skip-preview", "--generate-code=false"),
    );
    expect(await sent(api)).toEqual([GET]);
    stack.program(
      `new clouddb.ServiceAccess("web", { serviceId: "${SERVICE}", ipAccessList: [{ source: "${OTHERS[0]}", description: "office" }] });`,
    );
    await expectOk(stack.up("--expect-no-changes"));
    await expectOk(stack.destroy());
    expect(await sent(api)).toEqual([{ ipAccessList: { remove: [entry("203.0.113.0/24", "office")] } }]);
    expect(await sourcesOf(api)).toEqual(OTHERS.slice(1));
  });
}

describe("two owners in one program", () => {
  test.each<[string, string, string]>([
    [
      "a Service that declares the list",
      `new clouddb.Service("db", { existingServiceId: "${SERVICE}", ipAccessList: [] });${access("web", "192.0.2.1")}`,
      `both manage ipAccessList of ${SERVICE}`,
    ],
    [
      "a ServiceAccess with the same entry",
      `${access("one", "192.0.2.1")}${access("two", "192.0.2.1/32")}`,
      `both manage 192.0.2.1 in ipAccessList of ${SERVICE}`,
    ],
  ])("are refused in the preview: %s", async (_, program, sentence) => {
    const api = await seeded();
    const stack = await newStack(api, program);
    // As the resource has it that the engine sends last.
    expect((await expectFailure(stack.preview())).replace("192.0.2.1/32 in", "192.0.2.1 in")).toContain(sentence);
    expect(await sent(api)).toEqual([]);
  });

  test("are refused for a service that the stack has created, whose id the program repeats", async () => {
    const api = await simulated();
    const service = `new clouddb.Service("db", { ipAccessList: [] });`;
    const stack = await newStack(api, service);
    await expectOk(stack.up());
    const [created] = await api.services();
    await api.requests();
    stack.program(service + access("web", "192.0.2.1").replace(SERVICE, String(created?.id)));
    expect(await expectFailure(stack.preview())).toContain(`both manage ipAccessList of ${created?.id}`);
    expect(await sent(api)).toEqual([]);
  });

  test("are refused for a new service before any request for its access", async () => {
    const api = await simulated();
    const stack = await newStack(
      api,
      `const db = new clouddb.Service("db", { ipAccessList: [] });
       new clouddb.ServiceAccess("web", { serviceId: db.id, ipAccessList: [{ source: "192.0.2.1" }] });`,
    );
    expect(await expectFailure(stack.up())).toContain("both manage ipAccessList of");
    expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
  });
});
