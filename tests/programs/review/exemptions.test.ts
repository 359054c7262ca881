import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expectFailure, expectOk, newStack, simulated, testHome } from "../../engine/support/stack";
import { configured, writeJson } from "./support/pack";

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const OPEN = 'ipAccessList: [{ source: "0.0.0.0/0", description: "everyone" }]';
const PROGRAM = `
  new clouddb.Service("analytics", { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32, numReplicas: 3, ${OPEN} });
`;
const exemption = (until: string, more = {}) => ({
  policy: "no-open-access",
  resource: "analytics",
  stack: "de*",
  reason: "partner until the VPN is there",
  approvedBy: "security",
  until,
  ...more,
});
const settings = (...list: object[]) => ({ exemptions: { list } });

/** Every policy that needs no settings. */
const MANDATORY = {
  all: "mandatory",
  "names-follow-convention": "disabled",
  "regions-allowed": "disabled",
  "encryption-required": "disabled",
};

test("the life of an exemption: in sight, near its end, over, without use", async () => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  const preview = (config: object) => stack.preview(...configured(stack, config));

  expect(await expectFailure(preview({}))).toContain("[mandatory]  no-open-access");

  // At any level, an exempted violation is an advisory.
  const exempted = await expectOk(preview({ ...MANDATORY, ...settings(exemption(inDays(90))) }));
  expect(exempted).toContain(`[advisory]  exemptions  (pulumi-nodejs:dynamic/clouddb:Service: analytics)`);
  expect(exempted).toContain(
    `Service "analytics": exempted from no-open-access until ${inDays(90)} (partner until the VPN is there; approved by security): 0.0.0.0/0 in ipAccessList allows the whole internet`,
  );
  expect(exempted).not.toContain("[mandatory]");
  expect(exempted).not.toContain("The exemption ends");

  expect(await expectOk(preview(settings(exemption(inDays(9)))))).toContain("The exemption ends in 9 days.");
  expect(await expectOk(preview(settings(exemption(inDays(0)))))).toContain("The exemption ends today.");

  const over = await expectFailure(preview(settings(exemption(inDays(-1)))));
  expect(over).toContain("[mandatory]  no-open-access");
  expect(over).toContain(`The exemption until ${inDays(-1)} is over (partner until the VPN is there).`);

  // Another stack's, another resource's, and one of a policy that has nothing to say.
  for (const more of [{ stack: "prod" }, { resource: "orders*" }, { policy: "encryption-required" }]) {
    const text = await expectFailure(preview(settings(exemption(inDays(90), more))));
    expect(text).toContain("[mandatory]  no-open-access");
    expect(text.includes("concerns no violation in this stack.")).toBe(more.stack === undefined);
  }

  const urn = "urn:pulumi:dev::*::pulumi-nodejs:dynamic/clouddb:Service::analytics";
  const byUrn = configured(stack, settings(exemption(inDays(90), { resource: urn })));
  expect(await expectOk(stack.up(...byUrn))).toContain("exempted from no-open-access");
  expect(await expectOk(stack.up(...byUrn))).toContain("exempted from no-open-access");
});

test("a violation of the stack as a whole, and what a policy changes", async () => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM.replace(', description: "everyone"', ""));
  const config = (resource: string) => ({
    "no-open-access": "disabled",
    "capacity-budget": { maxTotalGb: 10 },
    "access-entries-described": "remediate",
    ...settings(
      exemption(inDays(90), { policy: "capacity-budget", resource }),
      exemption(inDays(90), { policy: "access-entries-described" }),
    ),
  });
  expect(await expectFailure(stack.preview(...configured(stack, config("analytics"))))).toContain(
    "[mandatory]  capacity-budget",
  );
  await expectOk(stack.up(...configured(stack, config("*"))));
  expect(JSON.stringify(await api.requests())).toContain('{"source":"0.0.0.0/0"}');
});

test("invalid exemptions are refused before anything runs, all at once", async () => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  const list = [
    { policy: "no-open-access", resource: "analytics", until: inDays(30) },
    exemption("2027-02-30"),
    exemption(inDays(181)),
    exemption(inDays(30), { policy: "no-access" }),
    exemption(inDays(30), { resource: "", approved: "me" }),
  ];
  const text = await expectFailure(stack.preview(...configured(stack, settings(...list))));
  for (const problem of [
    "exemptions: list.0.reason: say why",
    "exemptions: list.1.until: use a date such as 2027-03-31",
    `exemptions: list.2.until: ${inDays(181)} is more than 180 days ahead; use ${inDays(180)} or earlier`,
    "exemptions: list.3.policy: use one of memory-within-bounds",
    "exemptions: list.4.resource: use the name or URN of a resource",
    "exemptions: list.4 has no setting approved",
  ]) {
    expect(text).toContain(problem);
  }
  const disabled = { enforcementLevel: "disabled", list: [exemption(inDays(30))] };
  const refused = await expectFailure(stack.preview(...configured(stack, { exemptions: disabled })));
  expect(refused).toContain("exemptions: no exemption applies while this policy is disabled; remove the list");
  expect(await api.requests()).toEqual([]);
});

test("the report lists exemptions, names new ones, and refuses one that is over when it is written", async () => {
  const api = await simulated();
  const stack = await newStack(api, PROGRAM);
  const after = writeJson(
    stack,
    "after.json",
    settings(exemption(inDays(90)), exemption(inDays(3), { resource: "|" })),
  );
  const before = writeJson(stack, "before.json", {});
  const report = (input: string, ...args: string[]) => {
    const command = join(testHome(), "node_modules/.bin/clouddb-report");
    const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: "utf8" });
    return { status, text: stdout + stderr };
  };

  expect(report("", "exemptions", after).text).toBe(
    `| until | days left | policy | resource | stacks | reason | approved by |
| --- | --- | --- | --- | --- | --- | --- |
| ${inDays(3)} | 3 | no-open-access | \\| | de* | partner until the VPN is there | security |
| ${inDays(90)} | 90 | no-open-access | analytics | de* | partner until the VPN is there | security |
`,
  );
  expect(report("", "exemptions").status).toBe(1);

  stack.environment({ PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" });
  const { output: events } = await stack.pulumi("preview", "--json");
  const files = ["--policies", after, "--policies-before", before];
  const { status, text } = report(events, ...files, "--fail-on", "weakened");
  expect(status).toBe(2);
  expect(text).toContain(`new exemption of analytics in de&#42; until ${inDays(90)}`);
  expect(report(events, "--policies", after, "--policies-before", after, "--fail-on", "weakened").status).toBe(0);
  expect(report(events, "--policies", after, "--policies-before", after).text).toContain("it ends in 3 days");

  const over = writeJson(stack, "over.json", settings(exemption(inDays(-1))));
  const refused = report(events, "--policies", over, "--policies-before", before);
  expect(refused).toEqual({ status: 1, text: expect.stringContaining("is over already") });
});
