import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import type { Operation } from "../../../report/json-report";
import type { Preview } from "../../../report/preview";
import { readPreviews } from "../../../report/read/input";
import type { RawState } from "../../../report/read/schema";
import { markdownOf } from "./support/preview";

/** The report over the event streams that the engine's own tests have recorded, previews and updates alike. */

const MODULE = "github.com/pulumi/pulumi/pkg/v3";
const version = `v${sdkVersion}`;
const GET = `go mod download ${MODULE}@${version}`;
const cache = spawnSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).stdout?.trim() ?? "";
const folder = join(cache, `${MODULE}@${version}`, "engine/lifecycletest/testdata/output");
const streams = existsSync(folder) ? filesIn(folder) : [];
const testStreams = streams.length > 0 ? test : test.skip;

function filesIn(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.name === "eventstream.json" ? [join(entry.parentPath, entry.name)] : [],
  );
}

type Counts = Readonly<Record<string, number>>;

/** The facts about a stream by the engine's own counts. */
interface Truth {
  readonly counts: Counts | undefined;
  /** True for `pulumi refresh`, whose summary counts changes outside of Pulumi. */
  readonly isRefresh: boolean;
  readonly hasFailed: boolean;
  readonly hasOtherOptions: boolean;
}

interface RawMetadata {
  readonly op: string;
  readonly type: string;
  readonly logical?: boolean;
  readonly old?: RawState | null;
  readonly new?: RawState | null;
}

interface RawEvent {
  readonly resOutputsEvent?: { readonly metadata: RawMetadata };
  readonly diagnosticEvent?: { readonly severity: string };
  readonly summaryEvent?: { readonly resourceChanges: Counts };
}

function truthOf(file: string): Truth {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as RawEvent);
  return {
    counts: events.find(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges,
    isRefresh: events.some(({ resOutputsEvent: { metadata } = {} }) => {
      return metadata && !metadata.logical && ["same", "update", "delete"].includes(metadata.op);
    }),
    hasOtherOptions: events.some(
      ({ resOutputsEvent: { metadata } = {} }) => metadata?.logical && hasOtherOptions(metadata),
    ),
    hasFailed: events.some(({ diagnosticEvent }) => diagnosticEvent?.severity === "error"),
  };
}

const ENGINE_WORDS: Partial<Record<Operation, string>> = { adopt: "create", forget: "delete" };
const inEnginesWords = (operation: Operation) => ENGINE_WORDS[operation] ?? operation;

function countsOf({ stackOperation, changes, drift }: Preview, isRefresh: boolean): Counts {
  const all = [...changes, ...(isRefresh ? drift : [])].map(({ operation }) => operation);
  const counts: Record<string, number> = {};
  for (const operation of [stackOperation, ...all].map(inEnginesWords)) {
    if (operation !== "same") counts[operation] = (counts[operation] ?? 0) + 1;
  }
  return counts;
}

/** Deletions that an earlier update left pending, which the engine does not count. */
const LEFT_OVER: Readonly<Record<string, Counts>> = {
  "TestPendingDeleteOrder/2": { replace: 1, delete: 1 },
  "TestUntargetedSameStepsAcceptDeletedResources/2": { delete: 1 },
};

/** After a failure, the report also counts steps that were not executed; the engine does not. */
function isTrue(reported: Counts, counts: Counts, hasFailed: boolean): boolean {
  if (!hasFailed) return isDeepStrictEqual(reported, counts);
  return Object.entries(counts).every(([operation, count]) => (reported[operation] ?? 0) >= count);
}

testStreams(`the counts are the engine's own, in each stream that its tests have recorded (${GET})`, async () => {
  const wrong: object[] = [];
  for (const file of streams) {
    const name = relative(folder, dirname(file));
    const { counts: { same: _, ...others } = {}, isRefresh, hasFailed, ...truth } = truthOf(file);
    const counts = LEFT_OVER[name] ?? others;
    const previews = await readPreviews(createReadStream(file), name);
    const [preview] = previews;
    const reported = preview ? countsOf(preview, isRefresh) : {};
    const report = previews.map((preview) => markdownOf(preview)).join("");
    const saysNothing = report.includes("**: no changes.");
    const isRight =
      previews.length === 1 &&
      isTrue(reported, counts, hasFailed) &&
      saysNothing === (Object.keys(counts).length === 0 && !hasFindings(preview as Preview, truth.hasOtherOptions));
    if (!isRight) wrong.push({ name, reported, counts, previews: previews.length, saysNothing });
  }
  expect(wrong).toEqual([]);
});

/** The parts of a report other than its counts. */
function hasFindings({ outcome, drift, policies, packs }: Preview, hasOtherOptions: boolean): boolean {
  if (packs.length > 0 && policies.length === 0) return true;
  const isPresent = policies.some(({ result }) => result !== "passed");
  return outcome !== "succeeded" || drift.length > 0 || isPresent || hasOtherOptions;
}

/** Protection, retention, a provider or outputs of the stack differ, which the engine does not count. */
function hasOtherOptions({ old, new: now, type }: RawMetadata): boolean {
  if (!old || !now || old.delete) return false;
  const providers = [old, now].map(({ provider = "" }) => provider.split("::").slice(2, 4).join());
  return (
    Boolean(old.protect) !== Boolean(now.protect) ||
    Boolean(old.retainOnDelete) !== Boolean(now.retainOnDelete) ||
    (providers.every((provider) => provider !== "") &&
      providers[0]?.split("$").at(-1) !== providers[1]?.split("$").at(-1)) ||
    (type === "pulumi:pulumi:Stack" && !isDeepStrictEqual(old.outputs ?? {}, now.outputs ?? {}))
  );
}
