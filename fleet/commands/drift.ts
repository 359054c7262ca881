import { type Analysis, analyze } from "clouddb-report";
import { type Outcome, runOperation } from "../operation";
import { type DriftOptions, integer } from "../options";
import { runQueue } from "../queue";
import { reportFailure, writeReport } from "../report";
import { findStacks, openStack, projectName } from "../stacks";
import { durationText, firstSentence, type Row, stacksText, textTable } from "../table";

interface Check {
  readonly outcome: Outcome;
  readonly analysis: Analysis;
}

const HEAD: Row = ["stack", "result", "drift", "duration"];

/** Returns the exit code. */
export function checkDrift(options: DriftOptions, stop: AbortSignal): Promise<number> {
  const about = { file: options.report, kind: "drift", title: "Drift of", isPreview: false };
  return reportFailure(about, () => checkAll(options, stop));
}

async function checkAll(options: DriftOptions, stop: AbortSignal): Promise<number> {
  const concurrency = integer("--concurrency", options.concurrency);
  const folder = process.cwd();
  const stacks = await findStacks(folder, options.stacks);
  const project = await projectName(folder);
  const checks = new Map<string, Check>();
  const onStop = () => console.log("Stopping: no more stacks are checked.");
  stop.addEventListener("abort", onStop, { once: true });

  await runQueue(
    stacks,
    concurrency,
    () => !stop.aborted,
    async (name) => {
      console.log(`${name}: started`);
      const outcome = await runOperation({ project, name, stop }, async (operation) => {
        const stack = await openStack(folder, name);
        stop.throwIfAborted();
        await (options.store ? stack.refresh(operation) : stack.previewRefresh(operation));
      });
      const check = { outcome, analysis: analyze(outcome.preview) };
      checks.set(name, check);
      console.log(`${name}: ${lineOf(check)}`);
    },
  );

  const rows = stacks.map((name) => rowOf(name, checks.get(name)));
  const failed = [...checks].filter(([, { outcome }]) => outcome.result === "failed");
  const drifted = [...checks.values()].filter(hasDrift);
  const unchecked = stacks.filter((name) => isUnchecked(checks.get(name)));
  const summary = `${stacksText(stacks.length)}: ${drifted.length} with drift, ${failed.length} failed, ${unchecked.length} not checked.`;
  console.log(`\n${textTable(HEAD, rows)}`);
  for (const [name, { outcome }] of failed) console.log(`${name}: ${outcome.reason}\n`);
  console.log(summary);
  if (options.report !== undefined) {
    const reported = [...checks.values()].filter((check) => check.outcome.result === "failed" || hasDrift(check));
    writeReport(options.report, {
      project,
      kind: "drift",
      title: `Drift of ${project}`,
      summary,
      head: HEAD,
      rows,
      analyses: reported.map(({ analysis }) => analysis),
      isPreview: false,
    });
  }
  if (stop.aborted) return 130;
  if (drifted.length > 0) return 2;
  return failed.length > 0 ? 1 : 0;
}

function isUnchecked(check: Check | undefined): boolean {
  return check === undefined || check.outcome.result === "canceled";
}

function hasDrift({ analysis }: Check): boolean {
  return analysis.drift.length > 0;
}

function resultOf(check: Check | undefined): string {
  if (check === undefined) return "not checked";
  if (check.outcome.result !== "succeeded") return check.outcome.result;
  return hasDrift(check) ? "drift" : "no drift";
}

function namesIn({ drift }: Analysis): string {
  return drift.map(({ name }) => name).join(", ");
}

function lineOf(check: Check): string {
  const { outcome, analysis } = check;
  const names = hasDrift(check) ? `: ${namesIn(analysis)}` : "";
  const reason = outcome.reason === "" ? "" : `: ${firstSentence(outcome.reason)}`;
  return `${resultOf(check)}${names} (${durationText(outcome.seconds)})${reason}`;
}

function rowOf(name: string, check: Check | undefined): Row {
  if (check === undefined) return [name, resultOf(check), "", ""];
  return [name, resultOf(check), namesIn(check.analysis), durationText(check.outcome.seconds)];
}
