import { join } from "node:path";
import { EXEMPTIONS_DESCRIPTION } from "../../../facts/exemptions";
import { type AnalysisOptions, analyze } from "../../../report/analyze/analyze";
import type { Preview } from "../../../report/preview";
import { hashOf } from "../../../report/render/hash";
import { temporaryFolder } from "../../support/temporary-folder";
import { runCli } from "./support/cli";
import { previewOf, recorded, recording, recordingNames, stateOf, stepOf } from "./support/preview";

/** Equal previews have equal hashes, and what a reviewer decides about changes them. */

const hash = (previews: readonly Preview[], options: Partial<AnalysisOptions> = {}) =>
  hashOf(previews.map((preview) => analyze(preview, { masks: [], ...options })));

const create = (name: string, inputs: object) => stepOf("Service", name, "create", undefined, stateOf({ inputs }));
const result = (more: Partial<Preview["policies"][number]> = {}) =>
  ({ policy: "p", pack: "ours", result: "warned", urn: "", message: "Is so.\nis not so", ...more }) as const;
/** The engine's marker. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const base: Preview = {
  ...previewOf(create("a", { size: 1 }), create("b", { size: 2, list: ["x", "y"], id: UNKNOWN })),
  policies: [result(), result({ policy: "q", result: "passed", message: "" })],
};

test("order, positions, dependencies, versions and warnings of the engine do not count", () => {
  const [one, other] = base.changes;
  const moved: Preview = {
    ...base,
    changes: [other, one].flatMap((step) =>
      step ? [{ ...step, dependencies: [step.urn], sources: { id: [step.urn] } }] : [],
    ),
    policies: [...base.policies].reverse(),
    positions: new Map([[one?.urn ?? "", "project:///index.ts#1"]]),
    diagnostics: [{ severity: "warning", urn: "", message: "a new version of Pulumi is available" }],
  };
  expect(hash([moved])).toBe(hash([base]));
  const prod = { ...base, stack: "prod" };
  expect(hash([base, prod])).toBe(hash([prod, base]));
});

test.each<[string, Preview]>([
  ["a value", { ...base, changes: [create("a", { size: 2 }), create("b", { size: 2, list: ["x", "y"] })] }],
  ["the order of a list", { ...base, changes: [create("a", { size: 1 }), create("b", { size: 2, list: ["y", "x"] })] }],
  ["an operation", { ...base, changes: base.changes.map((step) => ({ ...step, operation: "import" })) }],
  ["one change fewer", { ...base, changes: base.changes.slice(1) }],
  ["drift", { ...base, drift: [stepOf("Service", "c", "update", stateOf({ outputs: { a: 1 } }), stateOf({}))] }],
  ["a policy that does not run", { ...base, policies: [result()] }],
  [
    "a policy's message",
    { ...base, policies: [result({ message: "Is so.\nmore than 7" }), ...base.policies.slice(1)] },
  ],
  ["a policy's result", { ...base, policies: [result({ result: "failed" }), ...base.policies.slice(1)] }],
  ["an output", { ...base, outputs: { before: {}, after: { url: "x" } } }],
  ["the stack", { ...base, stack: "prod" }],
  ["the outcome", { ...base, outcome: "cut off" }],
  ["what is not covered", { ...base, notCovered: ["outputs"] }],
  ["what is not checked", { ...base, summary: { create: 2, delete: 5 } }],
])("%s counts", (_, changed) => {
  expect(hash([changed])).not.toBe(hash([base]));
});

test("weaker policies and new exemptions count, but not the days that an exemption has left", () => {
  const list = [{ policy: "no-open-access", resource: "a", reason: "VPN", until: "2099-01-01" }];
  const settings = { exemptions: { list } };
  const all = [
    { after: settings, before: settings },
    { after: settings, before: {} },
    { after: { all: "disabled" }, before: {} },
  ];
  expect(new Set(all.map((files) => hash([base], { settings: files }))).size).toBe(3);

  const soon = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const ending = { exemptions: { list: [{ ...list[0], until: soon }] } };
  expect(hash([base], { settings: { after: ending, before: ending } })).toBe(
    hash([base], { settings: { after: settings, before: settings } }),
  );
  const exempted = (end: string) =>
    hash([
      {
        ...base,
        policies: [
          result({
            policy: "exemptions",
            message: `${EXEMPTIONS_DESCRIPTION}\nexempted from p until 2026-01-09 (VPN): open${end}`,
          }),
        ],
      },
    ]);
  expect(exempted(" The exemption ends in 9 days.")).toBe(exempted(""));
});

test.each(["import", "read", "replace"] as const)("%s: the object counts", (operation) => {
  const of = (id: string) => hash([previewOf(stepOf("Service", "a", operation, undefined, stateOf({ id })))]);
  expect(of("id-a")).not.toBe(of("id-b"));
});

test("the ids of objects that a preview only updates do not count", () => {
  const of = (id: string) => hash([previewOf(stepOf("Service", "a", "update", stateOf({ id }), stateOf({ id })))]);
  expect(of("id-a")).toBe(of("id-b"));
});

test("a new exemption counts, whatever its reason says", () => {
  const list = [{ policy: "no-open-access", resource: "a", reason: "partner; it ends today", until: "2099-01-01" }];
  expect(hash([base], { settings: { before: {}, after: { exemptions: { list } } } })).not.toBe(
    hash([base], { settings: { before: {}, after: {} } }),
  );
});

test("services whose cost or size is not known count in any order", () => {
  const open = { provider: "aws", region: "us-east-1", numReplicas: UNKNOWN, maxReplicaMemoryGb: 8 };
  const [one, other] = [create("a", open), create("b", open)];
  expect(hash([previewOf(one, other)])).toBe(hash([previewOf(other, one)]));
});

test("--hash prints none for a preview that did not finish", async () => {
  const output = join(temporaryFolder("hash"), "report.md");
  const run = await runCli({ args: ["--hash", "--output", output], input: recording("program-failed") });
  expect(run).toEqual({
    status: 1,
    stdout: "",
    stderr: "clouddb-report: --hash prints nothing: the preview failed before it finished.\n",
  });
});

test("secrets do not enter it, but that one changes does", () => {
  const before = stateOf({ inputs: { encryptionKey: "old", size: 1 } });
  const withKey = (encryptionKey: string) =>
    hash([previewOf(stepOf("Service", "a", "update", before, stateOf({ inputs: { encryptionKey, size: 2 } })))]);
  expect(withKey("new")).toBe(withKey("newer"));
  expect(withKey("new")).not.toBe(withKey("old"));
  const masked = (size: string) => hash([previewOf(create("a", { size }))], { masks: [/hush-\d/g] });
  expect(masked("hush-1")).toBe(masked("hush-2"));
});

test("each recorded preview that succeeded has a hash of its own", async () => {
  const previews = await Promise.all(recordingNames.map(recorded));
  const hashes = previews.filter(({ outcome }) => outcome === "succeeded").map((preview) => hash([preview]));
  expect(new Set(hashes).size).toBe(hashes.length);
});

test("--hash prints it on a line of its own, whatever the commit, the run and the format", async () => {
  const output = join(temporaryFolder("hash"), "report.md");
  const input = recording("update-service");
  const first = await runCli({ args: ["--hash", "--output", output], input });
  expect(first).toEqual({ status: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/), stderr: "" });
  const later = input.replaceAll(/"timestamp":\d+/g, '"timestamp":1').replaceAll(/"sequence":\d+/g, '"sequence":0');
  const args = [
    "--hash",
    "--output",
    output,
    "--commit",
    "abc",
    "--run-url",
    "https://ci.example/2",
    "--format",
    "json",
  ];
  expect(await runCli({ args, input: later })).toEqual(first);
  expect(await runCli({ args: ["--hash"], input })).toEqual({
    status: 1,
    stdout: "",
    stderr: "clouddb-report: --hash requires --output, because both would go to standard output\n",
  });
});
