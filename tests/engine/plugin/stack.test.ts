import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, simulated } from "../support/stack";

/** The packed package's plugin as the real engine starts it, for a program without the package's classes. */

const RAW = `
  class Service extends pulumi.CustomResource {
    constructor(name, args, opts) {
      super("clouddb:index:Service", name, { password: undefined, serviceEndpoints: undefined, ...args }, opts);
    }
  }
`;
const ARGS = `provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3`;
const service = (sources: string[], more = "") =>
  `${RAW} const db = new Service("db", { ${ARGS}, ipAccessList: ${JSON.stringify(sources.map((source) => ({ source, description: "" })))}, ${more} });
   exports.password = db.password;`;
const [A, B, C] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"] as const;

test("creates, changes nothing twice, shows places, and refuses to replace or destroy a service", async () => {
  const api = await simulated();
  const stack = await newStack(api, service([A, B, C]));
  const requests = async () => (await api.requests()).map(({ request }) => request);
  expect(await expectOk(stack.preview())).toContain("+ 2 to create");
  expect(await requests()).toEqual([]);
  await expectOk(stack.up());
  expect(await requests()).toEqual(["POST /services"]);
  expect(await expectOk(stack.preview())).toContain("2 unchanged");
  expect(await expectOk(stack.refresh())).toContain("2 unchanged");
  expect(await requests()).toEqual(["GET /services/{id}"]);
  const state = readFileSync(join(stack.folder, "state/.pulumi/stacks/test/dev.json"), "utf8");
  const [{ password } = {}] = (await api.services()).slice(-1);
  expect(state).not.toContain(password ?? "password is not shown");

  stack.program(service([A, C]));
  const preview = await expectOk(stack.preview());
  expect(preview).toMatch(/~ ipAccessList: \[\s+~ \[1\]: \{/);
  expect(preview).not.toContain("[0]");

  stack.program(service([A, B, C], 'region: "eu-west-1"'));
  expect(await expectOk(stack.preview())).toContain('Changing region from "us-east-1" to "eu-west-1" of service');
  const sentence = "the API cannot delete services, so it would keep running and costing money";
  expect(await expectFailure(stack.up())).toContain(sentence);
  expect(await expectFailure(stack.destroy())).toContain(sentence);
  expect(await requests()).toEqual([]);
});

test.each([
  ["a second service is created", "{}", ["POST /services"]],
  ["with `deleteBeforeReplace`, nothing is created", "{ deleteBeforeReplace: true }", []],
  ["with `protect`, nothing is created", "{ protect: true }", []],
])("a tainted service of another language: %s, and the update fails", async (_, options, expected) => {
  const api = await simulated();
  const stack = await newStack(api, `${RAW} new Service("db", { ${ARGS} }, ${options});`);
  await expectOk(stack.up());
  // Before a command has seen the service, its replacement would be the same one.
  await expectOk(stack.preview());
  await api.requests();
  await expectOk(stack.pulumi("state", "taint", "urn:pulumi:dev::test::clouddb:index:Service::db", "--yes"));
  await expectFailure(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(expected);
});

test("a preview of an update keeps the endpoints for resources that use them, unless their arguments change", async () => {
  const api = await simulated();
  const program = (args: string) => `
    const db = new clouddb.Service("db", { ${args} });
    const description = db.serviceEndpoints.apply(([endpoint]) => endpoint.host);
    new clouddb.Service("reader", { ipAccessList: [{ source: "203.0.113.7", description }] });`;
  const stack = await newStack(api, program("numReplicas: 3"));
  await expectOk(stack.up());
  await api.requests();

  stack.program(program("numReplicas: 4"));
  const scaled = await expectOk(stack.preview());
  expect(scaled).toContain("~ 1 to update");
  expect(scaled).not.toContain("ipAccessList");
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["PATCH /services/{id}/replicaScaling"]);

  stack.program(program('numReplicas: 4, endpoints: [{ protocol: "mysql", enabled: true }]'));
  const changed = await expectOk(stack.preview());
  expect(changed).toContain("~ 2 to update");
  expect(changed).toMatch(/description: ".+" => \[unknown\]/);
});
