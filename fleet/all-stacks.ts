import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { type Analysis, escapeMarkdown, fitLines, markerOf, render } from "clouddb-report";
import { findStacks, type Operate, openProject, reasonOf, runStack, type StackRun } from "./stacks";
import { type WatchedAlert, watchAlert } from "./watch-alert";

/** The maximum size of a GitHub comment, and the part for the list of stacks. */
const MOST_BYTES = 65_000;
const LIST_BYTES = 30_000;

interface Options {
  readonly concurrency: number;
  readonly stacks?: string | undefined;
  readonly canary?: string | undefined;
  readonly report?: string | undefined;
  readonly alert?: WatchedAlert | undefined;
}

/** An operation on all stacks. */
export interface Task {
  readonly title: "Preview" | "Roll-out" | "Drift";
  readonly operate: Operate;
  /** The result for a successful stack. Details follow a comma. */
  readonly resultOf: (analysis: Analysis) => string;
  /** True if a successful stack needs a section in the report. Failed stacks always have one. */
  readonly isReported: (analysis: Analysis) => boolean;
  /** True if sections contain the command that applies the changes, as in previews. */
  readonly isPreview?: boolean;
  /** True if a failure prevents the start of further stacks. */
  readonly stopsAtFailure?: boolean;
}

/** Runs an operation on all stacks, prints a line for each, and writes one report. */
export async function operateOnAll(options: Options, task: Task): Promise<Analysis[]> {
  const stop = abortedBySignals();
  const { place, names, canary, watch } = await findAll(options, task, stop);
  const runs = new Map<string, StackRun>();
  const start = async (stack: string) => {
    console.log(`${stack}: started`);
    const run = await runStack({ project: place.project, stack }, task.operate, stop);
    runs.set(stack, run);
    console.log([`${stack}: ${resultOf(task, run)}`, ...run.reasons].join("\n  "));
  };
  const hasFailures = () => [...runs.values()].some(({ outcome }) => outcome !== "succeeded");
  let alarm = await watch?.(0);
  const mayStart = () =>
    !stop.aborted && alarm === undefined && !(task.stopsAtFailure && hasFailures());
  if (canary !== undefined && mayStart()) await start(canary);
  if (options.alert !== undefined && mayStart()) {
    const { id, forMs } = options.alert;
    console.log(`Watching the alert ${id} for ${forMs / 1000} s.`);
    alarm = await watch?.(forMs);
  }
  const waiting = names.filter((name) => name !== canary);
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined && mayStart(); name = waiting.shift())
      await start(name);
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));

  const results = names.map((name) => resultOf(task, runs.get(name)));
  const lines = names.map((name, index) => `${name}: ${results[index]}`);
  for (const [index, name] of names.entries()) if (!runs.has(name)) console.log(lines[index]);
  const summary = [summaryOf(results), alarm ?? []].flat().join("\n");
  console.log(summary);
  const list = fitLines(
    { lines: lines.map((line) => `- ${escapeMarkdown(line)}`) },
    LIST_BYTES,
  ).join("\n");
  writeReport(options, task, place, `${escapeMarkdown(summary)}\n\n${list}`, [...runs.values()]);
  if (stop.aborted || hasFailures() || alarm !== undefined || runs.size < names.length) {
    if (task.stopsAtFailure && alarm === undefined)
      console.log(
        "To go on, run the same command again: a stack that is up to date takes no requests.",
      );
    process.exitCode = stop.aborted ? 130 : alarm === undefined ? 1 : 3;
  }
  return [...runs.values()].map(({ analysis }) => analysis);
}

type Place = Readonly<Record<"organization" | "project", string>>;

/** Finds the stacks and opens the watched alert. A failure is reported. */
async function findAll(options: Options, task: Task, stop: AbortSignal) {
  const reportFailure = (place: Place) => (error: Error) => {
    writeReport(options, task, place, `❌ ${escapeMarkdown(error.message)}`, []);
    throw error;
  };
  const folder = { organization: "", project: basename(process.cwd()) };
  const opened = await openProject().catch(reportFailure(folder));
  const { project } = opened;
  const selection = await findStacks(opened, options).catch(reportFailure({ ...folder, project }));
  const place = { organization: selection.organization, project };
  const watch = options.alert && (await openWatch(options.alert, stop).catch(reportFailure(place)));
  return { ...selection, place, watch };
}

/** Loads the provider's client only to watch an alert. */
async function openWatch(alert: WatchedAlert, stop: AbortSignal) {
  const { openAlert } = await import("pulumi-clouddb/alerts");
  const log = (line: string) => console.log(reasonOf(line));
  const read = openAlert(alert.id, { cancellation: stop });
  const watch = watchAlert(alert, stop, { read, log });
  return async (ms: number) => {
    const alarm = await watch(ms);
    return alarm && reasonOf(alarm);
  };
}

function resultOf(task: Task, run: StackRun | undefined): string {
  if (run === undefined) return "not started";
  return run.outcome === "succeeded" ? task.resultOf(run.analysis) : run.outcome;
}

/** A summary such as `3 stacks: 2 updated, 1 failed.` Details after a comma are dropped. */
function summaryOf(results: readonly string[]): string {
  const counts: Record<string, number> = {};
  for (const [result = ""] of results.map((text) => text.split(", ")))
    counts[result] = (counts[result] ?? 0) + 1;
  const counted = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  return `${results.length} ${results.length === 1 ? "stack" : "stacks"}: ${counted.join(", ")}.`;
}

function writeReport(
  { report }: Options,
  { title, isReported, isPreview = false }: Task,
  { organization, project }: Place,
  text: string,
  runs: readonly StackRun[],
): void {
  if (report === undefined) return;
  // A marker that no single stack can have.
  const marker = markerOf({ organization, project, stack: `/${title.toLowerCase()}` });
  const place = escapeMarkdown(`${organization && `${organization}/`}${project}`);
  const reported = runs
    .filter(
      ({ outcome, analysis }) =>
        outcome === "failed" || (outcome === "succeeded" && isReported(analysis)),
    )
    .map(({ analysis }) => analysis);
  const note =
    isPreview || reported.length === 0 ? "" : "\n\nThe sections below use the words of a preview.";
  const top = `${marker}\n\n## ${title} of ${place}\n\n${text}${note}\n`;
  const maxBytes = MOST_BYTES - Buffer.byteLength(top);
  const sections =
    reported.length === 0 ? "" : `\n${render(reported, "markdown", { maxBytes, isPreview })}`;
  writeFileSync(report, top + sections);
}

/** A terminal also sends Ctrl-C to each `pulumi`. A second signal would leave its stack locked. */
function abortedBySignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => stop.abort());
  stop.signal.addEventListener("abort", () => console.log("Stopping: no more stacks are started."));
  return stop.signal;
}
