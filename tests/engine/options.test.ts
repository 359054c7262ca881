import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE, exampleSeed } from "../support/example";
import { newStack, SERVICE_TYPE, simulated } from "./support/stack";

/**
 * Options of projects, commands and resources, whose effect the engine decides from the provider's
 * answers.
 */

const OFFICE = '{ source: "203.0.113.7", description: "office" }';

test("a project with the option refresh previews and repairs drift in one command", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    `new clouddb.Service("db", { region: "us-east-1", numReplicas: 3 });`,
  );
  await stack.up();
  appendFileSync(join(stack.folder, "Pulumi.yaml"), "\noptions:\n  refresh: always\n");
  const [{ id }] = (await api.services()) as [{ id: string }];
  await api.change("PATCH", `/${id}/replicaScaling`, { numReplicas: 5 });
  await api.requests();

  expect(await stack.preview()).toMatch(/numReplicas: 5 => 3/);
  expect(await api.sent()).toEqual(["GET /services/{id}"]);
  await stack.up();
  expect(await api.sent()).toEqual([
    "GET /services/{id}",
    ["PATCH /services/{id}/replicaScaling", { numReplicas: 3 }],
  ]);
});

test("a target changes alone, ignored list changes are not sent, and transforms change the request", async () => {
  const api = await simulated();
  const services = (replicas: number, description: string) => `
    const ipAccessList = [${OFFICE}, { source: "203.0.113.8", description: "${description}" }];
    const opts = {
      ignoreChanges: ["ipAccessList"],
      transforms: [({ props, opts }) => ({ props: { ...props, ipAccessList }, opts })],
    };
    for (const name of ["one", "two"]) new clouddb.Service(name, { region: "us-east-1", numReplicas: ${replicas} }, opts);`;
  const stack = await newStack(api, services(2, "home"));
  await stack.up();
  const created = (await api.requests()).map(
    ({ body }) => (body as { ipAccessList?: unknown[] }).ipAccessList,
  );
  expect(created.map((list) => list?.length)).toEqual([2, 2]);
  stack.program(services(3, "other"));
  await stack.up("--target", `urn:pulumi:dev::test::${SERVICE_TYPE}::one`);
  expect(await api.sent()).toEqual([["PATCH /services/{id}/replicaScaling", { numReplicas: 3 }]]);
  expect((await api.services()).map(({ name, numReplicas }) => [name, numReplicas]).sort()).toEqual(
    [
      ["one", 3],
      ["two", 2],
    ],
  );
  await stack.refresh("--expect-no-changes");
});

test("Pulumi shows a line for each request with --debug, and none without it", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(
    api,
    `for (let i = 0; i < 3; i++) new clouddb.Service("db-" + i, { region: "us-east-1" });
     exports.name = clouddb.getServiceOutput({ serviceId: "${EXAMPLE.service}" }).name;`,
  );
  const linesIn = (output: string) => [...new Set(output.match(/(GET|POST) .* \[CDB3013\]/g))];

  const created = linesIn(await stack.up("--debug"));
  expect(await api.requests()).toHaveLength(created.length);
  expect(created.map((line) => line.slice(0, line.indexOf(" "))).sort()).toEqual([
    "GET",
    "POST",
    "POST",
    "POST",
  ]);
  for (const line of created)
    expect(line).toMatch(/: 200 after \d+\.\d\d s, attempt 1, request id \S+\. \[CDB3013\]$/);

  expect(linesIn(await stack.refresh())).toEqual([]);
  expect(await api.requests()).toHaveLength(3);
});
