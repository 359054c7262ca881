import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE, exampleSeed } from "../../support/example";
import {
  expectFailure,
  newStack,
  restartWithNewKey,
  SERVICE_TYPE,
  simulated,
  testHome,
} from "../support/stack";

/** Options of resources, providers and commands whose tests are slow. */

const urn = (name: string) => `urn:pulumi:dev::test::${SERVICE_TYPE}::${name}`;

/** Runs `pulumi up` with the first program; the second one is for the next command. */
async function created(first: string, second: string) {
  const api = await simulated();
  const stack = await newStack(api, first);
  // With a journal, a replacement by the next command would be the same service.
  stack.environment({ CLOUDDB_JOURNAL: "off" });
  await stack.up();
  const ids = (await api.services()).map(({ id }) => id);
  await api.requests();
  stack.program(second);
  return { api, stack, ids };
}

test("a protected service is not replaced by replacementTrigger or replaceWith, nor deleted by deletedWith", async () => {
  const program = (ofFirst: number, ofThird: number) => `
    const opts = { protect: false, replacementTrigger: ${ofFirst} };
    const first = new clouddb.Service("first", { region: "us-east-1" }, opts);
    new clouddb.Service("second", { region: "us-east-1" }, { replaceWith: [first], deletedWith: first });
    new clouddb.Service("third", { region: "us-east-1" }, { replacementTrigger: ${ofThird} });`;
  const { api, stack, ids } = await created(program(1, 1), program(2, 1));
  const withFirst = await expectFailure(stack.preview());
  expect(withFirst).toMatch(
    new RegExp(`unable to replace resource "${urn("second")}" as part of replacing .*protection`),
  );
  stack.program(program(1, 2));
  const alone = await expectFailure(stack.preview());
  expect(alone).toMatch(new RegExp(`unable to replace resource "${urn("third")}"\n?.*protection`));
  // The engine does not ask the provider, which would explain the replacement.
  expect(withFirst + alone).not.toContain("requires a new, empty service");

  expect(await expectFailure(stack.destroy())).toContain(`"${urn("second")}" cannot be deleted`);
  expect(await api.requests()).toEqual([]);
  expect((await api.services()).map(({ id }) => id)).toEqual(ids);
});

test("replacing a retained service by replacementTrigger or replaceWith creates a second service", async () => {
  const program = (trigger: number) => `
    const opts = { retainOnDelete: true, replacementTrigger: ${trigger} };
    const first = new clouddb.Service("first", { region: "us-east-1" }, opts);
    new clouddb.Service("second", { region: "us-east-1" }, { retainOnDelete: true, replaceWith: [first] });`;
  const { api, stack } = await created(program(1), program(2));
  const preview = await stack.preview();
  expect(preview).toContain("+-2 to replace");
  expect(preview).not.toContain("CDB");
  await stack.up();
  expect(await api.requestNames()).toEqual(["POST /services", "POST /services"]);
  await stack.destroy();
  expect(await api.requests()).toEqual([]);
  expect(await api.services()).toHaveLength(4);
});

test("a service with deletedWith leaves the stack and keeps running; a change in hideDiffs is sent", async () => {
  const program = (numReplicas: number) => `
    const first = new clouddb.Service("first", {}, { retainOnDelete: true });
    const opts = { protect: false, deletedWith: first, hideDiffs: ["numReplicas"] };
    new clouddb.Service("second", { numReplicas: ${numReplicas} }, opts);`;
  const { api, stack, ids } = await created(program(2), program(3));
  const preview = await stack.preview();
  expect(preview).toContain("~ 1 to update");
  expect(preview).not.toContain("2 => 3");
  await stack.up();
  expect((await api.requests()).map(({ body }) => body)).toEqual([{ numReplicas: 3 }]);
  expect(await stack.destroy()).toContain("- 3 deleted");
  expect(await api.requests()).toEqual([]);
  expect((await api.services()).map(({ id }) => id)).toEqual(ids);
});

test("replaceOnChanges of everything stops a half-finished creation, which continues without the option", async () => {
  const program = (opts: string) =>
    `new clouddb.Service("db", { privateEndpointIds: ["vpce-0a1b2c3d4e5f60001"] }, ${opts});`;
  const api = await simulated();
  const stack = await newStack(api, program('{ replaceOnChanges: ["*"] }'));
  await api.faults({ method: "PATCH", times: 1, effect: { kind: "status", status: 403 } });
  await expectFailure(stack.up());
  await api.requests();
  expect(await expectFailure(stack.preview())).toContain(
    `unable to replace resource "${urn("db")}"`,
  );
  await expectFailure(stack.up());
  expect(await api.requests()).toEqual([]);
  stack.program(program("{}"));
  await stack.up();
  expect(await api.requestNames()).toEqual(["PATCH /services/{id}"]);
});

test("an unknown replacementTrigger fails the preview although the update would not change the service", async () => {
  const second = `
    const scaling = new clouddb.ServiceScaling("size", { serviceId: "${EXAMPLE.service}" });
    const replacementTrigger = scaling.numReplicas.apply(() => "same");
    new clouddb.Service("db", {}, { replacementTrigger });`;
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(
    api,
    'new clouddb.Service("db", {}, { replacementTrigger: "same" });',
  );
  await stack.up();
  await api.requests();
  stack.program(second);
  expect(await expectFailure(stack.preview())).toContain(
    `unable to replace resource "${urn("db")}"`,
  );
  await stack.up();
  expect(await api.requestNames()).toEqual(["GET /services/{id}"]);
});

