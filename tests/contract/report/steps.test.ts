import MarkdownIt from "markdown-it";
import { capacityOf } from "../../../report/analyze/capacity";
import type { Preview } from "../../../report/preview";
import { previewIn, previewsIn, textOf } from "./support/preview";
import { irreversibleReasons, markdownOf, verdictsOn } from "./support/render";

/** The analysis of the engine's steps. The engine numbers its events, but not every tool that stores them does. */

const urn = (name: string, type = "clouddb:index:Service") => `urn:pulumi:dev::shop::${type}::${name}`;
type Raw = { readonly urn: string; readonly [name: string]: unknown };
const state = (name: string, more: object = {}): Raw => ({ urn: urn(name), id: `id of ${name}`, ...more });

interface StepExtras {
  readonly logical?: boolean;
  readonly [name: string]: unknown;
}

/** One step as in its event: the old and the new state. */
function step(op: string, old: Raw | null, now: Raw | null, more: StepExtras = {}) {
  const at = now?.urn ?? old?.urn ?? "";
  return { op, urn: at, type: at.split("::")[2], old, new: now, detailedDiff: null, logical: true, ...more };
}
const half = { logical: false };
const begun = (metadata: object) => ({ resourcePreEvent: { metadata } });
const done = (metadata: object) => ({ resOutputsEvent: { metadata } });
const both = (metadata: object) => [begun(metadata), done(metadata)];
const run = (...events: object[]) => [{ preludeEvent: {} }, ...events, { summaryEvent: {} }, { cancelEvent: {} }];

const first = (...events: object[]) => previewIn(textOf(run(...events)));
const operations = ({ changes }: Preview) => changes.map(({ name, operation }) => `${operation} ${name}`);
const reasons = ({ changes }: Preview) => irreversibleReasons(changes);
const size = { maxReplicaMemoryGb: 64, numReplicas: 3 };

describe("a replacement counts once", () => {
  test("the replacement of a resource renamed by an alias counts once, although its old half has the old URN", async () => {
    const [old, now] = [state("a"), { ...state("b"), id: "" }];
    const preview = await first(
      ...both(step("create-replacement", old, now, half)),
      ...both(step("replace", { ...old, delete: true }, now)),
      ...both(step("delete-replaced", { ...old, delete: true }, null, half)),
      // Another resource takes the old name.
      ...both(step("create", null, { ...state("a"), id: "" })),
    );
    expect(operations(preview)).toEqual(["replace b", "create a"]);
  });

  test("a replacement with deleteBeforeReplace counts once", async () => {
    const [old, now] = [state("a"), { ...state("b"), id: "" }];
    const preview = await first(
      ...both(step("delete-replaced", old, null, half)),
      ...both(step("replace", old, now)),
      ...both(step("create-replacement", old, now, half)),
    );
    expect(operations(preview)).toEqual(["replace b"]);
  });

  test("a replacement that results from an import or a read counts once", async () => {
    for (const op of ["import-replacement", "read-replacement"]) {
      const preview = await first(
        ...both(step(op, null, state("a"), half)),
        ...both(step("replace", { ...state("a"), id: "other" }, state("a"))),
        ...both(step("discard-replaced", { ...state("a"), id: "other", delete: true }, null, half)),
      );
      expect(operations(preview)).toEqual(["replace a"]);
    }
  });

  test("a replacement that Pulumi refuses unless the program takes the protection away counts once", async () => {
    const old = state("a", { protect: true });
    const refused = await first(...both(step("replace", old, old)));
    expect(reasons(refused)).toEqual([expect.stringContaining("it is protected, so Pulumi will refuse")]);
    const carriedOut = await first(...both(step("replace", old, state("a"))));
    expect(reasons(carriedOut)).toEqual(["is replaced: the API cannot delete the old service"]);
  });

  test("a replacement of which the engine reported only half counts once", async () => {
    expect(operations(await first(begun(step("create-replacement", state("a"), state("a"), half))))).toEqual([
      "replace a",
    ]);
    expect(operations(await first(begun(step("delete-replaced", state("a"), null, half))))).toEqual(["replace a"]);
  });
});

