import { EXAMPLE, exampleSeed } from "../../support/example";
import { expectFailure, expectOk, newStack, simulated } from "../support/stack";

/** Resource options: what the engine passes to the plugin, and what it does with the plugin's answers. */

const program = (args: string, opts: string) => `
  const db = new clouddb.Service("db", {
    region: "us-east-1", numReplicas: 2, name: pulumi.secret("canary name"), privateEndpointIds: [pulumi.secret("vpce-0a1b2c3d4e5f60001")],
    ipAccessList: [{ source: pulumi.secret("203.0.113.77"), description: "office" }, { source: "203.0.113.78" }], ${args}
  }, { protect: false, additionalSecretOutputs: ["serviceEndpoints"], ${opts} });`;
const SECRETS = ["canary name", "203.0.113.77", "db.example.com"];

test("ignored changes, secrets inside lists, secret outputs and forced replacements", async () => {
  const api = await simulated();
  const stack = await newStack(api, program("", ""));
  const outputs = [await expectOk(stack.up("--diff"))];
  const requests = async () => (await api.requests()).map(({ request }) => request);
  expect(await requests()).toEqual(["POST /services", "PATCH /services/{id}"]);

  const others =
    'region: "eu-west-1", numReplicas: 5, ipAccessList: [{ source: "203.0.113.77", description: "other" }]';
  stack.program(program(others, 'ignoreChanges: ["region", "numReplicas", "ipAccessList"]'));
  outputs.push(await expectOk(stack.preview("--expect-no-changes")));
  outputs.push(await expectOk(stack.up("--expect-no-changes")), await expectOk(stack.refresh("--expect-no-changes")));
  expect(await requests()).toEqual(["GET /services/{id}"]);

  // When a service must be replaced, the engine deletes it first, which fails.
  stack.program(program("numReplicas: 3", 'replaceOnChanges: ["numReplicas"]'));
  outputs.push(await expectFailure(stack.up("--diff")));
  expect(outputs.at(-1)).toContain("the API cannot delete services");
  expect(await requests()).toEqual([]);
  expect(await api.services()).toHaveLength(1);

  const stored = JSON.stringify(await stack.resources());
  for (const secret of SECRETS) expect([secret, stored.includes(secret)]).toEqual([secret, false]);
  // The name is in what messages call the service.
  for (const output of outputs) for (const secret of SECRETS.slice(1)) expect(output).not.toContain(secret);
});

test("customTimeouts end what waits for the rate limit, also if a transform sets them", async () => {
  const api = await simulated({ seed: exampleSeed });
  const times = 'customTimeouts: { create: "1s", update: "2s", delete: "2500ms" }';
  const access = (source: string, opts: string) =>
    `new clouddb.ServiceAccess("jobs", { serviceId: "${EXAMPLE.service}", ipAccessList: [{ source: "${source}" }] }, { ${opts} });`;
  const limit = (method: string) =>
    api.faults({ method, effect: { kind: "status", status: 429, headers: { "retry-after": "300" } } });
  const stack = await newStack(api, access("192.0.2.1", times));
  await limit("GET");
  await expectOk(stack.preview());
  expect(await expectFailure(stack.up())).toMatch(
    /the 1 s of customTimeouts\.create ended while .* again after 429 \(GET .*\)\. Nothing was changed\./,
  );
  await api.faults();
  await expectOk(stack.up());

  await limit("PATCH");
  stack.program(access("192.0.2.2", `transforms: [({ props, opts }) => ({ props, opts: { ...opts, ${times} } })]`));
  expect(await expectFailure(stack.up())).toMatch(
    /the 2 s of customTimeouts\.update ended while .* again after 429 \(PATCH .*\)\. Not done: ipAccessList\./,
  );
  expect(await expectFailure(stack.destroy())).toMatch(
    /the 2\.5 s of customTimeouts\.delete ended while .* \(PATCH .*\)\. Not done: ipAccessList\./,
  );
  await api.faults();
  await expectOk(stack.destroy());
});
