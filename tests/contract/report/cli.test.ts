import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderReport } from "../../../report/index";
import { UPDATE_ONLY } from "../../../report/post/post";
import { root } from "../../support/root";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { recorded, recording, recordings } from "./support/preview";

/** The built command with hostile input. */
const preview = readFileSync(join(recordings, "update-service.ndjson"), "utf8");
const plain = readFileSync(join(recordings, "update-service.md"), "utf8");

function failedWith(message: string): string {
  const diagnosticEvent = { severity: "error", urn: "urn:pulumi:dev::shop::a:b:C::name", message };
  const events = [{ preludeEvent: {} }, { diagnosticEvent }, { cancelEvent: {} }];
  return events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
}

test.each(["", "a*", "x|", "(?:)", "^", "\\d?"])(
  "--mask %j, which matches the empty string, is refused",
  async (mask) => {
    const { status, stdout, stderr } = await runCli({ args: ["--mask", mask], input: preview });
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toBe(
      `clouddb-report: --mask must not match the empty string, because that is between all characters; got ${JSON.stringify(mask)}\n`,
    );
  },
);

test.each(["\\b", "(?=.)", "(?<=a)b*"])("--mask %j hides no more than it matches", async (mask) => {
  const { status, stdout } = await runCli({ args: ["--mask", mask], input: preview });
  expect([status, stdout]).toEqual([0, plain]);
});

test("a library's mask that matches the empty string changes nothing", async () => {
  expect(renderReport([await recorded("update-service")], "github", { masks: [/(?:)/g, /z*/g] })).toBe(plain);
});

test("secrets in variables and addresses are hidden in messages", async () => {
  const env = {
    CLOUDDB_RATE_LIMIT_URL: "rediss://limits.example/0?auth=hush-query",
    PULUMI_BACKEND_URL: "s3://states?secret=hush-bucket",
    CLOUDDB_WEBHOOK_URL: "https://hooks.example/services/hush-hook",
    SLACK_WEBHOOK_URL: "https://hooks.example/services/hush-other",
    HTTPS_PROXY: "http://ci:p%40ss-hush@proxy.example:3128",
    STATE_DATABASE: "postgres://pulumi:hush+word@db.example/states?sslmode=require",
    HOME: "/home/hush-not-a-secret",
  };
  const message = [
    "rediss://limits.example/0?auth=hush-query is unreachable",
    "s3://states?secret=hush-bucket: access denied",
    "https://hooks.example/services/hush-hook and https://hooks.example/services/hush-other are gone",
    "proxy.example refused p@ss-hush and p%40ss-hush",
    "password hush+word is wrong for postgres://other:hush-of-others@db.example",
    "/home/hush-not-a-secret",
  ].join("; ");
  const { stdout } = await runCli({ args: [], env, input: failedWith(message) });
  expect(stdout.replaceAll("&#8203;", "").match(/[^\s]*hush[^\s]*/g)).toEqual(["/home/hush-not-a-secret"]);
  for (const host of ["proxy.example", "db.example"]) expect(stdout).toContain(host);
});

test("a message full of unfinished colours costs no more time than any other", async () => {
  const message = `<{%fg 1%}>red<{%reset%}> {% ${"<{%".repeat(1_000_000)}`;
  const { status, stdout } = await runCli({ args: [], input: failedWith(message) });
  expect(status).toBe(0);
  expect(stdout).toContain("- red &#123;% &#60;&#123;%");
});

test("cost gates end with 2 if they hold, and with 1 without prices", async () => {
  const run = (condition: string, ...args: string[]) =>
    runCli({ args: ["--fail-on", condition, ...args], input: preview });
  const prices = ["--prices", join(root, "examples/ci/prices.json")];
  // From EUR 2,803.20 to 7,008.00 per month.
  for (const [condition, status] of [
    ["cost>+4204.79", 2],
    ["cost>+4204.80", 0],
    ["cost>+149%", 2],
    ["cost>+150%", 0],
    ["cost>+5%,never", 0],
  ] as const) {
    expect([condition, (await run(condition, ...prices)).status]).toEqual([condition, status]);
  }
  const { status, stdout, stderr } = await run("cost>+9000, cost>+20%");
  expect([status, stdout]).toEqual([1, plain]);
  expect(stderr).toBe(
    ["cost>+9000", "cost>+20%"]
      .map((condition) => `clouddb-report: --fail-on ${condition} cannot be decided: pass --prices.\n`)
      .join(""),
  );
  expect((await run("cost>500")).stderr).toContain('--fail-on: unknown condition "cost>500"; use irreversible, ');
});

test("a gate that holds because of an unknown amount names the service", async () => {
  const args = ["--fail-on", "capacity>+500%", "--format", "text"];
  const input = preview.replaceAll(/"numReplicas":\d+/g, '"numReplicas":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"');
  expect(await runCli({ args, input })).toMatchObject({
    status: 2,
    stderr: "clouddb-report: --fail-on capacity>+500% holds: the size of analytics is not known.\n",
  });
});

