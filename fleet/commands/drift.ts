import { type Analysis, analyze } from "clouddb-report";
import { createBudget, type Decision, inOrderOfLastCheck, requestsToRefresh } from "../budget";
import { type Outcome, runOperation } from "../operation";
import { type DriftOptions, integer } from "../options";
import { createProgress } from "../progress";
import { createTurns, runQueue } from "../queue";
import { readRecord, writeRecord } from "../record-file";
import { reportFailure, writeReport } from "../report";
import { findStacks, openStack, projectName } from "../stacks";
import { durationText, escapeMarkdown, firstSentence, type Row, stacksText, textTable } from "../table";

/** The last check of each stack. */
interface Record {
  readonly checked: Readonly<{ [stack: string]: string }>;
  /** Drift that is not stored, from the last check that succeeded. */
  readonly drift?: Readonly<{ [stack: string]: Analysis }>;
  /** The reasons of checks that failed, until the next one that succeeds. */
  readonly failed?: Readonly<{ [stack: string]: string }>;
}

interface Check {
  readonly decision: Decision;
  readonly requests: number;
  readonly outcome: Outcome;
  readonly analysis: Analysis;
}

const HEAD: Row = ["stack", "result", "drift", "requests", "duration", "last checked (UTC)"];

/** Returns the exit code. */
export function checkDrift(options: DriftOptions, stop: AbortSignal): Promise<number> {
  const earlier = () => {
    const { checked, drift, failed } = readEarlier(options);
    const names = [...new Set([...Object.keys(drift), ...Object.keys(failed)])];
    const rows = names.map((name) => rowOf(name, undefined, { checked, drift, failed }));
    return { head: HEAD, rows, analyses: Object.values(drift) };
  };
  const about = { file: options.report, kind: "drift", title: "Drift of", isPreview: false };
  return reportFailure(about, () => checkAll(options, stop), earlier);
}

function readEarlier({ progress }: DriftOptions): Required<Record> {
  const { checked = {}, drift = {}, failed = {} } = readRecord<Record>(progress) ?? {};
  return { checked, drift, failed };
}

