import { UNKNOWN } from "../../../facts";
import { analyze } from "../../../report/analyze/analyze";
import { verdictOn } from "../../../report/analyze/gates";
import type { ResourceStep } from "../../../report/preview";
import {
  markdownOf,
  previewIn,
  previewOf,
  recorded,
  stepOf,
  textOf,
  verdictsOn,
} from "./support/preview";

/** `--fail-on`: a gate that cannot be decided does not pass. */

const unanswered = (reason: string) => ({ unanswered: expect.stringContaining(reason) });

describe("incomplete events", () => {
  const DELETE = "urn:pulumi:production::shop::clouddb:index:Pipe::orders";
  const step = (op: string) =>
    JSON.stringify({
      sequence: 1,
      resourcePreEvent: { metadata: { op, urn: DELETE, type: "clouddb:index:Pipe" } },
    });
  const begun = '{"sequence":0,"preludeEvent":{}}';
  const end = (changes: object) =>
    JSON.stringify({ sequence: 2, summaryEvent: { resourceChanges: changes } });
  const conditions = [
    "delete",
    "irreversible",
    "replace",
    "attention",
    "policy",
    "drift",
    "capacity>+5%",
    "failed",
  ];

  const cut = step("delete").slice(0, 60);
  const inTwoParts = step("delete").replace("metadata", "meta\nwarning: x\ndata");

  test.each<[string, string, object, string]>([
    [
      "a warning in front, as with 2>&1",
      `warning: old CLI${step("delete")}`,
      {},
      "1 line of the input is broken",
    ],
    ["an event that is cut", cut, {}, "1 line of the input is broken"],
    ["an event without its start", step("delete").slice(3), {}, "1 line of the input is broken"],
    ["an event in two parts", inTwoParts, {}, "2 lines of the input are broken"],
    [
      "fewer steps than the summary counts",
      "",
      { delete: 2 },
      "2 more to delete in the engine's summary",
    ],
  ])(
    "no condition passes or holds if events are missing or broken: %s",
    async (_, line, changes, says) => {
      const preview = await previewIn([begun, line, end(changes)].join("\n"));
      for (const condition of conditions)
        expect([condition, verdictOn(analyze(preview), condition)]).toEqual([
          condition,
          unanswered("missing or broken"),
        ]);
      const report = markdownOf(preview);
      expect(report).toContain(
        "❌ **Events of the preview are missing or broken**; this report is incomplete.",
      );
      expect(report).toContain("**no changes known · ❔ 1 not checked**");
      expect(report).toContain(says);
      expect(report).toContain("Run the preview again before applying.");
      expect(report).not.toMatch(/no (resource )?changes[:;.*]/);
    },
  );

  test("a condition holds despite broken events if other events meet it", async () => {
    const preview = await previewIn([begun, step("delete"), cut, end({ delete: 2 })].join("\n"));
    expect(verdictsOn(preview, "irreversible", "unchecked", "changes")).toEqual([
      "holds",
      "holds",
      "holds",
    ]);
  });
});

const GROWTH = "capacity grows from 192 GB to 480 GB (+150 %), analytics from 192 GB to 480 GB";
const holds = (reason: string) => ({ holds: expect.stringContaining(reason) });

test.each<[string, string, unknown]>([
  ["replace", "capacity>+50%", holds("capacity grows from 192 GB to ")],
  ["replace", "capacity>+150%", unanswered("the preview failed before it finished")],
  ["update-service", "capacity>+149%", { holds: GROWTH }],
  ["update-service", "capacity>+500%", "passes"],
  [
    "create",
    "capacity>+20%",
    { holds: "capacity grows from 0 GB to 192 GB, analytics from 0 GB to 192 GB" },
  ],
  ["renamed", "replace", { holds: "replaces reports" }],
  ["update-service", "replace", "passes"],
  ["update-service", "irreversible", { holds: "changes of analytics cannot be undone" }],
  ["update-service", "drift", unanswered("the preview did not check for drift")],
  ["drift", "drift", { holds: "changes outside of Pulumi of size" }],
  ["create", "drift", "passes"],
  ["update-service", "policy", unanswered("no policy pack ran")],
  ["settings-missing", "policy", unanswered("the preview failed before it finished")],
  ["policies-broken", "policy", holds("violations of no-open-access, one-owner-for-scaling")],
  ["policies-disabled", "policy", "passes"],
  ["policies-broken", "unchecked", holds("not checked: capacity of size: size not known yet")],
  ["retained", "attention", { holds: "needs attention: analytics" }],
  ["policies-disabled", "attention", holds("needs attention: pulumi-clouddb-policies")],
  ["update-service", "failed", "passes"],
  ["policies-broken", "failed", { holds: "the preview failed" }],
  ["settings-missing", "failed", { holds: "the preview failed" }],
  ["update-service", "never", "passes"],
  ["nothing", "changes", "passes"],
  ["unknown-chain", "changes", { holds: 'the report says more than "no changes"' }],
  ["drift", "changes", holds("no changes")],
  ["unprotected", "changes", holds("no changes")],
  ["program-failed", "changes", holds("no changes")],
])("the preview %s has the expected verdict on %s", async (name, condition, verdict) => {
  expect(verdictOn(analyze(await recorded(name)), condition)).toEqual(verdict);
});

