import seed from "../../simulator/seeds/example.json";
import { EXAMPLE } from "../support/example";
import { expectOk, newStack, simulated } from "./support/stack";

const { service: ANALYTICS, otherService: REPORTS, pipes } = EXAMPLE;
const { kafka: KAFKA, kinesis: KINESIS } = pipes;
const [GET, SCALE] = ["GET /services/{id}", "PATCH /services/{id}/replicaScaling"];

test("a ServiceScaling for a new service: unknown in the preview, one read and one update in the up", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    `const db = new clouddb.Service("db", {});
     new clouddb.ServiceScaling("size", { serviceId: db.id, numReplicas: 5, idleScaling: false });`,
  );
  expect(await expectOk(stack.preview())).toContain("+ 3 to create");
  expect(await api.requests()).toEqual([]);
  await expectOk(stack.up());
  const sent = { request: SCALE, body: { numReplicas: 5, idleScaling: false } };
  expect(await api.requests()).toMatchObject([{ request: "POST /services" }, { request: GET }, sent]);
});

test("a changed id releases the old object with a message and adopts the new one", async () => {
  const api = await simulated({ seed: seed as never });
  const program = (service: string, pipe: string) => `
    new clouddb.ServiceScaling("size", { serviceId: "${service}", maxReplicaMemoryGb: 64 });
    new clouddb.Pipe("pipe", { serviceId: "${ANALYTICS}", pipeId: "${pipe}" });`;
  const stack = await newStack(api, program(ANALYTICS, KAFKA));
  await expectOk(stack.up());
  await api.requests();

  stack.program(program(REPORTS, KINESIS));
  const output = await expectOk(stack.up());
  expect(output).toContain("2 replaced");
  expect(output).toContain(
    "makes the stack release this object and adopt the other; nothing is created or deleted on the server.",
  );
  expect(output).toContain(`The pipe ${KAFKA} keeps its current settings`);
  expect(output).toContain(`The scaling of service ${ANALYTICS} keeps its current settings`);
  expect((await api.requests()).map(({ request, body }) => [request, body]).sort()).toEqual([
    [GET, null],
    ["GET /services/{id}/pipes/{id}", null],
    [SCALE, { maxReplicaMemoryGb: 64 }],
  ]);
});

test("an adopted service has no password: a program that exports it shows nothing unknown", async () => {
  const api = await simulated({ seed: seed as never });
  const stack = await newStack(
    api,
    `const db = new clouddb.Service("db", { existingServiceId: "${ANALYTICS}" });
     const read = clouddb.Service.get("read", "${REPORTS}");
     exports.passwords = pulumi.all([db.password, read.password]).apply((all) => all.map((each) => typeof each).join());`,
  );
  await expectOk(stack.up());
  await expectOk(stack.refresh("--expect-no-changes"));
  expect(await expectOk(stack.preview())).not.toContain("[unknown]");
  expect(await expectOk(stack.pulumi("stack", "output", "passwords", "--show-secrets"))).toBe("undefined,undefined\n");
});