async function checkAll(options: DriftOptions, stop: AbortSignal): Promise<number> {
  const concurrency = integer("--concurrency", options.concurrency);
  const { maxRequests } = options;
  const isLimited = maxRequests !== undefined;
  const budget = createBudget(isLimited ? integer("--max-requests", maxRequests) : Number.POSITIVE_INFINITY);
  const folder = process.cwd();
  const names = await findStacks(folder, options.stacks);
  const project = await projectName(folder);
  const earlierRuns = readEarlier(options);
  const checked = { ...earlierRuns.checked };
  const drift = { ...earlierRuns.drift };
  const failures = { ...earlierRuns.failed };
  const stacks = inOrderOfLastCheck(names, checked);
  const nextTurn = createTurns();
  const checks = new Map<string, Check>();
  const progress = createProgress(process.stdout, stacks.length);
  const onStop = () => progress.say("Stopping: no more stacks are checked, and those running end.");
  stop.addEventListener("abort", onStop, { once: true });

  await runQueue(
    stacks,
    concurrency,
    () => !stop.aborted && !budget.isUsedUp(),
    async (name) => {
      progress.started(name);
      let requests = 0;
      let decision: Decision = "fits";
      const turn = nextTurn();
      const outcome = await runOperation({ project, name, stop }, async (operation) => {
        const stack = await openStack(folder, name);
        requests = requestsToRefresh((await stack.exportStack()).deployment);
        stop.throwIfAborted();
        // A stack that is read sooner must not take the requests of one that was checked longer ago.
        await turn.before;
        decision = budget.take(requests);
        turn.end();
        if (decision !== "fits") throw new Error(NEVER_FITS(requests));
        await (options.store ? stack.refresh(operation) : stack.previewRefresh(operation));
      });
      turn.end();
      const check = { decision, requests, outcome, analysis: analyze(outcome.preview) };
      checks.set(name, check);
      // Also a stack that fails waits for its next turn, or it would use up the requests of every run.
      if (decision === "fits" && outcome.result !== "canceled") {
        checked[name] = new Date().toISOString();
        if (outcome.result === "succeeded") {
          delete drift[name];
          delete failures[name];
        }
        if (hasDrift(check) && !options.store) drift[name] ??= check.analysis;
      }
      if (isFailure(check)) failures[name] = firstSentence(outcome.reason);
      writeRecord(options.progress, { checked, drift, failed: failures } satisfies Record);
      progress.ended(name, isFailure(check), lineOf(check));
    },
  );
  progress.close();

  const rows = stacks.map((name) => rowOf(name, checks.get(name), { checked, drift, failed: failures }));
  const failed = [...checks].filter(([, check]) => isFailure(check));
  const drifted = stacks.filter((name) => hasDrift(checks.get(name)));
  const earlier = stacks.filter((name) => !drifted.includes(name) && drift[name] !== undefined);
  const failedEarlier = stacks.filter((name) => isUnchecked(checks.get(name)) && failures[name] !== undefined);
  const unchecked = stacks.filter((name) => isUnchecked(checks.get(name)));
  const summary = `${stacksText(stacks.length)}: ${drifted.length} with drift, ${
    earlier.length === 0 ? "" : `${earlier.length} with drift found earlier, `
  }${failed.length} failed, ${
    failedEarlier.length === 0 ? "" : `${failedEarlier.length} failed earlier, `
  }${unchecked.length} not checked in this run.`;
  console.log(`\n${textTable(HEAD, rows)}`);
  for (const [name, { outcome }] of failed) console.log(`${name}: ${outcome.reason}\n`);
  for (const name of failedEarlier) console.log(`${name}: ${failures[name]}\n`);
  console.log(summary);
  const isClean = drifted.length + earlier.length + failed.length + failedEarlier.length === 0;
  if (options.report !== undefined) {
    const reported = [...checks.values()].filter((check) => isFailure(check) || hasDrift(check));
    const analyses = [...reported.map(({ analysis }) => analysis), ...earlier.flatMap((name) => drift[name] ?? [])];
    const title = `Drift of ${project}`;
    writeReport(options.report, {
      project,
      kind: "drift",
      title,
      summary: [summary, ...failedEarlier.map((name) => `- ${name}: ${escapeMarkdown(failures[name] ?? "")}`)].join(
        "\n\n",
      ),
      head: HEAD,
      rows,
      analyses,
      isPreview: false,
    });
  }
  if (stop.aborted) return 130;
  if (drifted.length + earlier.length > 0) return 2;
  return isClean ? 0 : 1;
}

const NEVER_FITS = (requests: number) =>
  `A refresh of this stack needs ${requests} requests, more than all of --max-requests: raise it.`;

function isFailure({ decision, outcome }: Check): boolean {
  return decision === "never fits" || (decision === "fits" && outcome.result === "failed");
}

function isUnchecked(check: Check | undefined): boolean {
  return check === undefined || check.decision === "later" || check.outcome.result === "canceled";
}

function hasDrift(check: Check | undefined): boolean {
  return check !== undefined && check.analysis.drift.length > 0;
}

function resultOf(check: Check | undefined): string {
  if (check === undefined || check.decision === "later") return "not checked";
  if (check.decision === "never fits") return "failed";
  if (check.outcome.result !== "succeeded") return check.outcome.result;
  return hasDrift(check) ? "drift" : "no drift";
}

function namesIn({ drift }: Analysis): string {
  return drift.map(({ name }) => name).join(", ");
}

function lineOf(check: Check): string {
  const names = hasDrift(check) ? `: ${namesIn(check.analysis)}` : "";
  const reason = isFailure(check) ? `: ${firstSentence(check.outcome.reason)}` : "";
  return `${resultOf(check)}${names} (${durationText(check.outcome.seconds)})${reason}`;
}

function rowOf(name: string, check: Check | undefined, { checked, drift: known, failed }: Required<Record>): Row {
  const earlier = known[name];
  const day = (checked[name] ?? "never").slice(0, 16).replace("T", " ");
  const drift = hasDrift(check) ? check?.analysis : earlier;
  const names = drift ? namesIn(drift) : "";
  if (check === undefined || check.decision !== "fits") {
    const before = failed[name] !== undefined ? "failed earlier" : drift ? "drift found earlier" : undefined;
    const result = (isUnchecked(check) ? before : undefined) ?? resultOf(check);
    return [name, result, names, check ? String(check.requests) : "", "", day];
  }
  return [name, resultOf(check), names, String(check.requests), durationText(check.outcome.seconds), day];
}
