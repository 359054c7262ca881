import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { version as sdkVersion } from "@pulumi/pulumi/package.json";
import type { Operation } from "../../../report/json-report";
import type { Preview } from "../../../report/preview";
import { readPreviews } from "../../../report/read/input";
import { markdownOf } from "./support/preview";

/**
 * The report over the event streams that the engine's own tests have recorded, previews and updates
 * alike.
 */

const MODULE = "github.com/pulumi/pulumi/pkg/v3";
const version = `v${sdkVersion}`;
const GET = `go mod download ${MODULE}@${version}`;
const cache = spawnSync("go", ["env", "GOMODCACHE"], { encoding: "utf8" }).stdout?.trim() ?? "";
const folder = join(cache, `${MODULE}@${version}`, "engine/lifecycletest/testdata/output");
const names = existsSync(folder) ? readdirSync(folder, { encoding: "utf8", recursive: true }) : [];
const streams = names.filter((name) => name.endsWith("eventstream.json"));
const testStreams = streams.length > 0 ? test : test.skip;

type Counts = Readonly<Record<string, number>>;

interface RawEvent {
  readonly resOutputsEvent?: {
    readonly metadata: { readonly op: string; readonly logical?: boolean };
  };
  readonly diagnosticEvent?: { readonly severity: string };
  readonly summaryEvent?: { readonly resourceChanges: Counts };
}

/** Facts about a stream by the engine's own events. */
function truthOf(file: string) {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as RawEvent);
  const { same: _, ...counts } =
    events.find(({ summaryEvent }) => summaryEvent)?.summaryEvent?.resourceChanges ?? {};
  return {
    counts: counts as Counts,
    /** True for `pulumi refresh`, whose summary counts changes outside of Pulumi. */
    isRefresh: events.some(({ resOutputsEvent: { metadata } = {} }) => {
      return metadata && !metadata.logical && ["same", "update", "delete"].includes(metadata.op);
    }),
    hasFailed: events.some(({ diagnosticEvent }) => diagnosticEvent?.severity === "error"),
  };
}

const ENGINE_WORDS: Partial<Record<Operation, string>> = { adopt: "create", forget: "delete" };

function countsOf({ stackOperation, changes, drift }: Preview, isRefresh: boolean): Counts {
  const steps = [...changes, ...(isRefresh ? drift : [])].map(({ operation }) => operation);
  const counts: Record<string, number> = {};
  for (const operation of [stackOperation, ...steps]) {
    const word = ENGINE_WORDS[operation] ?? operation;
    if (word !== "same") counts[word] = (counts[word] ?? 0) + 1;
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

testStreams(
  `the counts are the engine's own, in each stream that its tests have recorded (${GET})`,
  async () => {
    const wrong: object[] = [];
    for (const stream of streams) {
      const [name, file] = [dirname(stream), join(folder, stream)];
      const { isRefresh, hasFailed, ...truth } = truthOf(file);
      const counts = LEFT_OVER[name] ?? truth.counts;
      const previews = await readPreviews(createReadStream(file), name);
      const reported = previews[0] ? countsOf(previews[0], isRefresh) : {};
      const saysNothing = previews.some((preview) =>
        markdownOf(preview).includes("**: no changes."),
      );
      const hasChanges = Object.keys(counts).length > 0 || hasFailed;
      if (
        previews.length !== 1 ||
        !isTrue(reported, counts, hasFailed) ||
        (saysNothing && hasChanges)
      )
        wrong.push({ name, reported, counts, previews: previews.length, saysNothing });
    }
    expect(wrong).toEqual([]);
  },
);
