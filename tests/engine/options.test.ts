import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expectOk, newStack, simulated, typeOf } from "./support/stack";

/** Options of projects, commands and resources, whose effect the engine decides from the provider's answers. */

const OFFICE = '{ source: "203.0.113.7", description: "office" }';
const HOME = '{ source: "203.0.113.8", description: "home" }';

test("a project that always refreshes repairs drift in one command, and previews it", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", { region: "us-east-1", numReplicas: 3 });`);
  await expectOk(stack.up());
  appendFileSync(join(stack.folder, "Pulumi.yaml"), "\noptions:\n  refresh: always\n");
  const [{ id }] = (await api.services()) as [{ id: string }];
  await api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 5 });
  await api.requests();
  const sent = async () => (await api.requests()).map(({ request, body }) => [request, body]);

  expect(await expectOk(stack.preview())).toMatch(/numReplicas: 5 => 3/);
  expect(await sent()).toEqual([["GET /services/{id}", null]]);
  await expectOk(stack.up());
  expect(await sent()).toEqual([
    ["GET /services/{id}", null],
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 3 }],
  ]);
  await expectOk(stack.up("--expect-no-changes"));
  expect(await sent()).toEqual([["GET /services/{id}", null]]);
});

test("a change inside a list that is ignored is not sent, and others are", async () => {
  const api = await simulated();
  const program = (args: string, opts = "") =>
    `new clouddb.Service("db", { region: "us-east-1", ${args} }, { ${opts} });`;
  const stack = await newStack(api, program(`numReplicas: 2, ipAccessList: [${OFFICE}, ${HOME}]`));
  await expectOk(stack.up());
  await api.requests();
  const other = HOME.replace("home", "other");
  stack.program(
    program(`numReplicas: 3, ipAccessList: [${OFFICE}, ${other}]`, 'ignoreChanges: ["ipAccessList[1].description"]'),
  );
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request, body }) => [request, body])).toEqual([
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 3 }],
  ]);
  await expectOk(stack.refresh("--expect-no-changes"));
});

test("a target changes alone, and a transform reaches what is sent", async () => {
  const api = await simulated();
  const services = (replicas: number) => `
    const opts = { transforms: [({ props, opts }) => ({ props: { ...props, ipAccessList: [${OFFICE}] }, opts })] };
    for (const name of ["one", "two"]) new clouddb.Service(name, { region: "us-east-1", numReplicas: ${replicas} }, opts);`;
  const stack = await newStack(api, services(2));
  await expectOk(stack.up());
  const created = (await api.requests()).filter(({ request }) => request === "POST /services");
  expect(created.map(({ body }) => (body as { ipAccessList?: unknown }).ipAccessList)).toEqual(
    [1, 2].map(() => [{ source: "203.0.113.7", description: "office" }]),
  );
  stack.program(services(3));
  await expectOk(stack.up("--target", `urn:pulumi:dev::test::${typeOf("Service")}::one`));
  expect((await api.requests()).map(({ request, body }) => [request, body])).toEqual([
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 3 }],
  ]);
  expect((await api.services()).map(({ name, numReplicas }) => [name, numReplicas]).sort()).toEqual([
    ["one", 3],
    ["two", 2],
  ]);
});
