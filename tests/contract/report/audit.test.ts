import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";

/** `clouddb-report audit` with a stand-in for `pulumi`; tests/programs/review/audit.test.ts has the real one. */

const folder = temporaryFolder("audit");
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:canary" };
const PACK = ["--", "--policy-pack", "./pack"];

const service = (stack: string) => ({
  urn: `urn:pulumi:${stack}::shop::clouddb:index:Service::analytics`,
  type: "clouddb:index:Service",
  id: "1",
  protect: true,
  inputs: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, numReplicas: SECRET },
  outputs: { password: SECRET },
});
const stateOf = (stack: string, resources: object[] = [service(stack)]) => ({
  deployment: { manifest: { time: "2026-11-20T10:00:00.123Z" }, resources },
});
const policyEvent = (stack: string, enforcementLevel: string, more = {}) => ({
  policyEvent: {
    resourceUrn: service(stack).urn,
    message: 'No access list is open.\nService "analytics": 0.0.0.0/0 in ipAccessList allows the whole internet.',
    policyName: "no-open-access",
    policyPackName: "pack",
    enforcementLevel,
    ...more,
  },
});
const endWith = (result: string) => ({ summaryEvent: { resourceChanges: {}, PolicyPacks: { pack: "1.0.0" }, result } });
const END = endWith("succeeded");
const NONE: object[] = [END];

interface FakeStack {
  readonly state?: object | string;
  readonly events?: readonly object[];
  readonly error?: string;
  /** Of the analysis alone. */
  readonly analysisError?: string;
  /** A refresh's. */
  readonly refreshEvents?: readonly object[];
}

const VIOLATIONS = "error: one or more mandatory policy violations were found";

