import { parseArgs } from "node:util";
import { analyze } from "clouddb-report";
import { createBudget, type Decision, inOrderOfLastCheck, requestsToRefresh } from "../budget";
import { type Outcome, runOperation } from "../operation";
import { integer } from "../options";
import { createProgress } from "../progress";
import { createTurns, runQueue } from "../queue";
import { readRecord, writeRecord } from "../record-file";
import { writeReport } from "../report";
import { findStacks, openStack, projectName } from "../stacks";
import { durationText, firstSentence, type Row, stacksText, textTable } from "../table";

const USAGE = `drift: looks for changes outside of Pulumi in all stacks of the project in the current folder

  --stacks A,B,C      only these stacks
  --max-requests N    sends no more requests than this, apart from retries (default: no limit)
  --concurrency N     how many stacks at a time (default: 4)
  --store             stores what has changed in the states; otherwise nothing is stored
  --report FILE       one Markdown report of all stacks
  --progress FILE     where to record when each stack was checked (default: .drift.json)

Stacks for which the requests do not suffice are left for the next run, which begins with those checked longest ago.
Exit codes: 0 no drift, 1 a stack could not be checked, 2 drift, 130 canceled with Ctrl-C.`;

/** When each stack was last checked. */
interface Record {
  readonly checked: Readonly<{ [stack: string]: string }>;
}

interface Check {
  readonly decision: Decision;
  readonly requests: number;
  readonly outcome: Outcome;
  /** The names of the resources that have changed. */
  readonly drift: readonly string[];
}

const HEAD: Row = ["stack", "result", "drift", "requests", "duration", "last checked (UTC)"];

/** Returns the exit code. */
export async function checkDrift(stop: AbortSignal): Promise<number> {
  const options = readOptions();
  if (options === undefined) return 0;
  const folder = process.cwd();
  const found = await findStacks(folder, options.stacks);
  const project = await projectName(folder);
  const checked = { ...readRecord<Record>(options.progressFile)?.checked };
  const stacks = inOrderOfLastCheck(found, checked);
  const budget = createBudget(options.maxRequests);
  const nextTurn = createTurns();
  const checks = new Map<string, Check>();
  const progress = createProgress(process.stdout, stacks.length);
  const onStop = () => progress.say("Stopping: no more stacks are checked, and those running end.");
  stop.addEventListener("abort", onStop, { once: true });

  await runQueue(
    stacks,
    options.concurrency,
    () => !stop.aborted && !budget.isUsedUp(),
    async (name) => {
      progress.started(name);
      let requests = 0;
      let decision: Decision = "fits";
      const turn = nextTurn();
      const outcome = await runOperation({ project, name, stop }, async (each) => {
        const stack = await openStack(folder, name);
        requests = requestsToRefresh((await stack.exportStack()).deployment);
        stop.throwIfAborted();
        // A stack that is read sooner must not take the requests of one that was checked longer ago.
        await turn.before;
        decision = budget.take(requests);
        turn.end();
        if (decision !== "fits") throw new Error(NEVER_FITS(requests));
        await (options.stores ? stack.refresh(each) : stack.previewRefresh(each));
      });
      turn.end();
      const drift = analyze(outcome.preview, { masks: [] }).drift.map((resource) => resource.name);
      const check = { decision, requests, outcome, drift };
      checks.set(name, check);
      // Also a stack that fails waits for its next turn, or it would use up the requests of every run.
      if (decision === "fits" && outcome.result !== "canceled") {
        checked[name] = new Date().toISOString();
        writeRecord(options.progressFile, { checked } satisfies Record);
      }
      progress.ended(name, isFailure(check), lineOf(check));
    },
  );
  progress.close();

  const rows = stacks.map((name) => rowOf(name, checks.get(name), checked[name]));
  const all = [...checks];
  const failed = all.filter(([, check]) => isFailure(check));
  const drifted = all.filter(([, { drift }]) => drift.length > 0);
  const unchecked = stacks.filter((name) => ["not checked", "canceled"].includes(resultOf(checks.get(name)))).length;
  const summary = `${stacksText(stacks.length)}: ${drifted.length} with drift, ${failed.length} failed, ${unchecked} not checked in this run.`;
  console.log(`\n${textTable(HEAD, rows)}`);
  for (const [name, { outcome }] of failed) console.log(`${name}: ${outcome.reason}\n`);
  console.log(summary);
  if (options.report !== undefined) {
    const shown = all.filter(([, check]) => isFailure(check) || check.drift.length > 0);
    const previews = shown.map(([, { outcome }]) => outcome.preview);
    const title = `Drift of ${project}`;
    writeReport(options.report, {
      project,
      kind: "drift",
      title,
      summary,
      head: HEAD,
      rows,
      previews,
      isPreview: false,
    });
  }
  if (stop.aborted) return 130;
  if (drifted.length > 0) return 2;
  return failed.length > 0 ? 1 : 0;
}

const NEVER_FITS = (requests: number) =>
  `A refresh of this stack needs ${requests} requests, more than all of --max-requests: raise it.`;

function isFailure({ decision, outcome }: Check): boolean {
  return decision === "never fits" || (decision === "fits" && outcome.result === "failed");
}

function resultOf(check: Check | undefined): string {
  if (check === undefined || check.decision === "later") return "not checked";
  if (check.decision === "never fits") return "failed";
  if (check.outcome.result !== "succeeded") return check.outcome.result;
  return check.drift.length > 0 ? "drift" : "no drift";
}

function lineOf(check: Check): string {
  const names = check.drift.length > 0 ? `: ${check.drift.join(", ")}` : "";
  const reason = isFailure(check) ? `: ${firstSentence(check.outcome.reason)}` : "";
  return `${resultOf(check)}${names} (${durationText(check.outcome.seconds)})${reason}`;
}

function rowOf(name: string, check: Check | undefined, lastCheck = "never"): Row {
  const day = lastCheck.slice(0, 16).replace("T", " ");
  if (check === undefined || check.decision !== "fits") {
    return [name, resultOf(check), "", check ? String(check.requests) : "", "", day];
  }
  const { drift, requests, outcome } = check;
  return [name, resultOf(check), drift.join(", "), String(requests), durationText(outcome.seconds), day];
}

function readOptions() {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: {
      stacks: text,
      "max-requests": text,
      concurrency: { type: "string", default: "4" },
      store: { type: "boolean", default: false },
      report: text,
      progress: { type: "string", default: ".drift.json" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return undefined;
  }
  const { stacks, report, "max-requests": maxRequests } = values;
  return {
    stacks,
    report,
    maxRequests: maxRequests === undefined ? Number.POSITIVE_INFINITY : integer("--max-requests", maxRequests),
    concurrency: integer("--concurrency", values.concurrency),
    stores: values.store,
    progressFile: values.progress,
  };
}
