import prices from "../../../examples/ci/prices.json";
import { UNKNOWN } from "../../../facts";
import { analyze } from "../../../report/analyze/analyze";
import { verdictOn } from "../../../report/analyze/gates";
import type { Preview, ResourceStep } from "../../../report/preview";
import { previewIn, previewOf, recorded, stateOf, stepOf, textOf } from "./support/preview";
import { markdownOf, verdictsOn } from "./support/render";

/** `--fail-on`: a gate that cannot be decided does not pass. */

const location = { provider: "aws", region: "us-east-1" };

function pricedVerdictsOn(preview: Preview, ...conditions: string[]) {
  const analysis = analyze(preview, { masks: [], prices });
  return conditions.map((condition) => verdictOn(analysis, condition));
}

const read = (digest: object) => previewIn(JSON.stringify(digest));

/** A service that grows from 32 to 64 GB beside one of 416 GB, in the forms that `pulumi preview --json` prints. */
async function digests(change: object = {}) {
  const size = { ...location, minReplicaMemoryGb: 8, numReplicas: 1, idleScaling: false };
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
    ["capacity>+100%", { numReplicas: UNKNOWN }, unanswered("add --show-sames")],
    ["capacity>+0%", { maxReplicaMemoryGb: 32 }, "passes"],
  ])("%s of a digest without its unchanged services, with %j: %j", async (condition, change, verdict) => {
    const { hidden } = await digests(change);
    expect(verdictsOn(hidden, condition)).toEqual([verdict]);
  });

  test("a digest with all services decides the gate, as events do", async () => {
    const { all } = await digests();
    expect(verdictsOn(all, "capacity>+99%", "capacity>+8%", "capacity>+7%")).toEqual(["passes", "passes", "holds"]);
  });

  test.each<[condition: string, shown: object, verdict: unknown]>([
    ["cost>+99%", {}, unanswered("the input leaves out unchanged resources; add --show-sames")],
    ["cost>+100%", {}, "passes"],
    // An amount is not a share: services that do not change cost the same before and after.
    ["cost>+467.19", {}, "holds"],
    ["cost>+467.2", {}, "passes"],
    ["cost>+0", { numReplicas: UNKNOWN }, "holds"],
    // However many services there are, all of them together grow.
    ["cost>+0%", {}, "holds"],
    ["capacity>+0%", {}, "holds"],
  ])("%s of a digest without its unchanged services, with %j: %j", async (condition, change, verdict) => {
    const { hidden } = await digests(change);
    expect(pricedVerdictsOn(hidden, condition)).toEqual([verdict]);
  });

  test("a digest with all services decides about costs, too", async () => {
    const { all } = await digests();
    expect(pricedVerdictsOn(all, "cost>+7%", "cost>+7.14%", "cost>+7.15%", "cost>+8%")).toEqual([
      "holds",
      "holds",
      "passes",
      "passes",
    ]);
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

  test("costs cannot be compared without prices, whatever else is unknown", async () => {
    const conditions = ["cost>+500", "cost>+0%"];
    const verdicts = conditions.map(() => unanswered("cannot be decided: pass --prices"));
    for (const name of ["update-service", "replace", "nothing"]) {
      expect(verdictsOn(await recorded(name), ...conditions)).toEqual(verdicts);
    }
  });

  describe("with prices", () => {
    const size = { ...location, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64, numReplicas: 3, idleScaling: true };
    const state = (inputs: object) => stateOf({ inputs });
    const step = (name: string, before: object | undefined, after: object | undefined, type = "Service") =>
      stepOf(
        type,
        name,
        before === after ? "same" : !before ? "create" : after ? "update" : "delete",
        before && state(before),
        after && state(after),
      );
    const same = step("same", size, size);
    const UNSIZED = { name: "open" };
    const nowhere = { ...size, region: "us-west-2" };
    const unpriced = step("unpriced", nowhere, nowhere);
    const NO_PRICE = unanswered(
      "the cost of unpriced is not known (a price for aws/us-west-2), although it does not change",
    );

    test.each<[string, ResourceStep[], [condition: string, verdict: unknown][]]>([
      [
        "nothing changes",
        [same],
        [
          ["cost>+0", "passes"],
          ["cost>+0%", "passes"],
        ],
      ], // prettier-ignore
      [
        "a first service",
        [step("new", undefined, size)],
        [
          ["cost>+2803.19", "holds"],
          ["cost>+2803.2", "passes"],
          ["cost>+900%", "holds"],
        ],
      ],
      [
        "one of two grows by half",
        [same, step("grown", size, { ...size, maxReplicaMemoryGb: 96 })],
        [
          ["cost>+24%", "holds"],
          ["cost>+25%", "passes"],
          ["cost>+1401.59", "holds"],
          ["cost>+1401.6", "passes"],
        ],
      ],
      ["the minimum grows", [step("min", size, { ...size, minReplicaMemoryGb: 32 })], [["cost>+0", "passes"]]],
      ["a service shrinks", [step("less", size, { ...size, numReplicas: 2 })], [["cost>+0%", "passes"]]],
      ["a service goes, and runs on", [step("left", size, undefined)], [["cost>+0", "passes"]]],
      // Unknown growth may be any growth.
      ["a region without a price", [same, step("new", undefined, nowhere)], [["cost>+9000", "holds"]]],
      ["to a region without a price", [step("moved", size, nowhere)], [["cost>+900%", "holds"]]],
      ["from a region without a price", [step("moved", nowhere, size)], [["cost>+900%", "holds"]]],
      [
        "no limit",
        [step("new", undefined, { ...size, maxReplicaMemoryGb: undefined })],
        [
          ["cost>+9000", "holds"],
          ["cost>+900%", "holds"],
        ],
      ],
      ["a size not known yet", [step("x", size, { ...size, numReplicas: UNKNOWN })], [["cost>+9000", "holds"]]],
      ["a place not known yet", [step("x", size, { ...size, region: UNKNOWN })], [["cost>+9000", "holds"]]],
      [
        "a scaling of a service outside of the stack",
        [step("outside", { serviceId: "x", numReplicas: 1 }, { serviceId: "x", numReplicas: 2 }, "ServiceScaling")],
        [["cost>+9000", "holds"]],
      ],
      // A price that nobody knows cancels where nothing changes, but not in a percentage.
      [
        "beside an unchanged service without a price",
        [unpriced, step("grown", size, { ...size, maxReplicaMemoryGb: 96 })],
        [
          ["cost>+1401.6", "passes"],
          ["cost>+1401.59", "holds"],
          ["cost>+50%", "passes"],
          ["cost>+49%", NO_PRICE],
          ["cost>+0%", "holds"],
        ],
      ],
      [
        "an unchanged service of unknown size and place",
        [step("open", UNSIZED, UNSIZED)],
        [
          ["cost>+500000", "passes"],
          ["cost>+0%", "passes"],
          ["capacity>+50%", "passes"],
        ],
      ],
      [
        "an update that does not touch the unknown size",
        [step("open", UNSIZED, { ...UNSIZED, name: "other" })],
        [
          ["cost>+0", "passes"],
          ["capacity>+0%", "passes"],
        ],
      ],
      [
        "an update to a size not known yet",
        [step("open", UNSIZED, { ...UNSIZED, numReplicas: UNKNOWN })],
        [
          ["cost>+9000", "holds"],
          ["capacity>+50%", "holds"],
        ],
      ],
      [
        "numbers too large to compare",
        [step("huge", { ...size, maxReplicaMemoryGb: 1e308 }, { ...size, maxReplicaMemoryGb: 1e308, numReplicas: 9 })],
        [["cost>+0", "holds"]],
      ],
      [
        "nothing changes, beside an unchanged service without a price",
        [unpriced],
        [
          ["cost>+0", "passes"],
          ["cost>+0%", "passes"],
        ],
      ],
    ])("%s", (_, steps, expected) => {
      const verdicts = pricedVerdictsOn(previewOf(...steps), ...expected.map(([condition]) => condition));
      expect(verdicts).toEqual(expected.map(([, verdict]) => verdict));
    });

    test("cents are compared as such", () => {
      const odd = { ...prices, pricePerGbHour: { aws: { "us-east-1": 0.01 / 730 } } };
      const of = (gb: number) => ({ ...location, maxReplicaMemoryGb: gb, numReplicas: 1 });
      for (const [before, after, percent] of [
        [100, 210, 110],
        [57, 114, 100],
        [29, 58, 100],
      ] as const) {
        const preview = previewOf(step("x", of(before), of(after)));
        expect(verdictsOn(preview, `cost>+${percent}%`)).toEqual([unanswered("pass --prices")]);
        const analysis = analyze(preview, { masks: [], prices: odd });
        expect(verdictOn(analysis, `cost>+${percent}%`)).toBe("passes");
        expect(verdictOn(analysis, `cost>+${(after - before) / 100}`)).toBe("passes");
        expect(verdictOn(analysis, `cost>+${(after - before - 1) / 100}`)).toBe("holds");
      }
    });
  });

  test.each<[string, unknown]>([
    ["nothing", "passes"],
    ["update-service", "holds"],
    ["drift", "holds"],
    ["unprotected", "holds"],
    ["program-failed", "holds"],
  ])("%s, changes: %j", async (name, verdict) => {
    expect(verdictsOn(await recorded(name), "changes")).toEqual([verdict]);
  });

  test("unknown capacity may be any size", async () => {
    const preview = await recorded("update-service");
    const changes = preview.changes.map((change) => ({
      ...change,
      after: change.after && { ...change.after, inputs: { ...change.after.inputs, numReplicas: UNKNOWN } },
    }));
    expect(verdictsOn({ ...preview, changes }, "capacity>+500%", "unchecked")).toEqual(["holds", "holds"]);
  });
});