test.each([
  ["mandatory", "can't run policy x: it was not read", "failed"],
  ["remediate", "No.", "failed"],
  ["advisory", "No.", "warned"],
  ["advisory", "can't run policy x during preview: y", "not checked"],
])(
  "a finding at the level %s, %j, has the result %s",
  async (enforcementLevel, message, result) => {
    const policyEvent = { message, policyName: "x", policyPackName: "p", enforcementLevel };
    const preview = await previewIn(textOf([{ preludeEvent: {} }, { policyEvent }]));
    expect(preview.policies).toMatchObject([{ result }]);
  },
);

test("an excepted violation is shown with id and reason, and no condition holds", async () => {
  const exceptions = [
    { id: "EXC-1", reason: "until the audit" },
    { id: "EXC-2", reason: "a second reason" },
  ];
  const policyEvent = {
    ...{ message: "No.\n  size is 64 GB", policyName: "x", policyPackName: "p" },
    ...{ enforcementLevel: "mandatory", exceptions },
  };
  const policyAnalyzeSummaryEvent = { policyPackName: "p", passed: [] };
  const summaryEvent = { resourceChanges: {} };
  const preview = await previewIn(
    textOf([
      { preludeEvent: {} },
      { policyEvent },
      { policyAnalyzeSummaryEvent },
      { summaryEvent },
      { cancelEvent: {} },
    ]),
  );
  const report = markdownOf(preview);
  expect(report).toContain("<code>x</code> excepted:");
  expect(report).toContain("EXC-1 (until the audit), EXC-2 (a second reason): size is 64 GB");
  expect(report).toContain("To apply: <code>pulumi up");
  expect(verdictsOn(preview, "policy", "failed", "changes")).toEqual([
    "passes",
    "passes",
    "passes",
  ]);
});

const size = { maxReplicaMemoryGb: 64, numReplicas: 3 };
function step(
  name: string,
  before: object | undefined,
  after: object | undefined,
  type = "Service",
): ResourceStep {
  const operation = before === after ? "same" : !before ? "create" : after ? "update" : "delete";
  return stepOf(type, name, operation, before && { inputs: before }, after && { inputs: after });
}
const UNSIZED = { name: "open" };
const open = step("open", UNSIZED, UNSIZED);
const grown = step("grown", size, { ...size, maxReplicaMemoryGb: 96 });
const UNCHANGED = unanswered("the size of open is not known, although it does not change");

const of = (gb: number) => ({ maxReplicaMemoryGb: gb, numReplicas: 1 });

test.each<[string, ResourceStep[], Record<string, unknown>]>([
  ["nothing changes", [step("same", size, size)], { "capacity>+0%": "passes" }],
  ["a first service", [step("new", undefined, size)], { "capacity>+900%": "holds" }],
  [
    "one of two grows by half",
    [step("same", size, size), grown],
    { "capacity>+24%": "holds", "capacity>+25%": "passes" },
  ],
  [
    "a service shrinks",
    [step("less", size, { ...size, numReplicas: 2 })],
    { "capacity>+0%": "passes" },
  ],
  ["a service goes, and runs on", [step("left", size, undefined)], { "capacity>+0%": "passes" }],
  // Unknown growth may be any growth.
  [
    "no limit",
    [step("new", undefined, { ...size, maxReplicaMemoryGb: undefined })],
    { "capacity>+900%": "holds" },
  ],
  [
    "a scaling of a service outside of the stack",
    [
      step(
        "outside",
        { serviceId: "x", numReplicas: 1 },
        { serviceId: "x", numReplicas: 2 },
        "ServiceScaling",
      ),
    ],
    { "capacity>+900%": "holds" },
  ],
  // An unknown size cancels where nothing changes, but not in a percentage.
  [
    "growth beside an unchanged service of unknown size",
    [open, grown],
    { "capacity>+50%": "passes", "capacity>+49%": UNCHANGED, "capacity>+0%": "holds" },
  ],
  ["an unchanged service of unknown size", [open], { "capacity>+0%": "passes" }],
  [
    "an update that does not touch the unknown size",
    [step("open", UNSIZED, { ...UNSIZED, name: "other" })],
    { "capacity>+0%": "passes" },
  ],
  [
    "an update to a size not known yet",
    [step("open", UNSIZED, { ...UNSIZED, numReplicas: UNKNOWN })],
    { "capacity>+50%": "holds" },
  ],
  [
    "numbers too large to compare",
    [step("huge", of(1e308), { ...of(1e308), numReplicas: 9 })],
    { "capacity>+0%": "holds" },
  ],
  [
    "a percentage with decimals",
    [step("x", of(448), of(480))],
    { "capacity>+7.14%": "holds", "capacity>+7.15%": "passes" },
  ],
  ["a percentage without", [step("x", of(100), of(210))], { "capacity>+110%": "passes" }],
])("conditions on growing capacity compare known sizes: %s", (_, steps, expected) => {
  const conditions = Object.keys(expected);
  expect(verdictsOn(previewOf(...steps), ...conditions)).toEqual(Object.values(expected));
});

test("an unknown capacity exceeds any limit", () => {
  const analysis = analyze(previewOf(step("analytics", size, { ...size, numReplicas: UNKNOWN })));
  expect(verdictOn(analysis, "capacity>+500%")).toEqual({
    holds: "the size of analytics is not known",
  });
  expect(verdictOn(analysis, "unchecked")).toEqual(holds("capacity of analytics"));
});
