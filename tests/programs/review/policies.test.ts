import { policies } from "../../../policies/rules";
import { expectFailure, newStack, simulated } from "../../engine/support/stack";
import { EXAMPLE, exampleSeed as seed } from "../../support/example";
import { configured, customPack } from "./support/pack";

/** Violations of every policy, in a stack called dev. */
const STRICT = {
  "memory-within-bounds": { maxGb: 32 },
  "replicas-within-bounds": { max: 5 },
  "capacity-budget": { maxTotalGb: 100, maxServices: 1 },
  "one-owner-for-access": { shared: ["analytics"] },
  "production-is-protected": { stacks: "dev" },
  "production-is-replicated": { stacks: ["dev"], minReplicas: 3 },
  "encryption-required": { enforcementLevel: "mandatory" },
  "regions-allowed": { enforcementLevel: "mandatory", allowed: ["aws/eu-*"] },
  "names-follow-convention": { enforcementLevel: "advisory", pattern: "team .+" },
  "pipe-settings-within-bounds": { engineMaxThreads: { max: 8 } },
};

const BAD = `
  const analytics = new clouddb.Service("analytics", {
    provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64, numReplicas: 8,
    idleScaling: false, ipAccessList: [{ source: "0.0.0.0/0" }],
  }, { protect: false });
  new clouddb.ServiceScaling("size", { serviceId: analytics.id, numReplicas: 2 });
  new clouddb.Service("lonely", { minTotalMemoryGb: 24, encryptionKey: "canary-key" });
  new clouddb.Pipe("orders", {
    serviceId: "${EXAMPLE.service}", pipeId: "${EXAMPLE.pipes.kafka}",
    settings: { engineMaxThreads: 32 },
  });
`;

const GOOD = `
  const analytics = new clouddb.Service("team analytics", {
    provider: "aws", region: "eu-central-1", minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3,
    idleScaling: false, hasTransparentDataEncryption: true,
    ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
  });
  new clouddb.Pipe("orders", {
    serviceId: "${EXAMPLE.service}", pipeId: "${EXAMPLE.pipes.kafka}",
    name: "team orders", settings: { engineMaxThreads: 8 },
  });
`;

const ownPack = (text: string) =>
  customPack(`const { CloudDbPolicies } = require("pulumi-clouddb-policies");\n${text}`);

test("a program that violates every policy gets all messages and changes nothing", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(api, BAD);
  const pack = configured(stack, {
    ...STRICT,
    "idle-saves-money": { stacks: "prod*" },
  });

  const output = await expectFailure(stack.pulumi("up", "--yes", ...pack));
  const said = (name: string) =>
    new RegExp(`\\[(mandatory|advisory)\\] \\[severity: \\w+\\]  ${name}  `).test(output);
  expect(policies.map(({ name }) => name).filter((name) => !said(name))).toEqual([
    // This policy judges the entries that a service has, not the program.
    "no-open-access-by-others",
    "exemptions",
  ]);
  expect(output).toContain(
    "[mandatory] [severity: high]  encryption-required  (pulumi-nodejs:dynamic/clouddb:Service: analytics)",
  );
  expect(output).toContain(
    "The stack has 2 services (analytics, lonely), more than 1, the setting maxServices",
  );
  expect(output).toContain("128 GB (analytics 64 × 2), more than 100 GB, the setting maxTotalGb");
  expect(output).not.toContain("canary-key");

  expect(await api.requests()).toEqual([]);
  expect(await stack.resources()).toEqual([]);
});

test("a program that complies with every policy gets no message at any level", async () => {
  const api = await simulated({
    organization: { tier: "ENTERPRISE" },
    seed: {
      ...seed,
      organizations:
        seed.organizations?.map((organization) => ({
          ...organization,
          tier: "ENTERPRISE" as const,
        })) ?? [],
    },
  });
  const stack = await newStack(api, GOOD);
  const pack = configured(stack, {
    ...STRICT,
    all: "mandatory",
    "idle-saves-money": { stacks: "dev" },
    "production-is-protected": {},
  });
  expect(await stack.up(...pack)).not.toMatch(/\[(mandatory|advisory)\]/);
  expect(await stack.preview(...pack)).not.toMatch(/\[(mandatory|advisory)\]/);
});