test("--expect-no-changes applies changes before it fails; --exclude-protected may leave services", async () => {
  const program = (numReplicas: number, output: number) => `
    new clouddb.Service("db", { numReplicas: ${numReplicas} });
    exports.output = ${output};`;
  const { api, stack } = await created(program(2, 1), program(4, 1));
  await expectFailure(stack.up("--expect-no-changes"));
  expect((await api.requests()).map(({ body }) => body)).toEqual([{ numReplicas: 4 }]);
  stack.program(program(4, 2));
  await stack.up("--expect-no-changes");
  const destroyed = await stack.destroy("--exclude-protected", "--remove");
  expect(destroyed).toContain("no unprotected resources to destroy");
  expect(await stack.resources()).not.toEqual([]);
});

const CANARY = "canary-address";

const withDescription = (size: number, description: string) => `
  new clouddb.Service("one", { region: "us-east-1", numReplicas: ${size} });
  const ipAccessList = [{ source: "203.0.113.7", description: pulumi.secret("${description}") }];
  new clouddb.Service("two", { region: "us-east-1", numReplicas: 2, ipAccessList });`;

test("a plan fixes each resource's arguments, but not the state that the update starts from", async () => {
  const api = await simulated();
  const stack = await newStack(api, withDescription(2, CANARY));
  const plan = join(stack.folder, "plan.json");
  const patches = async () =>
    (await api.requests()).filter(({ request }) => /^PATCH/.test(request)).map(({ body }) => body);
  const sizes = async () =>
    (await api.services()).map(({ name, numReplicas }) => `${name} ${numReplicas}`).sort();
  await stack.up();

  stack.program(withDescription(4, CANARY));
  await stack.preview("--save-plan", plan);
  expect(readFileSync(plan, "utf8")).not.toContain(CANARY);
  stack.program(withDescription(7, CANARY));
  await stack.up();
  await api.requests();
  stack.program(withDescription(4, CANARY));
  await stack.up("--plan", plan);
  expect([await patches(), await sizes()]).toEqual([[{ numReplicas: 4 }], ["one 4", "two 2"]]);

  // The plan of a preview without changes allows none.
  await stack.preview("--save-plan", plan);
  stack.program(withDescription(4, `another-${CANARY}`));
  const violated = await expectFailure(stack.up("--plan", plan));
  expect(violated).toMatch(/Service::two violates plan: properties changed: .*ipAccessList/);
  expect([await patches(), await sizes()]).toEqual([[], ["one 4", "two 2"]]);
});

test("a plan repairs drift only with a refresh, and fixes the outputs of the stack", async () => {
  const program = (output: number) =>
    `new clouddb.Service("db", { numReplicas: 2 }); exports.output = ${output};`;
  const { api, stack, ids } = await created(program(1), program(1));
  const plan = join(stack.folder, "plan.json");
  await api.change("PATCH", `/${ids[0]}/replicaScaling`, { numReplicas: 4 });
  expect(await stack.preview("--refresh", "--save-plan", plan)).toContain("~ 1 to update");
  await api.requests();
  await stack.up("--plan", plan);
  expect(await api.requests()).toEqual([]);
  await stack.up("--plan", plan, "--refresh");
  expect(await api.requestNames()).toEqual([
    "GET /services/{id}",
    "PATCH /services/{id}/replicaScaling",
  ]);
  stack.program(program(2));
  expect(await expectFailure(stack.pulumi("up", "--yes", "--plan", plan))).not.toContain("error:");
});

test("a rotated key in a mapped variable works at once; a missing variable selects no other account", async () => {
  const data = mkdtempSync(join(testHome(), "data-"));
  const [home, away] = [await simulated(), await simulated({ data, keySecret: "old-key" })];
  const { service } = await away.change("POST", "", { name: "elder" });
  const { id: serviceId } = service as { id: string };
  const stack = await newStack(
    home,
    `const provider = new clouddb.Provider(
       "away", { baseUrl: "${away.baseUrl}" }, { envVarMappings: { AWAY_KEY: "CLOUDDB_KEY_SECRET" } });
     const serviceId = "${serviceId}";
     const access = new clouddb.ServiceAccess("jobs", { serviceId, ipAccessList: [{ source: "203.0.113.7" }] }, { provider });
     exports.found = clouddb.getServiceOutput({ serviceId }, { provider, dependsOn: [access] }).name;`,
  );
  const requests = async () =>
    [await home.requests(), await away.requests()].map((all) => all.map((one) => one.request));
  stack.environment({ AWAY_KEY: "old-key" });
  expect(await stack.up()).toContain('found: "elder"');

  await restartWithNewKey(away, data);
  stack.environment({ AWAY_KEY: "new-key" });
  expect(await stack.refresh("--expect-no-changes")).not.toContain("401");
  await requests();

  stack.environment({ AWAY_KEY: undefined });
  const refused = {
    preview: stack.preview,
    up: stack.up,
    refresh: stack.refresh,
    destroy: stack.destroy,
  };
  for (const [name, command] of Object.entries(refused)) {
    const output = await expectFailure(command());
    expect([name, output]).toEqual([
      name,
      expect.stringMatching(/AWAY_KEY is not set: envVarMappings .*CDB2001/),
    ]);
  }
  expect(await requests()).toEqual([[], []]);

  stack.environment({ AWAY_KEY: "new-key" });
  await stack.destroy();
  expect(await requests()).toEqual([[], ["GET /services/{id}", "PATCH /services/{id}"]]);
});
