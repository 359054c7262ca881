import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EXAMPLE, exampleSeed } from "../../support/example";
import { expectFailure, newStack, simulated } from "../support/stack";

/** Resource options, as the engine passes them to the plugin and acts on its responses. */

const program = (args: string, opts: string) => `
  const db = new clouddb.Service("db", {
    region: "us-east-1", numReplicas: 2, name: pulumi.secret("canary name"), privateEndpointIds: [pulumi.secret("vpce-0a1b2c3d4e5f60001")],
    ipAccessList: [{ source: pulumi.secret("203.0.113.77"), description: "office" }, { source: "203.0.113.78" }], ${args}
  }, { protect: false, additionalSecretOutputs: ["serviceEndpoints"], ${opts} });`;
const SECRETS = ["canary name", "203.0.113.77", "db.example.com"];

test("ignored changes, secrets in lists, secret outputs and forced replacements work with the plugin", async () => {
  const api = await simulated();
  const stack = await newStack(api, program("", ""));
  const outputs = [await stack.up("--diff")];
  const requests = () => api.requestNames();
  expect(await requests()).toEqual(["POST /services", "PATCH /services/{id}"]);

  const others =
    'region: "eu-west-1", numReplicas: 5, ipAccessList: [{ source: "203.0.113.77", description: "other" }]';
  stack.program(program(others, 'ignoreChanges: ["region", "numReplicas", "ipAccessList"]'));
  outputs.push(await stack.up("--expect-no-changes"));
  expect(await requests()).toEqual([]);

  // When a service must be replaced, the engine deletes it first, which fails.
  stack.program(program("numReplicas: 3", 'replaceOnChanges: ["numReplicas"]'));
  outputs.push(await expectFailure(stack.up("--diff")));
  expect(outputs.at(-1)).toContain("the API cannot delete services");
  expect(await requests()).toEqual([]);
  expect(await api.services()).toHaveLength(1);

  const stored = JSON.stringify(await stack.resources());
  for (const secret of SECRETS) expect([secret, stored.includes(secret)]).toEqual([secret, false]);
  // Messages show the service with its name.
  for (const output of outputs)
    for (const secret of SECRETS.slice(1)) expect(output).not.toContain(secret);
});

test("customTimeouts set by a transform end a wait for the rate limit", async () => {
  const api = await simulated({ seed: exampleSeed });
  const stack = await newStack(
    api,
    `const transforms = [({ props, opts }) => ({ props, opts: { ...opts, customTimeouts: { create: "1s" } } })];
     const args = { serviceId: "${EXAMPLE.service}", ipAccessList: [{ source: "192.0.2.1" }] };
     new clouddb.ServiceAccess("jobs", args, { transforms });`,
  );
  await api.faults({
    method: "GET",
    effect: { kind: "status", status: 429, headers: { "retry-after": "300" } },
  });
  expect(await expectFailure(stack.up())).toMatch(
    /the 1 s of customTimeouts\.create ended while .* again after 429 \(GET .*\)\. Nothing was changed\./,
  );
});

test("the setting pulumi:autonaming names new services only, and refuses a name that does not fit", async () => {
  const api = await simulated();
  const stack = await newStack(api, `new clouddb.Service("db", { region: "us-east-1" });`);
  const configuration = join(stack.folder, "Pulumi.dev.yaml");
  appendFileSync(
    configuration,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the engine replaces them.
    "config:\n  pulumi:autonaming:\n    pattern: ${project}-${stack}-${name}-${num(3)}\n",
  );
  await stack.up();
  const names = async () => (await api.services()).map(({ name }) => name);
  expect(await names()).toEqual([expect.stringMatching(/^test dev db \d{3}$/)]);
  await api.requests();

  writeFileSync(
    configuration,
    readFileSync(configuration, "utf8").replace(/pattern: .*/, "mode: verbatim"),
  );
  await stack.preview("--expect-no-changes");
  stack.program(
    `for (const name of ["db", "my-db"]) new clouddb.Service(name, { region: "us-east-1" });`,
  );
  expect(await expectFailure(stack.preview())).toContain(
    '`pulumi:autonaming` enforces "my-db", but',
  );
  expect(await api.requests()).toEqual([]);
});

/** The classes of generated SDKs pass only a provider's own arguments. */
test("an explicit provider ignores the stack's configuration, and its errors name its own arguments", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  stack.environment({
    CLOUDDB_BASE_URL: undefined,
    CLOUDDB_KEY_ID: undefined,
    CLOUDDB_ORGANIZATION_ID: undefined,
  });
  const { baseUrl, organizationId } = api;
  const settings = { baseUrl, keyId: "simulator", organizationId };
  const pairs = Object.entries(settings).flatMap(([name, value]) => [
    "--plaintext",
    `clouddb:${name}=${value}`,
  ]);
  await stack.pulumi("config", "set-all", ...pairs);
  const program = (args: object, properties: object) => `
    const args = ${JSON.stringify(args)};
    const provider = new pulumi.ProviderResource("clouddb", "second", args);
    new pulumi.CustomResource("clouddb:index:Service", "db", ${JSON.stringify(properties)}, { provider });`;

  stack.program(program({}, { organizationId }));
  expect(await expectFailure(stack.up())).toContain(
    "clouddb:baseUrl (CLOUDDB_BASE_URL) is not set: use `pulumi config set`, an argument of the provider, or the environment variable.",
  );

  stack.program(program(settings, {}));
  await stack.up();
  expect(await api.services()).toHaveLength(1);
  // After an `up`, a destroy configures the provider from the state.
  stack.environment({ CLOUDDB_KEY_SECRET: undefined });
  expect(await expectFailure(stack.refresh())).toContain(
    "clouddb:keySecret (CLOUDDB_KEY_SECRET) is not set",
  );
});

/** YAML sets no protection: a resource without a class is the same for the engine. */
test("protecting a service in the commit of its replacement passes the preview and creates nothing", async () => {
  const program = (region: string, opts: string) =>
    `new pulumi.CustomResource("clouddb:index:Service", "db", { name: "db", region: "${region}" }, ${opts});`;
  const api = await simulated();
  const stack = await newStack(api, program("us-east-1", "{}"));
  await stack.up();
  await api.requests();
  stack.program(program("us-east-2", "{ protect: true }"));
  expect(await stack.preview()).toMatch(/Changing region .* requires a new, empty service/);
  expect(await expectFailure(stack.up())).toContain("the API cannot delete services");
  expect(await api.requests()).toEqual([]);
});
