import { analyze } from "clouddb-report";
import { type Outcome, runOperation } from "../operation";
import { integer, type RollOutOptions } from "../options";
import { runQueue } from "../queue";
import { reportFailure, writeReport } from "../report";
import { findStacks, openStack, projectName } from "../stacks";
import { changesText, durationText, firstSentence, type Row, stacksText, textTable } from "../table";

const HEAD: Row = ["stack", "result", "changes", "duration"];

/** Returns the exit code. */
export function rollOut(values: RollOutOptions, stop: AbortSignal): Promise<number> {
  const { preview: isPreview = false, report: file } = values;
  const about = { file, kind: "roll-out", title: isPreview ? "Preview of" : "Roll-out of", isPreview };
  return reportFailure(about, () => updateStacks(checkOptions(values), stop));
}

async function updateStacks(options: Options, stop: AbortSignal): Promise<number> {
  const { canary, isPreview, report } = options;
  const folder = process.cwd();
  const stacks = await findStacks(folder, options.stacks);
  const project = await projectName(folder);
  if (canary !== undefined && !stacks.includes(canary))
    throw new Error(`--canary: unknown stack ${JSON.stringify(canary)}`);
  const outcomes = await updateAll({ ...options, folder, project, stacks, stop });

  const rows = stacks.map((name) => rowOf(name, outcomes.get(name), isPreview));
  const summary = summaryOf(stacks.length, outcomes, isPreview);
  console.log(`\n${textTable(HEAD, rows)}`);
  for (const [name, { reason }] of outcomes) if (reason !== "") console.log(`${name}: ${reason}\n`);
  console.log(summary);
  if (report !== undefined) {
    const started = stacks.flatMap((name) => outcomes.get(name) ?? []);
    const analyses = started.map(({ preview }) => analyze(preview));
    const title = `${isPreview ? "Preview" : "Roll-out"} of ${project}`;
    writeReport(report, { project, kind: "roll-out", title, summary, head: HEAD, rows, analyses, isPreview });
  }
  const succeeded = [...outcomes.values()].filter(({ result }) => result === "succeeded");
  const isComplete = succeeded.length === stacks.length;
  if (!isComplete && !isPreview) console.log(AGAIN);
  return stop.aborted ? 130 : isComplete ? 0 : 1;
}

const AGAIN = "To go on, run the same command again: it sends no requests for stacks that are up to date.";

interface RollOut extends Omit<Options, "stacks"> {
  readonly folder: string;
  readonly project: string;
  readonly stacks: readonly string[];
  readonly stop: AbortSignal;
}

/** The canary, and then the others. Returns the outcome of each stack that was started. */
async function updateAll(options: RollOut): Promise<Map<string, Outcome>> {
  const { folder, project, stacks, canary, isPreview, policies, stop } = options;
  const outcomes = new Map<string, Outcome>();
  let hasFailed = false;
  const onStop = () => console.log("Stopping: no more stacks are started.");
  stop.addEventListener("abort", onStop, { once: true });

  const run = async (name: string) => {
    console.log(`${name}: started`);
    const outcome = await runOperation({ project, name, stop }, async (operation) => {
      const stack = await openStack(folder, name);
      stop.throwIfAborted();
      await (isPreview ? stack.preview({ ...operation, ...policies }) : stack.up({ ...operation, ...policies }));
    });
    outcomes.set(name, outcome);
    if (outcome.result === "failed") hasFailed = true;
    console.log(`${name}: ${lineOf(outcome, isPreview)}`);
  };

  if (canary !== undefined) await run(canary);
  const isCanaryDone = canary === undefined || outcomes.get(canary)?.result === "succeeded";
  const others = stacks.filter((name) => name !== canary);
  const mayStart = () => !stop.aborted && !(hasFailed && options.stopsAtFailure);
  if (isCanaryDone || isPreview) await runQueue(others, options.concurrency, mayStart, run);
  return outcomes;
}

function resultOf({ result, changes }: Outcome, isPreview: boolean): string {
  if (result !== "succeeded") return result;
  if (Object.keys(changes).length === 0) return "unchanged";
  return isPreview ? "to update" : "updated";
}

function lineOf(outcome: Outcome, isPreview: boolean): string {
  const { changes, seconds, reason } = outcome;
  const parts = [resultOf(outcome, isPreview), changesText(changes, isPreview)].filter((part) => part !== "");
  return `${parts.join(", ")} (${durationText(seconds)})${reason === "" ? "" : `: ${firstSentence(reason)}`}`;
}

function rowOf(name: string, outcome: Outcome | undefined, isPreview: boolean): Row {
  if (outcome === undefined) return [name, "not started", "", ""];
  return [name, resultOf(outcome, isPreview), changesText(outcome.changes, isPreview), durationText(outcome.seconds)];
}

function summaryOf(total: number, outcomes: ReadonlyMap<string, Outcome>, isPreview: boolean): string {
  const counts = new Map<string, number>();
  const count = (what: string, by = 1) => by > 0 && counts.set(what, (counts.get(what) ?? 0) + by);
  for (const outcome of outcomes.values()) count(resultOf(outcome, isPreview));
  count("not started", total - outcomes.size);
  return `${stacksText(total)}: ${[...counts].map(([what, number]) => `${number} ${what}`).join(", ")}.`;
}

type Options = ReturnType<typeof checkOptions>;

function checkOptions(values: RollOutOptions) {
  const { stacks, canary, report, policies, policyConfig: config, onFailure, preview: isPreview = false } = values;
  if (onFailure !== "stop" && onFailure !== "continue") {
    throw new Error(`--on-failure must be stop or continue; got ${JSON.stringify(onFailure)}`);
  }
  if (config !== undefined && policies === undefined) throw new Error("--policy-config requires --policies");
  return {
    stacks,
    canary,
    report,
    concurrency: integer("--concurrency", values.concurrency),
    stopsAtFailure: onFailure === "stop" && !isPreview,
    isPreview,
    policies: { ...(policies && { policyPacks: [policies] }), ...(config && { policyPackConfigs: [config] }) },
  };
}
