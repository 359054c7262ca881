import { expectFailure, expectOk, newStack, simulated, storedService } from "./support/stack";

test("the preview rejects invalid arguments, all at once, without a request", async () => {
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
    "name is invalid: must consist of letters, digits and whitespace, with at most 50 characters. [CDB1003]",
    "numReplicas 25 is invalid: must be an integer from 1 to 20. [CDB1003]",
    "region is invalid: must be one of ap-northeast-1",
    "minReplicaMemoryGb 10 is invalid: must be an integer from 8 to 356 and a multiple of 4. [CDB1003]",
    "ipAccessList[0].source is invalid: must be an IPv4 or IPv6 address",
    "ipAccessList[61].source is invalid: must be an IPv4 or IPv6 address",
    "There are 991 more problems in ipAccessList. [CDB1008]",
    "unknown argument nonsense; remove it. [CDB1001]",
    "encryptionKey is invalid: must be a non-empty string. [CDB1003]",
    "minTotalMemoryGb 48 is invalid: must not exceed maxTotalMemoryGb 24",
  ]) {
    expect(output).toContain(problem);
  }
  // A failure with a property would make the engine print the whole value: a thousand entries, or a secret.
  expect(output).not.toMatch(/12345|192\.0\.2\.|us-east-3/);
  expect(output.length).toBeLessThan(10_000);
  expect(output).not.toMatch(/\n\s+at /);
  expect(await api.requests()).toEqual([]);
});

test("an invalid value in or next to a secret is rejected without printing it", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    `new clouddb.Pipe("orders", {
      serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001",
      name: pulumi.secret("hush name "),
      source: pulumi.output({
        kafka: { iamRole: 1234567, caCertificate: pulumi.secret(1234567), credentials: { username: "hush", password: "hush", token: "hush" } },
      }),
    });`,
  );
  const output = await expectFailure(stack.preview());
  for (const problem of [
    "name is invalid: must not start or end with whitespace. [CDB1003]",
    "source.kafka.iamRole is invalid",
    "source.kafka.caCertificate is invalid",
    "source.kafka.credentials is invalid: must contain only username, password; got token. [CDB1003]",
  ]) {
    expect(output).toContain(problem);
  }
  expect(output).not.toMatch(/hush|1234567/);
});

test("in a list of five, a replaced entry is one change, a removed one at most two, a new order none", async () => {
  const api = await simulated();
  const list = (entries: string) =>
    `new clouddb.Service("db", { ipAccessList: [..."${entries}"].map((each) => ({ source: "10.0.0." + each })) });`;
  const stack = await newStack(api, list("12345"));
  await expectOk(stack.up());
  const places = async (entries: string) => {
    stack.program(list(entries));
    const output = await expectOk(stack.preview("--diff"));
    return new Set(output.match(/^\s*[~+-]\s+\[\d\]/gm)?.map((line) => line.replace(/\s+/g, " ").trim()) ?? []);
  };
  expect(await places("12945")).toEqual(new Set(["~ [2]"]));
  expect(await places("1245")).toEqual(new Set(["~ [2]", "- [4]"]));
  expect(await places("54321")).toEqual(new Set());
  expect(await places("612345")).toEqual(new Set(["+ [5]"]));
});

test("an entry without a value is refused, instead of removing all access", async () => {
  const api = await simulated();
  const list = (entries: string) => `new clouddb.Service("db", { ipAccessList: ${entries} });`;
  const stack = await newStack(api, list(`[{ source: "203.0.113.7" }]`));
  await expectOk(stack.up());
  await api.requests();
  for (const entries of ["[null]", "[undefined]", "[pulumi.output(undefined)]"]) {
    stack.program(list(entries));
    const message = "ipAccessList[0] is null: leave the entry out, or give it a value. [CDB1005]";
    expect(await expectFailure(stack.preview())).toContain(message);
  }
  expect(await api.requests()).toEqual([]);
});

test("the preview warns of deprecated arguments and names their replacement", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", { minTotalMemoryGb: 24 });`);
  expect(await expectOk(stack.preview())).toContain("minTotalMemoryGb is deprecated. Use minReplicaMemoryGb.");
});

