import { join } from "node:path";
import seed from "../../simulator/seeds/example.json";
import { EXAMPLE } from "../support/example";
import { expectFailure, expectOk, newStack, simulated, typeOf } from "./support/stack";

/** Stacks that share the access list of a service, through the real engine. */

const { service: SERVICE } = EXAMPLE;
const GET = "GET /services/{id}";
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
  // Entries that the other stack has added since are no drift.
  await expectOk(web.refresh("--expect-no-changes"));
  expect(await sent(api)).toEqual([GET]);

  await api.change("PATCH", `/${SERVICE}`, {
    ipAccessList: { remove: [entry("192.0.2.1", "web"), entry("192.0.2.3", "jobs")] },
  });
  const drift = await expectOk(web.refresh());
  expect(drift).toContain("192.0.2.1");
  expect(drift).not.toContain("192.0.2.3");
  web.program(access("web", "192.0.2.9", OTHERS[0] as string));
  await expectOk(web.up());
  expect(await sent(api)).toEqual([GET, { ipAccessList: { add: [entry("192.0.2.9", "web")] } }]);

  await expectOk(web.destroy());
  expect(await sent(api)).toEqual([{ ipAccessList: { remove: [entry("192.0.2.9", "web")] } }]);
  expect(await sourcesOf(api)).toEqual([...OTHERS, "192.0.2.2"]);
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
});

test("two owners of a list in one program are refused before any request", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    `const db = new clouddb.Service("db", { ipAccessList: [] });
     new clouddb.ServiceAccess("web", { serviceId: db.id, ipAccessList: [{ source: "192.0.2.1" }] });`,
  );
  expect(await expectFailure(stack.up())).toContain("both manage ipAccessList of");
  expect((await api.requests()).map(({ request }) => request)).toEqual(["POST /services"]);
  expect(await expectFailure(stack.preview())).toContain("both manage ipAccessList of");
  expect(await api.requests()).toEqual([]);
});
