import type { Preview } from "../../../report/preview";
import { withCommand } from "../../../report/read/command";
import { UnreadableInput } from "../../../report/read/input";
import { recorded } from "./support/preview";
import { markdownOf, verdictsOn } from "./support/render";

/** Previews that failed before their first event, or whose command failed although they did not. */
const facts = { fallback: { stack: "example/shop/production", project: "shop" }, errors: "", hasFailed: true };
const reportOf = (preview: Preview | undefined) => markdownOf(preview as Preview);
const MARKER = "<!-- clouddb-report example%2Fshop%2Fproduction -->";

test("a missing settings file: the comment has the stack's name and the command's error", async () => {
  const preview = await recorded("settings-missing");
  expect(reportOf(preview)).toContain("- LoadPolicyPackConfigFromFile open nowhere.json: no such file or directory");
  const errors = "Loading policy packs...\n\u001b[31merror:\u001b[0m open nowhere.json: no such file or directory\n";
  const report = reportOf(withCommand([preview], { ...facts, errors })[0]);
  expect(
    report.startsWith(`${MARKER}\n\n### <code>example</code> / <code>shop</code> / <code>production</code>\n`),
  ).toBe(true);
  expect(report).toContain("- error: open nowhere.json: no such file or directory");
});

test("a preview without events is a failed preview of its stack", () => {
  const errors = "error: no stack named 'production' found\n";
  const [preview] = withCommand([], { ...facts, errors });
  const report = reportOf(preview);
  expect(report).toContain(MARKER);
  expect(report).toContain("- error: no stack named 'production' found");
  expect(report).toContain("❌ **The preview failed**");
  expect(verdictsOn(preview as Preview, "failed")).toEqual(["holds"]);
});

test("the reason contains neither the engine's log nor credentials of a URL", () => {
  const errors =
    "I1121 10:00:00.000000   42 log.go:81] CLOUDDB_KEY_SECRET=hush-secret\nerror: could not open postgres://user:hush@db.example/state\n";
  const report = reportOf(withCommand([], { ...facts, errors })[0]);
  expect(report).toContain("db.example/state");
  expect(report).not.toContain("hush");
});

test("a command that failed is not a preview that succeeded", async () => {
  const [preview] = withCommand([await recorded("nothing")], { ...facts, errors: "error: no changes were expected" });
  expect(preview?.outcome).toBe("failed");
  expect(reportOf(preview)).toContain("no changes were expected");
});

test("the preview's own error is kept and not repeated", async () => {
  const preview = await recorded("check-failed");
  const [same] = withCommand([preview], {
    ...facts,
    fallback: { stack: "other", project: "other" },
    errors: "error: preview failed",
  });
  expect(reportOf(same)).toBe(reportOf(preview));
});

test("no policy has passed in a preview that failed for another reason than a policy", async () => {
  const preview = await recorded("program-failed");
  const passed = { policy: "regions-allowed", pack: "p", result: "passed", urn: "", message: "" } as const;
  const failed = { ...passed, policy: "capacity-budget", result: "failed", message: "too large" } as const;
  const report = reportOf({ ...preview, policies: [passed] });
  expect(report).toContain("- ❔ 1 not evaluated: <code>regions-allowed</code>");
  expect(report).not.toContain("passed");
  const violated = { ...preview, diagnostics: [], policies: [passed, failed] };
  expect(reportOf(violated)).toContain("- ✅ 1 passed: <code>regions-allowed</code>");
});

test("an error about protection is followed by the way out that works", async () => {
  for (const name of ["remove", "replace"])
    expect(reportOf(await recorded(name))).toContain(
      "\n- Do not unprotect a service: the API cannot delete it. To stop",
    );
});

test("--stack and --project override the names in the events", async () => {
  const preview = await recorded("update-service");
  const overrides = { stack: "fork", project: "trusted" };
  const [named] = withCommand([preview], { ...facts, hasFailed: false, overrides });
  expect(reportOf(named)).toContain(
    "<!-- clouddb-report trusted%2Ffork -->\n\n### <code>trusted</code> / <code>fork</code>",
  );
  const [half] = withCommand([preview], { ...facts, hasFailed: false, overrides: { stack: "org/shop/fork" } });
  expect(reportOf(half)).toContain("<!-- clouddb-report org%2Fshop%2Ffork -->");
});

test("--stack and --project are rejected for several previews", async () => {
  const preview = await recorded("update-service");
  const overrides = { stack: "fork" };
  expect(() => withCommand([preview, preview], { ...facts, overrides })).toThrow(UnreadableInput);
  expect(withCommand([preview, preview], facts)).toHaveLength(2);
});

test("the reason contains no values of secret environment variables", async () => {
  const environment = {
    CLOUDDB_KEY_SECRET: 'hush "one"',
    PULUMI_CONFIG_PASSPHRASE: "hush\ntwo",
    DB_PASSWORD: "p/w hush",
    github_token: "ab",
    EMPTY_KEY: "",
    HOME: "/home/ci",
  };
  const errors = `error: 'hush "one"' "hush \\"one\\"" hush\ntwo p/w hush p%2Fw%20hush, ab of grab in /home/ci\n`;
  const report = reportOf(withCommand([], { ...facts, errors, environment })[0]);
  expect(report).not.toMatch(/hush|two/);
  expect(report).toContain("&#91;secret&#93; of grab in /home/ci");
  const preview = await recorded("check-failed");
  const said = preview.diagnostics.map((diagnostic) => ({ ...diagnostic, message: `${diagnostic.message} p/w hush` }));
  const [safe] = withCommand([{ ...preview, diagnostics: said }], { ...facts, environment });
  expect(reportOf(safe)).not.toContain("hush");
});