describe("a resource that an earlier update left to delete", () => {
  const old = { ...state("a"), id: "old", delete: true, outputs: size };
  const same = step("same", state("a", { outputs: size }), state("a", { outputs: size }));

  test("a resource that an earlier update left to delete is listed as deleted, next to its replacement", async () => {
    const preview = await first(...both(same), ...both(step("delete-replaced", old, null, half)));
    expect(operations(preview)).toEqual(["same a", "delete a"]);
    expect(reasons(preview)).toEqual([
      "was replaced earlier, and the API cannot delete it: the update will fail, and the service keeps running",
    ]);
    expect(capacityOf(preview.changes)).toMatchObject({ beforeGb: 384, afterGb: 384 });
  });

  test("a resource that an earlier update left to delete is removed from state if it is retained", async () => {
    const retained = { ...old, retainOnDelete: true };
    const preview = await first(...both(same), ...both(step("delete-replaced", retained, null, half)));
    expect(operations(preview)).toEqual(["same a", "forget a"]);
  });
});

describe("several steps of one resource", () => {
  test("several steps of one resource count as a deletion if a destroy runs the program", async () => {
    const service = state("a", { inputs: size, outputs: size });
    const preview = await first(...both(step("same", service, service)), ...both(step("delete", service, null)));
    expect(operations(preview)).toEqual(["same a", "delete a"]);
    const report = markdownOf(preview);
    expect(report).toContain("🗑️ 1 to delete");
    expect(report).toContain("is removed from the program, but the API cannot delete it");
    expect(capacityOf(preview.changes)).toMatchObject({ beforeGb: 192, afterGb: 192, rows: [{ isLeftBehind: true }] });
  });

  test("an import that is updated counts as both, and as one service", async () => {
    const current = state("a", { inputs: size, outputs: size });
    const wanted = { ...state("a", { inputs: { ...size, numReplicas: 4 } }) };
    const preview = await first(...both(step("import", null, current)), ...both(step("update", current, wanted)));
    expect(markdownOf(preview)).toContain("📥 1 to import, ✏️ 1 to update");
    expect(capacityOf(preview.changes)).toMatchObject({ beforeGb: 192, afterGb: 256, rows: [{ name: "a" }] });
  });
});

describe("no step that the engine counts is ignored", () => {
  const provider = { ...state("acct2"), urn: urn("acct2", "pulumi:providers:pulumi-nodejs") };

  test("an explicit provider counts like a resource; default providers do not count", async () => {
    const byEngine = { ...provider, urn: urn("default_1_0_0", "pulumi:providers:aws") };
    const preview = await first(...both(step("update", provider, provider)), ...both(step("create", null, byEngine)));
    expect(operations(preview)).toEqual(["update acct2"]);
    const missing = await first(...both(step("delete", provider, null)));
    expect(verdictsOn(missing, "delete", "irreversible")).toEqual(["holds", "passes"]);
  });

  test("the stack itself counts only if nothing else changes", async () => {
    const stack = { ...state("shop-dev"), urn: urn("shop-dev", "pulumi:pulumi:Stack") };
    expect(markdownOf(await first(...both(step("create", null, stack))))).toContain(
      "**: no resource changes; create the stack itself.\n",
    );
    const withService = await first(...both(step("create", null, stack)), ...both(step("create", null, state("a"))));
    expect(markdownOf(withService)).toContain("**➕ 1 to create");
  });

  test("an external resource counts if it has changed or is no longer read", async () => {
    const reference = (outputs: object) => ({ ...state("other", { outputs }), urn: urn("other", "aws:vpc:Vpc") });
    const changed = await first(
      begun(step("read", reference({ a: 1 }), reference({}))),
      done(step("read", reference({ a: 1 }), reference({ a: 2 }))),
    );
    expect(markdownOf(changed)).toContain("👁️ 1 to read");
    const alike = await first(...both(step("read", reference({ a: 1 }), reference({ a: 1 }))));
    const fresh = await first(...both(step("read", null, reference({ a: 1 }))));
    expect([alike, fresh].map((preview) => markdownOf(preview).includes("no changes"))).toEqual([true, true]);
    const discarded = await first(...both(step("discard", reference({}), null)));
    expect(markdownOf(discarded)).toContain("✖️ 1 to discard");
    expect(reasons(discarded)).toEqual([]);
  });

  test("a refresh shows changes outside of Pulumi", async () => {
    const preview = await first(
      begun(step("refresh", state("a"), state("a"), half)),
      done(step("update", state("a"), state("a"), half)),
      begun(step("refresh", state("b"), state("b"), half)),
      done(step("delete", state("b"), null, half)),
      begun(step("refresh", state("c"), state("c"), half)),
      done(step("same", state("c"), state("c"), half)),
    );
    const report = markdownOf(preview);
    expect(report).toContain("2 drifted");
    expect(report).toContain("- <code>a</code> differs from its stored state\n- <code>b</code> no longer exists\n");
    expect(verdictsOn(preview, "drift")).toEqual(["holds"]);
  });
});