/** Answers like the newest CLI. */
function provide(stacks: Readonly<Record<string, FakeStack>>): {
  readonly path: string;
  readonly env: Record<string, string>;
} {
  const path = join(folder, "bin", "pulumi");
  mkdirSync(dirname(path), { recursive: true });
  const script = `#!${process.execPath}
const stacks = ${JSON.stringify(stacks)};
const args = process.argv.slice(2);
const name = args[args.indexOf("--stack") + 1];
const { state, events = [], error, analysisError, refreshEvents } = stacks[name] ?? { error: "error: no stack named '" + name + "' found" };
const fail = (text) => (process.stderr.write(text), process.exit(1));
if (args[0] === "stack" && args[1] === "ls") console.log(JSON.stringify(Object.keys(stacks).map((name) => ({ name }))));
else if (error) fail(error);
else if (args[1] === "export") console.log(typeof state === "string" ? state : JSON.stringify(state));
else if (args[0] === "refresh") {
  const { openSync, writeSync } = require("node:fs");
  const log = openSync(args[args.indexOf("--event-log") + 1], "w");
  refreshEvents.forEach((event, sequence) => writeSync(log, JSON.stringify({ sequence, ...event }) + "\\n"));
}
else if (args[1] === "analyze") {
  events.forEach((event, sequence) => console.log(JSON.stringify({ sequence, ...event })));
  if (analysisError) fail(analysisError);
  if (events.some(({ policyEvent }) => policyEvent?.enforcementLevel === "mandatory")) fail("${VIOLATIONS}");
} else fail("error: unexpected command " + args.join(" "));
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return { path, env: { PATH: `${dirname(path)}:${process.env.PATH}` } };
}

const audit = (stacks: Readonly<Record<string, FakeStack>>, ...args: string[]) =>
  runCli({ args: ["audit", "--format", "text", ...args, ...PACK], env: provide(stacks).env });

test("all stacks of the project, each with its violations and the time of its state", async () => {
  const stacks = {
    prod: { state: stateOf("prod"), events: [policyEvent("prod", "mandatory"), END] },
    dev: { state: stateOf("dev"), events: NONE },
    test: { state: stateOf("test"), events: [policyEvent("test", "advisory"), END] },
  };
  const { status, stdout } = await audit(stacks, "--fail-on", "policy");
  expect(status).toBe(2);
  const [prod, dev, test] = stdout.split(/^(?=shop \/ )/m);
  expect(dev).toBe("shop / dev: no policy violations in the stored state of 2026-11-20 10:00 UTC.\n\n");
  expect(prod).toContain("Audit of the stored state of 2026-11-20 10:00 UTC\n\n❌ 1 policy violation\n");
  expect(prod).toContain("0.0.0.0/0 in ipAccessList allows the whole internet. (analytics)");
  expect(prod).toContain("An audit does not run the program");
  expect(test).toContain("no policy violations · 1 policy warning");
  expect(stdout).not.toMatch(/canary|pulumi up --stack|no changes|Not checked/);

  const { stdout: json } = await audit(stacks, "--stack", "prod", "--format", "json");
  expect(JSON.parse(json).stacks).toMatchObject([
    {
      project: "shop",
      stack: "prod",
      audit: { updated: "2026-11-20T10:00:00.123Z" },
      counts: {},
      outcome: "succeeded",
    },
  ]);
  expect((await audit(stacks, "--stack", "dev", "--stack", "test", "--fail-on", "policy,unchecked")).status).toBe(0);
  const masked = await audit(stacks, "--stack", "dev", "--mask", "\\d+");
  expect([masked.status, masked.stdout]).toEqual([0, expect.not.stringContaining("2026")]);
});

test("a policy that could not be checked is reported, and a remedy is a violation, because an audit changes nothing", async () => {
  const unchecked = policyEvent("prod", "advisory", {
    message: "can't run policy 'no-open-access' during preview: ipAccessList is not known yet",
  });
  const { resourceUrn, policyName, policyPackName } = policyEvent("prod", "").policyEvent;
  const remediation = { resourceUrn, policyPackName, before: { a: 1, b: 1 }, after: { a: 2, b: 1 } };
  const events = [
    unchecked,
    { policyRemediationEvent: { ...remediation, policyName: "only-remedies" } },
    policyEvent("prod", "mandatory", { policyName: "reports-too" }),
    { policyRemediationEvent: { ...remediation, policyName: "reports-too" } },
    END,
  ];
  const stacks = { prod: { state: stateOf("prod"), events } };
  const { stdout } = await audit(stacks, "--format", "json");
  const [{ policies }] = JSON.parse(stdout).stacks;
  expect(policies).toMatchObject([
    { policy: "only-remedies", result: "failed", count: 1, findings: [{ message: "changes a" }] },
    { policy: "reports-too", result: "failed", count: 1 },
    { policy: policyName, result: "not checked" },
  ]);
  const only = { prod: { state: stateOf("prod"), events: [unchecked, END] } };
  expect((await audit(only, "--fail-on", "unchecked")).status).toBe(2);
});

test.each<[string, FakeStack, string]>([
  ["without resources", { state: stateOf("bad", []) }, "The stack has no resources: there is nothing to audit."],
  ["that was never updated", { state: { deployment: {} } }, "The stack has no resources: there is nothing to audit."],
  [
    "with another passphrase",
    { error: "warning: x\nerror: failed to decrypt: incorrect passphrase\n\nStack Trace:\nmain.go:67" },
    "failed to decrypt: incorrect passphrase",
  ],
  [
    "of an older Pulumi",
    { error: "error: unknown flag: --stack" },
    "An audit needs the Pulumi CLI 3.229 or later, whose command `pulumi policy analyze` reads stored states.",
  ],
  ["whose analysis ended early", { state: stateOf("bad"), error: "Killed" }, "pulumi failed without an error message."],
  [
    "with a policy that throws",
    {
      state: stateOf("bad"),
      events: [endWith("failed")],
      analysisError: "error: running policy analysis: policy 'p':\nError: boom\n  at x",
    },
    "running policy analysis: policy 'p': Error: boom",
  ],
  [
    "with a failed analysis and no violation",
    { state: stateOf("bad"), events: [endWith("failed")] },
    "`pulumi policy analyze` ended before it had judged all resources, and did not say why.",
  ],
  [
    "with violations and none in the events",
    { state: stateOf("bad"), events: [endWith("failed")], analysisError: VIOLATIONS },
    "one or more mandatory policy violations were found",
  ],
  [
    "without events",
    { state: stateOf("bad"), events: [] },
    "`pulumi policy analyze` ended before it had judged all resources, and did not say why.",
  ],
  ["whose error is coloured", { error: "\u001b[31merror: \u001b[0mno such bucket" }, "no such bucket"],
  ["without a state", { state: "warning: hush" }, "`pulumi stack export` did not print the state of bad."],
  ["without a deployment", { state: { version: 3 } }, "`pulumi stack export` did not print the state of bad."],
  ["with another's state", { state: stateOf("prod") }, "The stored state is that of the stack prod."],
])("a stack %s says so in one sentence, and the others are audited", async (_, bad, sentence) => {
  const good = { state: stateOf("good"), events: NONE };
  const { status, stdout, stderr } = await audit(
    { bad, good },
    "--stack",
    "bad",
    "--stack",
    "good",
    "--fail-on",
    "never",
  );
  const progress = ["Auditing bad (1 of 2)\n", "Auditing good (2 of 2)\n"];
  expect([status, stderr]).toEqual([1, `${progress[0]}clouddb-report: bad: ${sentence}\n${progress[1]}`]);
  expect(stdout).toContain(`The audit failed.\n\nnot audited\n\nErrors\n\n- ${sentence}\n\nFix the error above`);
  expect(stdout).toContain("shop / good: no policy violations");
});

test.each([
  [
    "a backend that cannot be reached",
    { PULUMI_BACKEND_URL: "s3://none" },
    "error: unable to open bucket s3://none",
    "unable to open bucket",
  ],
  ["an unknown stack", { PULUMI_STACK: "other" }, "", "other: no stack named 'other' found"],
])("%s still has a report", async (_, variables, error, sentence) => {
  const { env, path } = provide({ prod: { state: stateOf("prod"), events: NONE } });
  if (error !== "")
    writeFileSync(path, `#!${process.execPath}\nprocess.stderr.write(${JSON.stringify(error)});process.exit(1)`);
  const { status, stdout, stderr } = await runCli({ args: ["audit", ...PACK], env: { ...env, ...variables } });
  expect([status, stderr]).toEqual([1, expect.stringContaining(`clouddb-report: ${sentence}`)]);
  expect(stdout).toMatch(/^<!-- clouddb-report \S+%2Faudit -->\n[\s\S]*The audit failed/);
});

