import { EXAMPLE, exampleSeed } from "../support/example";
import { expectFailure, newStack, simulated } from "./support/stack";

test("the preview rejects all invalid arguments at once, without a request", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    `new clouddb.Service("db", {
      name: "no_underscores", numReplicas: 25, region: "us-east-3", minReplicaMemoryGb: 10,
      ipAccessList: [
        { source: "office" },
        ...Array.from({ length: 60 }, (_, i) => ({ source: "192.0.2." + i })),
        ...Array.from({ length: 1000 }, (_, i) => ({ source: "nowhere " + i })),
      ],
      nonsense: 1, encryptionKey: 12345, minTotalMemoryGb: 48, maxTotalMemoryGb: 24,
    });`,
  );
  const output = await expectFailure(stack.preview());
  for (const problem of [
    'name "no_underscores" is invalid',
    "numReplicas 25 is invalid",
    'region "us-east-3" is invalid',
    "minReplicaMemoryGb 10 is invalid",
    'ipAccessList[0].source "office" is invalid',
    'ipAccessList[61].source "nowhere 0" is invalid',
    "There are 991 more problems in ipAccessList. [CDB1008]",
    "unknown argument nonsense",
    "encryptionKey is invalid",
    "minTotalMemoryGb 48 is invalid",
  ]) {
    expect(output).toContain(problem);
  }
  // A failure with a property would make the engine print the whole value: a thousand entries, or a
  // secret.
  expect(output).not.toMatch(/12345|192\.0\.2\./);
  expect(output.length).toBeLessThan(10_000);
  expect(output).not.toMatch(/\n\s+at /);
  expect(await api.requests()).toEqual([]);
});

test("unknown values are accepted in any argument and never cause a replacement", async () => {
  const api = await simulated();
  const chained = (replicas: number) => `
    const first = new clouddb.Service("first", { numReplicas: ${replicas} });
    const second = new clouddb.Service("second", {
      dataWarehouseId: first.dataWarehouseId,
      encryptionAssumedRoleIdentifier: first.iamRole,
      encryptionKey: pulumi.secret(first.createdAt),
      ipAccessList: [{ source: "203.0.113.7", description: first.engineVersion }],
      numReplicas: 1,
    });
    const third = new clouddb.Service("third", { dataWarehouseId: second.dataWarehouseId });
    new clouddb.ServiceScaling("size", { serviceId: third.id, idleScaling: false });
    exports.key = second.encryptionKey;
  `;
  const stack = await newStack(api, chained(2));
  expect(await stack.preview()).toContain("+ 5 to create");
  expect(await api.requests()).toEqual([]);
  await stack.up();
  const [first, second] = await api.services();
  expect(second).toMatchObject({ dataWarehouseId: first?.dataWarehouseId });
  await api.requests();

  // Updating the first makes its outputs unknown in the preview: the second must not show as
  // replaced.
  stack.program(chained(3));
  const plan = await stack.preview();
  expect(plan).not.toMatch(/replace/);
  await stack.up();
  expect(await api.requestNames()).toEqual(["PATCH /services/{id}/replicaScaling"]);

  const stored = (await stack.resources()).find(({ urn }) => urn.endsWith("::second"));
  expect(stored?.inputs?.encryptionKey).toHaveProperty("ciphertext");
  expect(stored?.outputs?.encryptionKey).toHaveProperty("ciphertext");
});

test("under an unknown provider, output forms stay unknown and plain forms fail with a hint", async () => {
  const api = await simulated({ seed: exampleSeed });
  const program = (rest: string) => `
    const home = new clouddb.Provider("home", { keyId: "${api.keyId}" });
    const first = new clouddb.Service("first", {}, { provider: home });
    const provider = new clouddb.Provider("later", { keyId: first.createdAt.apply(() => "${api.keyId}") });
    new clouddb.Service("second", {}, { provider });
    ${rest}`;
  const stack = await newStack(
    api,
    program(
      `exports.name = clouddb.getServiceOutput({ serviceId: "${EXAMPLE.service}" }, { provider }).name;`,
    ),
  );
  // A key that is not known yet is not missing.
  stack.environment({ CLOUDDB_KEY_ID: undefined });
  expect(await stack.preview()).toMatch(/name: \[unknown\]/);
  expect(await api.requests()).toEqual([]);
  expect(await stack.up()).toMatch(/name: "Analytics"/);

  const plain = await newStack(
    api,
    program(
      `module.exports = async () => (await clouddb.getService({ serviceId: "${EXAMPLE.service}" }, { provider })).name;`,
    ),
  );
  expect(await expectFailure(plain.preview())).toContain("call the function's Output form");
});

test("a missing key is reported once, in the preview", async () => {
  const api = await simulated();
  const stack = await newStack(api, `for (const name of "abcdef") new clouddb.Service(name, {});`);
  stack.environment({ CLOUDDB_KEY_ID: undefined });
  const output = await expectFailure(stack.preview());
  expect(output).toContain(
    "clouddb:keyId (CLOUDDB_KEY_ID) is not set: use `pulumi config set`, an argument of the provider, or the environment variable.",
  );
  expect(new Set(output.match(/resource '\w' has a problem/g)).size).toBe(1);
  expect(await api.requests()).toEqual([]);
});
