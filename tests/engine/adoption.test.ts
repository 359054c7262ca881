import { ADAPTER } from "../support/adapters/handlers";
import { EXAMPLE, exampleSeed } from "../support/example";
import { newStack, SERVICE_TYPE, simulated } from "./support/stack";

const { service: ANALYTICS, otherService: REPORTS, pipes } = EXAMPLE;

test("existing objects are adopted, managed, exchanged for other objects, and released", async () => {
  const api = await simulated({ seed: exampleSeed });
  const sent = async () => (await api.sent()).sort();
  const program = (service: object, scaled: string, pipe: string) => `
    const db = new clouddb.Service("db", ${JSON.stringify(service)}, { protect: false });
    const read = clouddb.Service.get("read", "${REPORTS}");
    new clouddb.ServiceScaling("size", { serviceId: "${scaled}", maxReplicaMemoryGb: 64 });
    new clouddb.Pipe("pipe", { serviceId: "${ANALYTICS}", pipeId: "${pipe}" });
    exports.name = read.name;
    const passwords = pulumi.all([db.password, read.password]);
    exports.passwords = pulumi.unsecret(passwords.apply((all) => all.map((each) => typeof each).join()));`;
  const adopting = { existingServiceId: ANALYTICS, name: "Analytics" };
  const stack = await newStack(api, program(adopting, ANALYTICS, pipes.kafka));
  await stack.up();
  await sent();

  // An adopted service has no password, and is managed without the argument that adopted it. The
  // engine compares the inputs of a dynamic resource, so its diff does not show what a new list
  // removes.
  const office = { source: "203.0.113.0/24", description: "office" };
  stack.program(program({ name: "Renamed", ipAccessList: [office] }, REPORTS, pipes.kinesis));
  const preview = await stack.preview("--diff");
  expect(preview).not.toContain("[unknown]");
  expect(preview).toContain("removes 1 entry (198.51.100.7/32).");
  const diff = {
    dynamic: /\+ ipAccessList/,
    native:
      /~ ipAccessList *: \[\s+- \[1\]: \{\s+- description: .*\s+- source *: "198\.51\.100\.7"/,
  };
  expect(preview).toMatch(diff[ADAPTER]);
  await sent();
  const output = await stack.up();
  expect(output).toContain("2 replaced");
  expect(output).toMatch(/passwords: "undefined,undefined"/);
  for (const released of [`pipe ${pipes.kafka}`, `scaling of service ${ANALYTICS}`]) {
    expect(output).toContain(`The ${released} keeps its current settings`);
  }
  // Three reads of a service: before its list changes, of the adopted scaling, and of
  // `Service.get`.
  expect(await sent()).toEqual([
    "GET /services/{id}",
    "GET /services/{id}",
    "GET /services/{id}",
    "GET /services/{id}/pipes/{id}",
    [
      "PATCH /services/{id}",
      {
        name: "Renamed",
        ipAccessList: { remove: [expect.objectContaining({ source: "198.51.100.7" })] },
      },
    ],
    ["PATCH /services/{id}/replicaScaling", { maxReplicaMemoryGb: 64 }],
  ]);

  const stored = (await stack.resources()).find(({ urn }) => urn.endsWith(`${SERVICE_TYPE}::db`));
  expect(stored).toMatchObject({
    id: ANALYTICS,
    sourcePosition: expect.stringMatching(/^project:\/\/\/index\.js#/),
  });
  expect(await stack.destroy()).toContain("keeps running and costing money: it was adopted");
  expect(await sent()).toEqual([]);
  expect(await api.services()).toHaveLength(2);
});