test.each(["--json", "--sarif", "--junit"])(
  "%s of a file that cannot be written loses nothing else",
  async (option) => {
    const args = [option, "/nowhere/file", "--fail-on", "irreversible"];
    const input = recording("policies-disabled");
    const { status, stdout, stderr } = await runCli({ args: [option, "/nowhere/file"], input });
    expect([status, stderr]).toEqual([1, expect.stringContaining("/nowhere/file")]);
    expect(stdout).toContain("<!-- clouddb-report");
    expect((await runCli({ args: [...args.slice(0, 2), "--fail-on", "changes"], input })).status).toBe(2);
  },
);

test.each(["--sarif", "--junit"])("%s needs policy results: none would look as if all had passed", async (option) => {
  const file = join(temporaryFolder("results"), "file");
  const { status, stdout, stderr } = await runCli({ args: [option, file], input: preview });
  expect([status, stdout]).toEqual([1, plain]);
  expect(stderr).toContain("--sarif and --junit cannot be written: no policy pack ran");
  expect(existsSync(file)).toBe(false);
});

describe("input of the wrong shape", () => {
  const shapes = [
    '{"steps":[null]}',
    '{"steps":[{"op":"create"}]}',
    '{"steps":[],"diagnostics":[{"severity":"error"}]}',
    '{"sequence":1,"policyEvent":{"policyName":"x"}}',
    '{"sequence":1,"resourcePreEvent":{}}',
    '{"sequence":1,"policyEvent":{"policyName":{},"policyPackName":"x","message":"x"}}',
    '{"sequence":1,"resourcePreEvent":{"metadata":{"op":"update","urn":"a::b","type":"c","keys":[{}]}}}',
    '{"sequence":1,"summaryEvent":{"resourceChanges":{"create":[]}}}',
  ];
  test.each(shapes)("%s is not a preview, which the comment of a known stack says", async (input) => {
    const { status, stdout, stderr } = await runCli({ args: ["--stack", "dev", "--project", "shop"], input });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^clouddb-report: standard input is not a preview: .*\n$/),
    ]);
    expect(stdout).toContain("**The preview failed**");
  });

  test.each([...shapes, undefined])("--positions %s costs only the positions", async (content) => {
    const file = join(temporaryFolder("positions"), "digest.json");
    if (content !== undefined) writeFileSync(file, content);
    const { status, stdout, stderr } = await runCli({
      args: ["--positions", file, "--json", `${file}.out`],
      input: preview,
    });
    expect([status, stdout]).toEqual([0, plain]);
    expect(stderr).toContain(file);
  });
});

describe("--comment-if", () => {
  const [marker = "", ...rest] = plain.split("\n");
  const optional = [marker, UPDATE_ONLY, ...rest].join("\n");
  const run = (list: string, ...args: string[]) => runCli({ args: ["--comment-if", list, ...args], input: preview });

  test.each<[string, boolean]>([
    ["delete, replace", false],
    ["delete, changes", true],
    ["capacity>+150%", false],
    ["capacity>+149%", true],
    ["never", false],
    ["", true],
  ])("%j: the report may become a comment: %j", async (list, isOne) => {
    expect(await run(list)).toEqual({ status: 0, stdout: isOne ? plain : optional, stderr: "" });
  });

  test("a condition that cannot be decided counts as met, and is refused", async () => {
    expect(await run("cost>+5%, delete")).toEqual({
      status: 1,
      stdout: plain,
      stderr: "clouddb-report: --comment-if cost>+5% cannot be decided: pass --prices.\n",
    });
    // As for --fail-on, unless another one holds.
    expect(await run("cost>+5%, changes")).toMatchObject({ status: 0, stdout: plain });
    expect(await run("delete", "--fail-on", "changes")).toMatchObject({ status: 2, stdout: optional });
    expect(await run("cost>+5%", "--fail-on", "changes")).toMatchObject({ status: 2, stdout: plain });
  });

  test("a report of several stacks is worth a comment if one of them is", async () => {
    const nothing = recording("nothing").replaceAll("production", "staging");
    const args = ["--comment-if", "capacity>+149%"];
    const both = await runCli({ args, input: `${nothing}\n${preview}` });
    expect(both.stdout).toContain("### <code>shop</code> / <code>production</code>");
    expect(both.stdout).not.toContain(UPDATE_ONLY);
    expect((await runCli({ args, input: nothing })).stdout).toContain(`staging -->\n${UPDATE_ONLY}\n**`);
  });

  test("the size limit holds with the mark, too", async () => {
    const { stdout } = await run("delete", "--max-bytes", "1000");
    expect(stdout.split("\n").slice(0, 2)).toEqual([marker, UPDATE_ONLY]);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(1000);
  });

  test.each([
    [["--comment-if", "rename"], '--comment-if: unknown condition "rename"; use irreversible, '],
    [["--comment-if", "changes", "--format", "json"], "--comment-if requires --format github, gitlab or azure"],
    [["--comment-if", "changes", "--format", "text"], "--comment-if requires --format github, gitlab or azure"],
    [
      ["post", "gitlab", "report.md", "--comment-if", "changes"],
      "--comment-if is not an option of post gitlab; it belongs to: clouddb-report FILE, run, audit, post webhook\n",
    ],
  ])("%j is refused", async (args, message) => {
    const { status, stdout, stderr } = await runCli({ args });
    expect([status, stdout, stderr]).toEqual([1, "", expect.stringContaining(`clouddb-report: ${message}`)]);
  });
});