test("without Pulumi, or without stacks", async () => {
  const { status, stdout } = await runCli({ args: ["audit", "--stack", "prod", ...PACK], env: { PATH: "/none" } });
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining("Could not run pulumi: install it, or add it to PATH."),
  ]);
  expect((await audit({})).stderr).toBe("clouddb-report: The project has no stacks.\n");
});

test.each([
  [["--fail-on", "policy,irreversible"], "irreversible cannot be decided by an audit; use policy,"],
  [["--fail-on", "drift"], "drift cannot be decided by an audit; use policy,"],
  [["--fail-on", "capacity>+5%"], "capacity>+5% cannot be decided by an audit; use policy,"],
  [["--comment-if", "replace", "--format", "github"], "replace cannot be decided by an audit; use policy,"],
])("%j is refused before anything runs", async (args, message) => {
  const { status, stdout, stderr } = await audit({}, ...args);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(message);
});

test("without a policy pack there is nothing to audit with", async () => {
  const { status, stderr } = await runCli({ args: ["audit", "--stack", "prod"] });
  expect([status, stderr]).toEqual([
    1,
    "clouddb-report: usage: clouddb-report audit [--stack NAME]... -- --policy-pack FOLDER\n",
  ]);
});

test("a policy that throws leaves the violations that others have found", async () => {
  const events = [policyEvent("prod", "mandatory"), endWith("failed")];
  const prod = { state: stateOf("prod"), events, analysisError: "error: running policy analysis: boom" };
  const { status, stdout } = await audit({ prod }, "--fail-on", "policy");
  expect(status).toBe(2);
  expect(stdout).toContain("The audit failed.\n\nnot all audited · ❌ 1 policy violation\n");
  expect(stdout).toContain("0.0.0.0/0 in ipAccessList");
});

