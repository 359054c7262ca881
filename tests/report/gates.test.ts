import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { conditionsIn, isCondition } from "../../report/analyze/gates";
import type { Preview } from "../../report/preview";
import { readPreviews } from "../../report/read/input";
import { markdownOf, verdictsOn } from "./support/render";

/** `--fail-on`: a gate that cannot be decided does not pass. */
async function recorded(name: string): Promise<Preview> {
  const file = join(__dirname, "previews", `${name}.ndjson`);
  return (await readPreviews(createReadStream(file), file))[0] as Preview;
}
const unanswered = (reason: string) => ({ unanswered: expect.stringContaining(reason) });

describe("--fail-on", () => {
  test.each([
    ["replace", "replace", "holds"],
    ["replace", "irreversible", "holds"],
    ["replace", "capacity>+50%", "holds"],
    ["replace", "capacity>+150%", unanswered("the preview failed before it finished")],
    ["update-service", "capacity>+149%", "holds"],
    ["update-service", "capacity>+500%", "passes"],
    ["update-service", "replace", "passes"],
    ["update-service", "irreversible", "holds"],
    ["update-service", "drift", unanswered("the preview did not check for drift")],
    ["update-service", "policy", unanswered("no policy pack ran")],
    ["update-service", "weakened", unanswered("pass --policies and --policies-before")],
    ["update-service", "failed", "passes"],
    ["update-service", "never", "passes"],
    ["create", "drift", "passes"],
    ["drift", "drift", "holds"],
    ["policies-broken", "policy", "holds"],
    ["policies-broken", "unchecked", "holds"],
    ["policies-broken", "failed", "holds"],
    ["policies-disabled", "policy", "passes"],
    ["policies-disabled", "attention", "holds"],
    ["settings-missing", "failed", "holds"],
    ["settings-missing", "policy", unanswered("the preview failed before it finished")],
  ])("%s, %s: %j", async (name, condition, verdict) => {
    expect(verdictsOn(await recorded(name), condition)).toEqual([verdict]);
  });

  test("a digest has neither policy results nor drift, so only those gates cannot be decided", async () => {
    const digest = { steps: [], changeSummary: { same: 2 } };
    const [preview] = await readPreviews(Readable.from([JSON.stringify(digest)]), "the test");
    expect(verdictsOn(preview as Preview, "attention", "policy", "drift", "replace", "failed", "unchecked")).toEqual([
      unanswered("add --show-sames"),
      unanswered("has no policy results"),
      unanswered("pass the engine events"),
      "passes",
      "passes",
      "holds",
    ]);
    const report = markdownOf(preview as Preview, { masks: [], maxBytes: 65_000 });
    expect(report).not.toContain("no changes");
    expect(report).toContain("- ❔ stack outputs: not part of this input");
    expect(report).toContain("- ❔ protection, retention and providers of unchanged resources: not part of this input");
  });

  test.each([
    ["mandatory", "can't run policy x: it was not read", "failed"],
    ["remediate", "No.", "failed"],
    ["advisory", "No.", "warned"],
    ["advisory", "can't run policy x during preview: y", "not checked"],
  ])("a finding at the level %s, %j, has %s", async (enforcementLevel, message, result) => {
    const policyEvent = { message, policyName: "x", policyPackName: "p", enforcementLevel };
    const lines = [{ preludeEvent: {} }, { policyEvent }].map((event) => JSON.stringify({ sequence: 0, ...event }));
    const [preview] = await readPreviews(Readable.from([lines.join("\n")]), "the test");
    expect(preview?.policies).toMatchObject([{ result }]);
  });

  test("unknown capacity may be any size", async () => {
    const preview = await recorded("update-service");
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    const changes = preview.changes.map((change) => ({
      ...change,
      after: change.after && { ...change.after, inputs: { ...change.after.inputs, numReplicas: unknown } },
    }));
    expect(verdictsOn({ ...preview, changes }, "capacity>+500%", "unchecked")).toEqual(["holds", "holds"]);
  });

  test("a list may have spaces", () => {
    expect(conditionsIn(" failed, policy ,capacity>+20% ,")).toEqual(["failed", "policy", "capacity>+20%"]);
    expect(["failed", "unchecked", "capacity>+20%", "anything"].map(isCondition)).toEqual([true, true, true, false]);
  });
});
