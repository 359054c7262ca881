import prices from "../../../examples/ci/prices.json";
import { previewIn, recorded, textOf } from "./support/preview";
import { markdownOf, verdictsOn } from "./support/render";

/** `--fail-on`: a gate that cannot be decided does not pass. */

const read = (digest: object) => previewIn(JSON.stringify(digest));

/** A service that grows from 32 to 64 GB beside one of 416 GB, in the forms that `pulumi preview --json` prints. */
async function digests(change: object = {}) {
  const size = { provider: "aws", region: "us-east-1", minReplicaMemoryGb: 8, numReplicas: 1, idleScaling: false };
  const declared = (maxReplicaMemoryGb: number) => ({ ...size, maxReplicaMemoryGb });
  const step = (name: string, op: string, before: object, after: object) => {
    const urn = `urn:pulumi:dev::shop::clouddb:index:Service::${name}`;
    const state = (inputs: object) => ({ urn, id: name, type: "clouddb:index:Service", inputs, outputs: inputs });
    return { op, urn, oldState: state(before), newState: state(after) };
  };
  const grown = step("grown", "update", declared(32), { ...declared(64), ...change });
  const same = step("same", "same", declared(416), declared(416));
  const changeSummary = { same: 1, update: 1 };
  return {
    all: await read({ steps: [grown, same], changeSummary }),
    hidden: await read({ steps: [grown], changeSummary }),
    failed: await read({ steps: [grown], diagnostics: [{ message: "no", severity: "error" }] }),
  };
}

test("the totals of a digest without its unchanged services say so", async () => {
  const { all, hidden } = await digests();
  const [whole, part] = [all, hidden].map((preview) => markdownOf(preview, { prices }));
  expect(whole).toContain("1 to update · capacity +32 GB (+7 %) · cost up to EUR 7,008.00 per month");
  expect(whole).toContain("| **total** | 448 GB | 480 GB | +32 GB (+7 %) |");
  expect(part).toContain(
    "1 to update · capacity of changed services +32 GB (+100 %) · cost of changed services up to EUR 934.40 per month",
  );
  expect(part).toContain("| **total of changed services** | 32 GB | 64 GB | +32 GB (+100 %) |");
});

test("a digest without its unchanged resources does not know how many use a provider", async () => {
  const urn = "urn:pulumi:dev::shop::pulumi:providers:clouddb::eu";
  const state = (baseUrl: string) => ({ urn, id: "p", type: "pulumi:providers:clouddb", inputs: { baseUrl } });
  const step = { op: "update", urn, oldState: state("https://a.example"), newState: state("https://b.example") };
  const digest = { steps: [step], changeSummary: { same: 2, update: 1 } };
  const preview = await read(digest);
  const report = markdownOf(preview);
  expect(report).toMatch(/baseUrl changes from .*\n/);
  expect(report).not.toContain("used by");
});

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
    const preview = await read(digest);
    expect(verdictsOn(preview, "attention", "policy", "drift", "replace", "failed", "unchecked")).toEqual([
      unanswered("add --show-sames"),
      unanswered("has no policy results"),
      unanswered("pass the engine events"),
      "passes",
      "passes",
      "holds",
    ]);
    const report = markdownOf(preview);
    expect(report).not.toContain("no changes");
    expect(report).toContain("- ❔ stack outputs: not part of this input");
    expect(report).toContain("- ❔ protection, retention and providers of unchanged resources: not part of this input");
  });

  test.each<[condition: string, shown: object, verdict: unknown]>([
    ["capacity>+99%", {}, unanswered("the input leaves out unchanged resources; add --show-sames")],
    // Other services can only make the growth of all of them smaller.
    ["capacity>+100%", {}, "passes"],
    ["capacity>+100%", { numReplicas: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }, unanswered("add --show-sames")],
    ["capacity>+0%", { maxReplicaMemoryGb: 32 }, "passes"],
  ])("%s of a digest without its unchanged services, with %j: %j", async (condition, change, verdict) => {
    const { hidden } = await digests(change);
    expect(verdictsOn(hidden, condition)).toEqual([verdict]);
  });

  test("a digest with all services decides the gate, as events do", async () => {
    const { all } = await digests();
    expect(verdictsOn(all, "capacity>+99%", "capacity>+8%", "capacity>+7%")).toEqual(["passes", "passes", "holds"]);
  });

  test("a digest that ends before its summary may leave out unchanged services", async () => {
    const { failed } = await digests();
    expect(failed.outcome).toBe("failed");
    expect(verdictsOn(failed, "capacity>+99%")).toEqual([unanswered("add --show-sames")]);
  });

  test.each([
    ["mandatory", "can't run policy x: it was not read", "failed"],
    ["remediate", "No.", "failed"],
    ["advisory", "No.", "warned"],
    ["advisory", "can't run policy x during preview: y", "not checked"],
    ["advisory", "Not checked: y", "not checked"],
  ])("a finding at the level %s, %j, has %s", async (enforcementLevel, message, result) => {
    const policyEvent = { message, policyName: "x", policyPackName: "p", enforcementLevel };
    const preview = await previewIn(textOf([{ preludeEvent: {} }, { policyEvent }]));
    expect(preview.policies).toMatchObject([{ result }]);
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
});
