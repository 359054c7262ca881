import { runCli } from "./support/cli";
import { recorded, recording, recordingFile } from "./support/preview";
import { markdownOf } from "./support/render";

/** The built command with hostile input. */
const preview = recording("update-service");
let plain: string;
beforeAll(async () => {
  plain = markdownOf(await recorded("update-service"));
});

function failedWith(message: string): string {
  const diagnosticEvent = { severity: "error", urn: "urn:pulumi:dev::shop::a:b:C::name", message };
  const events = [{ preludeEvent: {} }, { diagnosticEvent }, { cancelEvent: {} }];
  return events.map((event, sequence) => JSON.stringify({ sequence, ...event })).join("\n");
}

test("secrets in variables and addresses are hidden in messages", async () => {
  const env = {
    CLOUDDB_RATE_LIMIT_URL: "rediss://limits.example/0?auth=hush-query",
    PULUMI_BACKEND_URL: "s3://states?secret=hush-bucket",
    SLACK_WEBHOOK_URL: "https://hooks.example/services/hush-other",
    HTTPS_PROXY: "http://ci:p%40ss-hush@proxy.example:3128",
    STATE_DATABASE: "postgres://pulumi:hush+word@db.example/states?sslmode=require",
    HOME: "/home/hush-not-a-secret",
  };
  const message = [
    "rediss://limits.example/0?auth=hush-query is unreachable",
    "s3://states?secret=hush-bucket: access denied",
    "https://hooks.example/services/hush-other is gone",
    "proxy.example refused p@ss-hush and p%40ss-hush",
    "password hush+word is wrong for postgres://other:hush-of-others@db.example",
    "/home/hush-not-a-secret",
  ].join("; ");
  const { stdout } = await runCli({ args: [], env, input: failedWith(message) });
  expect(stdout.replaceAll("&#8203;", "").match(/[^\s]*hush[^\s]*/g)).toEqual(["/home/hush-not-a-secret"]);
  for (const host of ["proxy.example", "db.example"]) expect(stdout).toContain(host);
});

test("a message full of unfinished color codes costs no more time than any other", async () => {
  const message = `<{%fg 1%}>red<{%reset%}> {% ${"<{%".repeat(1_000_000)}`;
  const { status, stdout } = await runCli({ args: [], input: failedWith(message) });
  expect(status).toBe(2);
  expect(stdout).toContain("- red &#123;% &#60;&#123;%");
});

test("a gate ends with 2 if it holds", async () => {
  const run = (condition: string) => runCli({ args: ["--fail-on", condition], input: preview });
  for (const [condition, status] of [
    ["capacity>+149%", 2],
    ["capacity>+150%", 0],
    ["changes,never", 0],
  ] as const) {
    expect([condition, (await run(condition)).status]).toEqual([condition, status]);
  }
  expect((await run("irreversible")).stderr).toBe(
    "clouddb-report: shop/production: --fail-on irreversible holds: changes of analytics cannot be undone.\n",
  );
  expect((await run("capacity>500")).stderr).toContain('Unknown condition "capacity>500"; use irreversible, ');
});

test("a preview that failed ends with 2, unless --fail-on is never", async () => {
  const run = (...args: string[]) => runCli({ args: [recordingFile("policies-broken"), ...args] });
  expect(await run("--fail-on", "policy")).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(
      /^clouddb-report: shop\/production: --fail-on policy holds: violations of no-open-access, one-owner-for-scaling, production-is-replicated\.\n.* --fail-on failed holds: the preview failed\.\n$/,
    ),
  });
  expect((await run()).status).toBe(2);
  expect(await run("--fail-on", "never")).toMatchObject({ status: 0, stderr: "" });
});

test("a price per gigabyte and hour gives the maximum cost per month, before and after", async () => {
  const { stdout } = await runCli({ args: ["--price-per-gb-hour", "0.02"], input: preview });
  // 192 and 480 GB for 730 hours.
  expect(stdout).toContain(" · cost up to 7,008.00 per month (was 2,803.20)");
  expect(stdout).toContain("\n\nMaximum cost per month: 2,803.20 before, 7,008.00 after.\n");
  expect(plain).not.toMatch(/cost/i);
});

test("a digest is refused with the command that prints events, which the comment of a known stack says", async () => {
  const input = JSON.stringify({ steps: [], diagnostics: [], changeSummary: {} }, undefined, 4);
  const refused = {
    status: 1,
    stderr: expect.stringMatching(/^clouddb-report: standard input is not a preview: .*\n$/),
  };
  expect(await runCli({ args: [], input })).toEqual({ ...refused, stdout: "" });
  expect(await runCli({ args: ["--stack", "dev", "--project", "shop"], input })).toEqual({
    ...refused,
    stdout: expect.stringContaining("**The preview failed**"),
  });
});