test("unknown values are accepted in any argument, and never cause a replacement", async () => {
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
    exports.key = second.encryptionKey;
  `;
  const stack = await newStack(api, chained(2));
  expect(await expectOk(stack.preview())).toContain("+ 3 to create");
  await expectOk(stack.up());
  const [first, second] = await api.services();
  expect(second).toMatchObject({ dataWarehouseId: first?.dataWarehouseId });
  await api.requests();

  // Updating the first makes its outputs unknown in the preview: the second must not show as replaced.
  stack.program(chained(3));
  const plan = await expectOk(stack.preview());
  expect(plan).not.toMatch(/replace/);
  await expectOk(stack.up());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["PATCH /services/{id}/replicaScaling"]);

  const exported = await expectOk(stack.pulumi("stack", "export"));
  expect(exported).not.toContain(String(first?.createdAt).slice(0, -1).concat('Z","ci'));
  const stored = (await stack.resources()).find(({ urn }) => urn.endsWith("::second"));
  expect(stored?.inputs?.encryptionKey).toHaveProperty("ciphertext");
  expect(stored?.outputs?.encryptionKey).toHaveProperty("ciphertext");
});

test("invalid settings are reported in one sentence that says what to do", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", {});`);
  const expectMessages = async (variables: Record<string, string | undefined>, ...parts: (string | RegExp)[]) => {
    stack.environment(variables);
    const output = await expectFailure(stack.up());
    for (const part of parts) expect(output).toMatch(part);
    expect(output).not.toMatch(/\n\s+at /);
  };
  const { CLOUDDB_BASE_URL, CLOUDDB_KEY_SECRET } = { CLOUDDB_BASE_URL: api.baseUrl, CLOUDDB_KEY_SECRET: api.keySecret };

  await expectMessages(
    { CLOUDDB_KEY_SECRET: "wrong" },
    /returned 401, UNAUTHORIZED/,
    /Nothing was created\. Check CLOUDDB_KEY_ID and CLOUDDB_KEY_SECRET in the environment/,
  );
  await expectMessages({ CLOUDDB_KEY_SECRET: undefined }, /clouddb:keySecret \(CLOUDDB_KEY_SECRET\) is not set/);
  await expectMessages(
    { CLOUDDB_KEY_SECRET, CLOUDDB_BASE_URL: "https://127.0.0.1/v1" },
    /without API version, query or credentials/,
  );
  await expectMessages(
    { CLOUDDB_BASE_URL: `${CLOUDDB_BASE_URL} `, CLOUDDB_MAX_RETRIES: " " },
    /clouddb:baseUrl \(CLOUDDB_BASE_URL\) is invalid: must not contain whitespace/,
    /clouddb:maxRetries \(CLOUDDB_MAX_RETRIES\) is invalid: must be an integer/,
  );
  await expectMessages(
    { CLOUDDB_BASE_URL: "http://127.0.0.1:1", CLOUDDB_MAX_RETRIES: "1" },
    /could not connect to the server: ECONNREFUSED/,
    /Nothing was created\. Check clouddb:baseUrl/,
  );
  await expectMessages(
    { CLOUDDB_BASE_URL, CLOUDDB_ORGANIZATION_ID: undefined },
    /organizationId is missing: declare it, or set/,
  );
  expect(await api.services()).toEqual([]);
});

test("a missing key is reported once, in the preview, and only where an `up` would need it", async () => {
  const api = await simulated();
  const services = (numReplicas: number) =>
    `for (const name of "abcdef") new clouddb.Service(name, { numReplicas: name === "a" ? ${numReplicas} : 2 });`;
  const stack = await newStack(api, services(2));
  const unset =
    "clouddb:keyId (CLOUDDB_KEY_ID) is not set: use `pulumi config set`, an argument of the provider, or the environment variable.";
  const expectRefusals = async () => {
    for (const command of [stack.preview(), stack.up()]) {
      const output = await expectFailure(command);
      expect(output).toContain(unset);
      expect(new Set(output.match(/resource '\w' has a problem/g)).size).toBe(1);
    }
    expect(await api.requests()).toEqual([]);
  };
  stack.environment({ CLOUDDB_KEY_ID: undefined });
  await expectRefusals();
  stack.environment({ CLOUDDB_KEY_ID: api.keyId });
  await expectOk(stack.up());
  await api.requests();

  stack.environment({ CLOUDDB_KEY_ID: undefined });
  await expectOk(stack.preview("--expect-no-changes"));
  await expectOk(stack.up("--expect-no-changes"));
  stack.program(services(3));
  await expectRefusals();
});

test("a key that is not known yet is not missing", async () => {
  const api = await simulated();
  const stack = await newStack(
    api,
    `const home = new clouddb.Provider("home", { keyId: "${api.keyId}" });
     const first = new clouddb.Service("first", {}, { provider: home });
     const away = new clouddb.Provider("away", { keyId: first.createdAt.apply(() => "${api.keyId}") });
     new clouddb.Service("second", {}, { provider: away });`,
  );
  stack.environment({ CLOUDDB_KEY_ID: undefined });
  expect(await expectOk(stack.preview())).toContain("+ 5 to create");
  await expectOk(stack.up());
  expect(await api.services()).toHaveLength(2);
});

test("an existing service can be read without being managed", async () => {
  const api = await simulated();
  const { service } = await api.change("POST", "", { name: "elsewhere", numReplicas: 4 });
  const { id } = service as { id: string };
  const stack = await newStack(
    api,
    `const found = clouddb.Service.get("found", "${id}");
     exports.replicas = found.numReplicas;
     exports.name = found.name;`,
  );
  const output = await expectOk(stack.up());
  expect(output).toMatch(/name\s*: "elsewhere"/);
  expect(output).toMatch(/replicas\s*: 4/);
  expect((await storedService(stack)).id).toBe(id);
  await expectOk(stack.destroy());
  expect((await api.requests()).map(({ request }) => request)).toEqual(["GET /services/{id}"]);
});