test.each([
  ["-s", "prod"],
  ["-sprod"],
  ["-es", "prod"],
  ["--stack", "prod"],
  ["--stack=prod"],
  ["--file", "state.json"],
  ["--json"],
  ["-j"],
  ["--diff"],
  ["-C", "/tmp"],
  ["--cwd=/tmp"],
])("after --, %s would audit something else", async (...flags) => {
  const { status, stdout, stderr } = await runCli({ args: ["audit", ...PACK, ...flags] });
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`clouddb-report: ${flags[0]} cannot follow \`--\`: name stacks with --stack before it`);
});

test("a word in place of --stack is refused", async () => {
  const { status, stderr } = await runCli({ args: ["audit", "prod", ...PACK] });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("[--stack NAME]... -- --policy-pack FOLDER; got the word prod"),
  ]);
});

test("an empty stack that nobody named passes", async () => {
  const stacks = { empty: { state: stateOf("empty", []) }, prod: { state: stateOf("prod"), events: NONE } };
  const { status, stdout } = await audit(stacks, "--fail-on", "policy,unchecked,failed");
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\S* ?\/ empty: nothing deployed\.$/m)]);
});

const drifted = (outputs: object) => ({
  resOutputsEvent: {
    metadata: {
      ...service("prod"),
      op: "update",
      old: { ...service("prod"), outputs: {} },
      new: { ...service("prod"), outputs },
    },
  },
});

test("drift that a refresh has stored is reported also if the audit fails afterwards", async () => {
  const refreshEvents = [{ preludeEvent: {} }, drifted({ name: "other" }), END];
  const prod = { refreshEvents, state: stateOf("prod"), events: [endWith("failed")], analysisError: "error: boom" };
  const { status, stdout } = await audit({ prod }, "--refresh", "--fail-on", "drift");
  expect([status, stdout]).toEqual([2, expect.stringContaining("not audited · 1 drifted")]);
  const unread = await audit({ prod: { ...prod, refreshEvents: [] } }, "--refresh", "--fail-on", "drift");
  expect([unread.status, unread.stderr]).toEqual([
    1,
    expect.stringContaining("prod: `pulumi refresh` wrote no complete events: the drift is not known."),
  ]);
});

test("a secret in the message of a policy is hidden", async () => {
  const plain = (value: unknown) => {
    const { ciphertext, ...rest } = SECRET;
    return { ...rest, plaintext: JSON.stringify(value) };
  };
  const inputs = { password: plain("hush-hush"), nested: [plain({ key: 'quo"ted' })], replicas: plain(3) };
  const message = `password hush-hush, ${JSON.stringify({ key: 'quo"ted' })}, 3 replicas`;
  const events = [policyEvent("prod", "advisory", { message }), END];
  const prod = { state: stateOf("prod", [{ ...service("prod"), inputs }]), events };
  const { stdout, stderr } = await audit({ prod }, "--format", "json");
  const [{ policies }] = JSON.parse(stdout).stacks;
  expect(policies[0].findings[0].message).toBe('password [secret], {"key":"[secret]"}, 3 replicas');
  expect(stdout + stderr).not.toMatch(/hush|quo/);
});

test("a signal interrupts pulumi once, and what is known is reported", async () => {
  const { env, path } = provide({});
  const script = `#!${process.execPath}
if (process.argv[3] === "ls") console.log('[{"name":"one"},{"name":"two"}]');
else {
  process.on("SIGINT", () => (console.error("error: interrupted"), process.exit(1)));
  process.kill(process.ppid, "SIGTERM");
  setTimeout(() => {}, 60_000);
}`;
  writeFileSync(path, script);
  const { status, stdout, stderr } = await runCli({ args: ["audit", "--format", "text", ...PACK], env });
  expect(status).toBe(1);
  expect(stderr).toContain("one: Stopped by SIGTERM. interrupted\n");
  expect(stderr).toContain("two: Stopped by SIGTERM. The stack was not audited.\n");
  expect(stdout.match(/The audit failed/g)).toHaveLength(2);
});

test("pulumi cannot wait for input", async () => {
  const { env, path } = provide({});
  writeFileSync(path, `#!${process.execPath}\nprocess.stdin.resume().on("end", () => process.exit(1))`);
  const { stderr } = await runCli({ args: ["audit", "--stack", "prod", ...PACK], env, keepsInputOpen: true });
  expect(stderr).toContain("prod: pulumi failed without an error message.");
});
