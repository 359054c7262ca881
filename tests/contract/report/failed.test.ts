import type { Preview } from "../../../report/preview";
import { type CommandFacts, withCommand } from "../../../report/read/command";
import { UnreadableInput } from "../../../report/read/input";
import { markdownOf, recorded, verdictsOn } from "./support/preview";

/** Previews that failed before their first event, or whose command failed although they did not. */
const facts = {
  fallback: { stack: "example/shop/production", project: "shop" },
  errors: "",
  hasFailed: true,
};
const MARKER = "<!-- clouddb-report example%2Fshop%2Fproduction -->";
const TITLE = "### <code>example</code> / <code>shop</code> / <code>production</code>";

/** The first of these previews with more facts about its command, and its report. */
function withFacts(
  previews: readonly Preview[],
  more: Partial<CommandFacts>,
): { preview: Preview; report: string } {
  const [preview] = withCommand(previews, { ...facts, ...more });
  return { preview: preview as Preview, report: markdownOf(preview as Preview) };
}

test("a missing settings file is reported with the stack's name and the command's error", async () => {
  const preview = await recorded("settings-missing");
  expect(markdownOf(preview)).toContain(
    "- LoadPolicyPackConfigFromFile open nowhere.json: no such file or directory",
  );
  const errors =
    "Loading policy packs...\n\u001b[31merror:\u001b[0m open nowhere.json: no such file or directory\n";
  const { report } = withFacts([preview], { errors });
  expect(report.startsWith(`${MARKER}\n\n${TITLE}\n`)).toBe(true);
  expect(report).toContain("- error: open nowhere.json: no such file or directory");
});

test("a preview without events is a failed preview of its stack", () => {
  const { preview, report } = withFacts([], {
    errors: "error: no stack named 'production' found\n",
  });
  for (const text of [
    MARKER,
    "- error: no stack named 'production' found",
    "❌ **The preview failed**",
  ])
    expect(report).toContain(text);
  expect(verdictsOn(preview, "failed")).toEqual(["holds"]);
});

test("a failed command is not a successful preview, whatever its events", async () => {
  const { preview, report } = withFacts([await recorded("nothing")], {
    errors: "error: no changes were expected",
  });
  expect(preview.outcome).toBe("failed");
  expect(report).toContain("no changes were expected");
});

test("the preview's own error is shown once", async () => {
  const preview = await recorded("check-failed");
  const fallback = { stack: "other", project: "other" };
  expect(withFacts([preview], { fallback, errors: "error: preview failed" }).report).toBe(
    markdownOf(preview),
  );
});

test("no policy counts as passed in a preview that failed for a reason other than a policy", async () => {
  const preview = await recorded("program-failed");
  const passed = {
    policy: "regions-allowed",
    pack: "p",
    result: "passed",
    urn: "",
    message: "",
  } as const;
  const failed = {
    ...passed,
    policy: "capacity-budget",
    result: "failed",
    message: "too large",
  } as const;
  const report = markdownOf({ ...preview, policies: [passed] });
  expect(report).toContain("- ❔ 1 not evaluated: <code>regions-allowed</code>");
  expect(report).not.toContain("passed");
  const violated = { ...preview, diagnostics: [], policies: [passed, failed] };
  expect(markdownOf(violated)).toContain("- ✅ 1 passed: <code>regions-allowed</code>");
});

test.each(["remove", "replace"])("an error about protection includes advice: %s", async (name) => {
  expect(markdownOf(await recorded(name))).toContain(
    "\n- Do not unprotect a service: the API cannot delete it. To stop",
  );
});

test("--stack and --project override the names in the events of one preview", async () => {
  const preview = await recorded("update-service");
  const overrides = { stack: "fork", project: "trusted" };
  expect(withFacts([preview], { hasFailed: false, overrides }).report).toContain(
    "<!-- clouddb-report trusted%2Ffork -->\n\n### <code>trusted</code> / <code>fork</code>",
  );
  expect(() => withCommand([preview, preview], { ...facts, overrides })).toThrow(UnreadableInput);
  expect(withCommand([preview, preview], facts)).toHaveLength(2);
});

test("the failure's reason contains neither the engine's log nor credentials in a URL", () => {
  const errors =
    "I1121 10:00:00.000000   42 log.go:81] CLOUDDB_KEY_SECRET=hush-secret\nerror: could not open postgres://user:hush@db.example/state\n";
  const { report } = withFacts([], { errors });
  expect(report).toContain("db.example/state");
  expect(report).not.toContain("hush");
});

test("the failure's reason contains no value of a secret environment variable, in any spelling", async () => {
  const environment = {
    CLOUDDB_KEY_SECRET: 'hush "one"',
    PULUMI_CONFIG_PASSPHRASE: "hush\ntwo",
    DB_PASSWORD: "p/w hush",
    github_token: "ab",
    EMPTY_KEY: "",
    CLOUDDB_RATE_LIMIT_URL: "rediss://limits.example/0?auth=hush-query",
    PULUMI_BACKEND_URL: "s3://states?secret=hush-bucket",
    HTTPS_PROXY: "http://ci:p%40ss-hush@proxy.example:3128",
    STATE_DATABASE: "postgres://pulumi:hush+word@db.example/states?sslmode=require",
    HOME: "/home/not-a-secret",
  };
  const errors = [
    `error: 'hush "one"' "hush \\"one\\"" hush\ntwo p/w hush p%2Fw%20hush, ab of grab`,
    "rediss://limits.example/0?auth=hush-query is unreachable",
    "s3://states?secret=hush-bucket: access denied",
    "proxy.example refused p@ss-hush and p%40ss-hush",
    "password hush+word is wrong for postgres://other:hush-of-others@db.example",
    "/home/not-a-secret",
  ].join("; ");
  const report = withFacts([], { errors, environment }).report.replaceAll("&#8203;", "");
  expect(report).not.toMatch(/hush|two/);
  for (const text of [
    "&#91;secret&#93; of grab",
    "proxy.example",
    "db.example",
    "/home/not-a-secret",
  ])
    expect(report).toContain(text);
  const preview = await recorded("check-failed");
  const diagnostics = preview.diagnostics.map((one) => ({
    ...one,
    message: `${one.message} p/w hush`,
  }));
  expect(withFacts([{ ...preview, diagnostics }], { environment }).report).not.toContain("hush");
});
