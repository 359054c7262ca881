import { expectFailure, expectOk, newStack, simulated } from "../support/stack";

/** Explicit providers as the classes of generated SDKs make them: with their arguments only. */

test("the stack's configuration does not reach one, and its errors name its arguments", async () => {
  const api = await simulated();
  const stack = await newStack(api);
  stack.environment({ CLOUDDB_BASE_URL: undefined, CLOUDDB_KEY_ID: undefined, CLOUDDB_ORGANIZATION_ID: undefined });
  const { baseUrl, organizationId } = api;
  const settings = { baseUrl, keyId: "simulator", organizationId };
  const pairs = Object.entries(settings).flatMap(([name, value]) => ["--plaintext", `clouddb:${name}=${value}`]);
  await expectOk(stack.pulumi("config", "set-all", ...pairs));
  const program = (args: object, properties: object) => `
    const args = ${JSON.stringify(args)};
    const provider = new pulumi.ProviderResource("clouddb", "second", args);
    new pulumi.CustomResource("clouddb:index:Service", "db", ${JSON.stringify(properties)}, { provider });`;

  stack.program(program({}, { organizationId }));
  expect(await expectFailure(stack.up())).toContain(
    "clouddb:baseUrl (CLOUDDB_BASE_URL) is not set: use `pulumi config set`, an argument of the provider, or the environment variable.",
  );

  stack.program(program(settings, {}));
  await expectOk(stack.up());
  expect(await api.services()).toHaveLength(1);
  // After an `up`, a destroy configures the provider from the state.
  stack.environment({ CLOUDDB_KEY_SECRET: undefined });
  expect(await expectFailure(stack.refresh())).toContain("clouddb:keySecret (CLOUDDB_KEY_SECRET) is not set");
});