test("existing services are checked with the levels of a custom pack, which a file overrides", async () => {
  const api = await simulated({
    seed: JSON.parse(JSON.stringify(seed).replace("198.51.100.7", "::/0")),
  });
  const stack = await newStack(
    api,
    `new clouddb.Service("analytics", { ipAccessList: [{ source: "0.0.0.0/0" }] });
     new clouddb.ServiceAccess("web", { serviceId: "${EXAMPLE.service}", ipAccessList: [{ source: "192.0.2.1" }] });`,
  );
  await stack.up();
  await api.requests();
  const hard = ownPack(`new CloudDbPolicies({ all: "disabled", "no-open-access": "mandatory" });`);
  const refused = await expectFailure(stack.preview(...hard));
  expect(refused).toContain("[mandatory] [severity: critical]  no-open-access  ");
  expect(refused).not.toContain("access-entries-described");
  const set = ownPack(`new CloudDbPolicies({ "no-open-access": { allow: ["192.0.2.0/24"] } });`);
  expect(await expectFailure(stack.preview(...set))).toContain(
    "[mandatory] [severity: critical]  no-open-access  ",
  );
  const file = configured(stack, { "no-open-access": { enforcementLevel: "disabled" } }).slice(2);
  expect(await stack.preview(...hard, ...file)).not.toContain("no-open-access");

  const until = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  const exemption = { policy: "no-open-access", resource: "analytics", reason: "partner", until };
  const settings = { exemptions: { list: [exemption] }, "regions-allowed": { allowed: ["aws/*"] } };
  const exempted = await stack.preview(...configured(stack, settings));
  expect(exempted).toContain("regions-allowed: the settings have no effect");
  expect(exempted).toContain(
    "[advisory] [severity: critical]  no-open-access  (pulumi-nodejs:dynamic/clouddb:Service: analytics)",
  );
  expect(exempted).toContain(
    `exempted until ${until} (partner): Service "analytics": 0.0.0.0/0 in ipAccessList`,
  );
  expect(exempted).toContain(
    'ServiceAccess "web": entries of others open its service to everyone: ::/0; find out who added them',
  );
  expect(exempted).not.toContain("[mandatory]");
  expect(await api.requests()).toEqual([]);
});

test("an unknown value never disables a mandatory policy", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(
    api,
    `const first = new clouddb.Service("first", { maxReplicaMemoryGb: 16, ipAccessList: [{ source: "203.0.113.7", description: "x" }] });
     new clouddb.Service("second", {
       maxReplicaMemoryGb: first.isPrimary.apply((yes) => (yes ? 64 : 8)),
       minReplicaMemoryGb: 48,
       ipAccessList: [{ source: first.createdAt.apply(() => "0.0.0.0/0"), description: "later" }, { source: "::/0", description: "now" }],
     });`,
  );
  const pack = configured(stack, { "memory-within-bounds": { maxGb: 32 } });
  const preview = await expectFailure(stack.preview(...pack));
  expect(preview).toContain("::/0 in ipAccessList allows the whole internet");
  expect(preview).toContain("minReplicaMemoryGb 48 GB is more than 32 GB");
  expect(preview).toMatch(
    /\[advisory\] \[severity: medium\] {2}memory-within-bounds .*can't run policy .*: Service "second": maxReplicaMemoryGb is not known yet\. All known/,
  );
  expect(preview).toMatch(
    /can't run policy .*: Service "second": an entry of ipAccessList is not known yet/,
  );

  // Values that are unknown in the preview are checked in the update, before the second service is
  // created.
  const late = `const first = new clouddb.Service("first", { maxReplicaMemoryGb: 16, ipAccessList: [{ source: "203.0.113.7", description: "x" }] });
    new clouddb.Service("second", { maxReplicaMemoryGb: 16, ipAccessList: [{ source: first.createdAt.apply(() => "0.0.0.0/0"), description: "later" }] });`;
  stack.program(late);
  const up = await expectFailure(stack.up(...pack));
  expect(up).toContain("0.0.0.0/0 in ipAccessList allows the whole internet");
  expect(await api.requestNames()).toEqual(["POST /services"]);
});

test("a policy does not repeat what the provider rejects", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(
    api,
    `new clouddb.Service("analytics", { provider: "ibm", region: "us-east-1", minReplicaMemoryGb: 10, numReplicas: 99, ipAccessList: [{ source: "office" }] });`,
  );
  const strict = { "regions-allowed": { enforcementLevel: "mandatory", allowed: ["aws/*"] } };
  const output = await expectFailure(stack.preview(...configured(stack, strict)));
  expect(output).toContain("minReplicaMemoryGb 10 is invalid");
  expect(output).not.toMatch(/\[mandatory\]|nobody can reach it/);
});

test("invalid settings in a file or in code are reported before any policy runs", async () => {
  const api = await simulated({ seed });
  const stack = await newStack(api, `throw new Error("the program ran");`);
  const mandatory = { "no-open-acces": "mandatory" };
  for (const pack of [
    configured(stack, mandatory),
    ownPack(`new CloudDbPolicies(${JSON.stringify(mandatory)});`),
  ]) {
    const output = await expectFailure(stack.preview(...pack));
    expect(output).toContain("unknown policy no-open-acces; use one of ");
    expect(output).not.toContain("the program ran");
    expect(output).not.toMatch(/\n\s+at /);
  }
});