describe("a run begins with its prelude", () => {
  const change = both(step("create", null, state("a")));
  const policies = { policyLoadEvent: {} };

  test("a run begins with its prelude, whatever the sequence numbers of its events", async () => {
    const previews = await previewsIn(
      textOf([...run(...change), ...run(...change, ...both(step("create", null, state("b"))))]),
    );
    expect(previews.map(operations)).toEqual([["create a"], ["create a", "create b"]]);
  });

  test("a run begins with its prelude, even if the previous run was cut off, or policies are loaded first", async () => {
    const previews = await previewsIn(textOf([policies, { preludeEvent: {} }, ...change, policies, ...run(...change)]));
    expect(previews.map(({ outcome }) => outcome)).toEqual(["cut off", "succeeded"]);
  });
});

test("a remediation without an effect is not reported as a change", async () => {
  const policyRemediationEvent = { policyName: "x", policyPackName: "p", before: { a: 1 }, after: { a: 2 } };
  const preview = await first({ policyRemediationEvent }, { summaryEvent: { resourceChanges: {} } });
  expect(preview.policies).toEqual([{ policy: "x", pack: "p", result: "remediated", urn: "", message: "changes a" }]);
  expect(markdownOf(preview)).toContain("no changes");
});

describe("as Markdown", () => {
  const rendered = (preview: Preview) => new MarkdownIt({ html: true }).render(markdownOf(preview));

  test("a new list shows its entries, and nothing nested", async () => {
    const entries = [{ source: "192.0.2.1" }, { source: "192.0.2.2" }];
    const html = rendered(
      await first(
        ...both(step("create", null, state("a", { protect: true, inputs: { ...size, ipAccessList: entries } }))),
      ),
    );
    expect(html.match(/<ul>/g)).toHaveLength(2);
    expect(html).toContain("<li>+ <code>{ source: &quot;192.0.2.1&quot; }</code></li>");
  });

  test.each(["+ one", "- one", "1. one", "2) one", "---", "==="])("a message such as %j is text", async (message) => {
    const error = { diagnosticEvent: { severity: "error", message: `<{%reset%}>${message}<{%reset%}>\n` } };
    const html = rendered(await first(error));
    expect(html).toContain(`<li>${message}</li>`);
    expect(html.match(/<ul>|<ol>|<hr>/g)).toHaveLength(1);
  });
});

describe("drift that a provider does not describe", () => {
  const BUCKET = "aws:s3/bucket:Bucket";
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "canary" };
  function refreshed(old: object, now: object, type = BUCKET, id = "1"): Promise<Preview> {
    const side = (outputs: object, id: string) => ({ ...state("it", { outputs }), id, urn: urn("it", type) });
    return first(done(step("refresh", side(old, "1"), side(now, id), half)));
  }

  test("drift that a provider does not describe is found in outputs that differ", async () => {
    const preview = await refreshed({ acl: "private", tags: [] }, { acl: "public", tags: [] });
    expect(verdictsOn(preview, "drift")).toEqual(["holds"]);
    expect(markdownOf(preview)).toContain(
      '- <code>it</code> <code>acl</code>: <code>"private"</code> → <code>"public"</code>',
    );
  });

  test("drift that a provider does not describe is found in a resource that no longer exists", async () => {
    const old = { ...state("it"), urn: urn("it", "clouddb:index:Service") };
    const preview = await first(done(step("refresh", old, null, half)));
    expect(verdictsOn(preview, "drift")).toEqual(["holds"]);
    expect(markdownOf(preview)).toContain("- <code>it</code> no longer exists");
  });

  test("drift is found when only the id differs", async () => {
    expect(markdownOf(await refreshed({}, {}, BUCKET, "2"))).toContain(
      "- <code>it</code> differs from its stored state",
    );
  });

  test.each([
    ["the same outputs", BUCKET, { acl: "private" }],
    ["an internal property of the engine", BUCKET, { acl: "private", __meta: "2" }],
    ["fields of ours that only the server changes", "clouddb:index:Service", { acl: "other" }],
  ])("drift that a provider does not describe is not found in %s", async (_, type, outputs) => {
    const preview = await refreshed({ acl: "private", __meta: "1" }, outputs, type);
    expect(verdictsOn(preview, "drift")).toEqual(["passes"]);
  });

  test("drift that a provider does not describe shows no secret", async () => {
    expect(markdownOf(await refreshed({ key: "canary-old" }, { key: mark }))).toContain("&#91;secret&#93;");
  });
});
