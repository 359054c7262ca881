import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ENTRIES, expectFailure, expectOk, newStack, type Stack, simulated } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";

/** The packed package's plugin as the real engine starts it, for a program without the package's classes. */

const seed = JSON.parse(readFileSync(join(__dirname, "../../../simulator/seeds/example.json"), "utf8"));
const RAW = `
  const declared = (type, outputs) => class extends pulumi.CustomResource {
    constructor(name, args, opts) { super("clouddb:index:" + type, name, { ...outputs, ...args }, opts); }
  };
  const Service = declared("Service", { password: undefined, serviceEndpoints: undefined });
`;
const ARGS = `provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: 3`;
const service = (sources: string[], more = "") =>
  `${RAW} const db = new Service("db", { ${ARGS}, ipAccessList: ${JSON.stringify(sources.map((source) => ({ source, description: "" })))}, ${more} });
   exports.password = db.password;`;
const [A, B, C] = ["203.0.113.1", "203.0.113.2", "203.0.113.3"] as const;

let api: TestApi;
let stack: Stack;
beforeEach(async () => {
  api = await simulated({ seed });
  stack = await newStack(api);
});

const requests = async () => (await api.requests()).map(({ request }) => request);

test("creates, changes nothing twice, shows places, and refuses to replace or destroy a service", async () => {
  stack.program(service([A, B, C]));
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
  expect(preview).toMatch(/~ ipAccessList: \[\s+- \[1\]: \{/);
  expect(preview).not.toContain("[0]");

  stack.program(service([A, B, C], 'region: "eu-west-1"'));
  expect(await expectOk(stack.preview())).toContain('Changing region from "us-east-1" to "eu-west-1" of service');
  const sentence = "the API cannot delete services, so it would keep running and costing money";
  expect(await expectFailure(stack.up())).toContain(sentence);
  expect(await expectFailure(stack.destroy())).toContain(sentence);
  expect(await requests()).toEqual([]);
});

test("takes over the state of the package's own classes by an alias, without a request or a change", async () => {
  const args = `{ ${ARGS}, encryptionKey: "canary-key" }`;
  stack.program(`new clouddb.Service("db", ${args});`, ENTRIES.dynamic);
  await expectOk(stack.up());
  const [before] = (await stack.resources()).filter(({ type }) => type.endsWith(":Service"));
  await requests();
  stack.program(
    `${RAW} new Service("db", { ...${args}, encryptionKey: pulumi.secret("canary-key") }, { protect: true, aliases: [{ type: clouddb.Service.__pulumiType }] });`,
    ENTRIES.dynamic,
  );
  expect(await expectOk(stack.preview())).toContain("2 unchanged");
  await expectOk(stack.up());
  const [after] = (await stack.resources()).filter(({ type }) => type.endsWith(":Service"));
  expect(after).toMatchObject({ type: "clouddb:index:Service", id: before?.id });
  expect(JSON.stringify(after)).not.toContain("canary-key");
  expect(await requests()).toEqual([]);
});
