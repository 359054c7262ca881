import { join } from "node:path";
import { pulumi } from "../../../versions.json";
import { expectOk, newStack, type Stack, simulated, testHome } from "../../engine/support/stack";
import { configured, PACK, writeJson } from "./support/pack";

/** `clouddb-report audit` with the real CLI: the tested one is too old for it. */

const isNewest = process.env.CLOUDDB_TEST_ENGINE === pulumi.newestCli;

const PROGRAM = `
  new clouddb.Service("analytics", {
    minReplicaMemoryGb: pulumi.secret(8), maxReplicaMemoryGb: pulumi.secret(32), numReplicas: 3,
    ipAccessList: [{ source: "0.0.0.0/0", description: "everyone" }],
  });
`;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const report = (stack: Stack, ...args: string[]) =>
  stack.command(join(testHome(), "node_modules/.bin/clouddb-report"), "audit", "--format", "text", ...args);

(isNewest ? test.skip : test)("an older CLI is refused with the version that it takes", async () => {
  const { code, output } = await report(await newStack(await simulated(), PROGRAM), "--", ...PACK);
  expect([code, output]).toEqual([
    1,
    expect.stringContaining("The stack has no resources: there is nothing to audit."),
  ]);

  const stack = await newStack(await simulated(), PROGRAM);
  await expectOk(stack.up());
  const refused = await report(stack, "--stack", "dev", "--fail-on", "policy", "--", ...PACK);
  expect(refused.code).toBe(1);
  expect(refused.output).toContain("dev: An audit needs the Pulumi CLI 3.229 or later");
});

(isNewest ? test : test.skip)("the stored state is judged without the program and without the API", async () => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  await expectOk(stack.up());
  await expectOk(stack.pulumi("stack", "init", "empty", "--no-select"));
  // Neither can be needed.
  stack.program("throw new Error('the program ran')");
  await api.requests();
  const password = JSON.parse(
    await expectOk(stack.pulumi("stack", "export", "--show-secrets")),
  ).deployment.resources.at(-1).outputs.password;
  expect(password).toBeDefined();

  const open = await report(stack, "--fail-on", "policy", "--", ...PACK);
  expect(open.code).toBe(2);
  expect(open.output).toMatch(/^test \/ dev\n\nAudit of the stored state of 2\d{3}-\d\d-\d\d \d\d:\d\d UTC\n/m);
  expect(open.output).toContain("0.0.0.0/0 in ipAccessList allows the whole internet");

  // Secret sizes are known: 3 × 32 GB.
  const exemption = {
    policy: "no-open-access",
    resource: "analytics",
    reason: "until the VPN is there",
    until: inDays(9),
  };
  const settings = (maxTotalGb: number) => ({ "capacity-budget": { maxTotalGb }, exemptions: { list: [exemption] } });
  const audited = (maxTotalGb: number, ...args: string[]) => {
    const options = configured(stack, settings(maxTotalGb));
    return report(
      stack,
      "--policies",
      writeJson(stack, "policies.json", settings(maxTotalGb)),
      ...args,
      "--",
      ...options,
    );
  };
  const exempted = await audited(96, "--fail-on", "policy,unchecked");
  expect([exempted.code, exempted.output]).toEqual([0, expect.stringContaining("exempted from no-open-access until")]);
  expect(exempted.output).toContain("it ends in 9 days");
  expect((await audited(95, "--fail-on", "policy")).code).toBe(2);
  expect(await api.requests()).toEqual([]);

  const [service] = await api.services();
  await api.change("PATCH", `/${service?.id}/replicaScaling`, { numReplicas: 4 });
  await api.requests();
  expect((await audited(96, "--fail-on", "policy")).code).toBe(0);
  const refreshed = await audited(96, "--refresh", "--fail-on", "policy");
  expect([refreshed.code, refreshed.output]).toEqual([2, expect.stringContaining("analytics numReplicas: 3 → 4")]);
  expect((await api.requests()).map(({ request }) => request)).toEqual(["GET /services/{id}"]);
  expect((await audited(200, "--refresh", "--fail-on", "drift,policy")).code).toBe(0);

  stack.environment({ PULUMI_CONFIG_PASSPHRASE: "wrong" });
  const failed = await report(stack, "--stack", "dev", "--stack", "empty", "--stack", "missing", "--", ...PACK);
  expect(failed.code).toBe(1);
  const reasons = failed.output.match(/^clouddb-report: .*$/gm);
  expect(reasons).toEqual([
    expect.stringMatching(/^clouddb-report: dev: .*incorrect passphrase/),
    "clouddb-report: empty: The stack has no resources: there is nothing to audit.",
    expect.stringMatching(/^clouddb-report: missing: no stack named 'missing' found/),
  ]);
  for (const { output } of [open, exempted, refreshed, failed]) expect(output).not.toContain(String(password));
});
