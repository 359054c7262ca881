import { writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Analysis, escapeMarkdown, fitLines, markerOf, render } from "clouddb-report";
import { findStacks, type Operate, openProject, reasonOf, runStack, type StackRun } from "./stacks";

/** The most that a comment of GitHub holds, and the part of it for the list of stacks. */
const MOST_BYTES = 65_000;
const LIST_BYTES = 30_000;

const withCommonOptions = (name: string) =>
  new Command(name)
    .option("--stacks <A,B,C>", "only these stacks (default: all stacks of the project)")
    .addOption(new Option("--concurrency <N>", "how many stacks at a time").default(4).argParser(positiveInteger))
    .option("--report <FILE>", "one Markdown report of all stacks, within the size of a comment");

export const rollOutCommand = withCommonOptions("roll-out")
  .description("updates all stacks of the Pulumi project in the current folder; after a failure, starts no more")
  .option("--canary <NAME>", "this stack first; the others only if it succeeds")
  .option("--preview", "only preview: changes nothing, and goes on after a failure")
  .option("--policies <FOLDER>", "a policy pack that each stack must pass")
  .option("--policy-config <FILE>", "its settings")
  .addHelpText("after", "\nExit codes: 0 all stacks succeeded, 1 at least one did not, 130 canceled with Ctrl-C.")
  .action(async ({ canary, preview: isPreview = false, policies, policyConfig, ...options }) => {
    const packs = {
      ...(policies && { policyPacks: [policies] }),
      ...(policyConfig && { policyPackConfigs: [policyConfig] }),
    };
    await operateOnAll(options, {
      title: isPreview ? "Preview" : "Roll-out",
      canary,
      operate: (stack, how) => (isPreview ? stack.preview({ ...how, ...packs }) : stack.up({ ...how, ...packs })),
      resultOf({ counts }) {
        const changes = Object.entries(counts).map(([operation, count]) => `, ${count} ${operation}`);
        if (changes.length === 0) return "unchanged";
        return `${isPreview ? "to update" : "updated"}${changes.join("")}`;
      },
    });
  });

export const driftCommand = withCommonOptions("drift")
  .description("looks for changes outside of Pulumi in all stacks of the project; changes nothing")
  .addHelpText("after", "\nExit codes: 0 no drift, 1 at least one check failed, 2 drift, 130 canceled with Ctrl-C.")
  .action(async (options) => {
    const analyses = await operateOnAll(options, {
      title: "Drift",
      operate: (stack, how) => stack.previewRefresh(how),
      resultOf: ({ drift }) => (drift.length === 0 ? "no drift" : `drift, ${drift.map(({ name }) => name).join(", ")}`),
    });
    if (!process.exitCode && analyses.some(({ drift }) => drift.length > 0)) process.exitCode = 2;
  });

type Options = ReturnType<typeof driftCommand.opts>;

interface Task {
  readonly title: "Preview" | "Roll-out" | "Drift";
  readonly canary?: string | undefined;
  readonly operate: Operate;
  /** The result of a stack that succeeded; details follow a comma. */
  readonly resultOf: (analysis: Analysis) => string;
}

/** Runs an operation on all stacks, prints a line for each and writes one report. */
async function operateOnAll({ stacks, concurrency, report }: Options, task: Task): Promise<Analysis[]> {
  const { title, operate, resultOf } = task;
  const [isPreview, isRollOut] = [title === "Preview", title === "Roll-out"];
  const stop = abortedBySignals();
  let [organization, project] = ["", basename(process.cwd())];
  const write = (text: string, analyses: readonly Analysis[] = []) => {
    if (report === undefined) return;
    // No stack has this name.
    const marker = markerOf({ organization, project, stack: `/${title.toLowerCase()}` });
    const place = escapeMarkdown(`${organization && `${organization}/`}${project}`);
    const top = `${marker}\n\n## ${title} of ${place}\n\n${text}\n`;
    const maxBytes = MOST_BYTES - Buffer.byteLength(top);
    const sections = analyses.length === 0 ? "" : `\n${render(analyses, "markdown", { maxBytes, isPreview })}`;
    writeFileSync(report, top + sections);
  };
  const find = async () => {
    const opened = await openProject();
    project = opened.project;
    const selection = await findStacks(opened, { stacks, canary: task.canary });
    organization = selection.organization;
    return selection;
  };
  const { names, canary } = await find().catch((error: Error) => {
    write(`❌ ${escapeMarkdown(error.message)}`);
    throw error;
  });

  const runs: StackRun[] = [];
  const results = new Map(names.map((name) => [name, "not started"]));
  const lineOf = (name: string) => `${name}: ${results.get(name)}`;
  const run = async (name: string) => {
    console.log(`${name}: started`);
    const result = await runStack({ project, stack: name }, operate, stop);
    runs.push(result);
    results.set(name, result.outcome === "succeeded" ? resultOf(result.analysis) : result.outcome);
    console.log([lineOf(name), ...result.reasons].join("\n  "));
  };
  const isUnsuccessful = () => runs.some(({ outcome }) => outcome !== "succeeded");
  const mayStart = () => !stop.aborted && !(isRollOut && isUnsuccessful());
  if (canary !== undefined) await run(canary);
  const waiting = names.filter((name) => name !== canary);
  const worker = async () => {
    for (let name = waiting.shift(); name !== undefined && mayStart(); name = waiting.shift()) await run(name);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));

  for (const [name, result] of results) if (result === "not started") console.log(lineOf(name));
  const summary = summaryOf([...results.values()]);
  console.log(summary);
  const list = fitLines({ lines: names.map((name) => `- ${escapeMarkdown(lineOf(name))}`) }, LIST_BYTES).join("\n");
  const isReported = ({ outcome, analysis }: StackRun) =>
    outcome === "failed" || (outcome === "succeeded" && (isPreview || (!isRollOut && analysis.drift.length > 0)));
  const reported = runs.filter(isReported).map(({ analysis }) => analysis);
  const note = isPreview || reported.length === 0 ? "" : "\n\nThe sections below use the words of a preview.";
  write(`${summary}\n\n${list}${note}`, reported);
  if (isUnsuccessful() || runs.length < names.length) {
    if (isRollOut) console.log("To go on, run the same command again: a stack that is up to date takes no requests.");
    process.exitCode = stop.aborted ? 130 : 1;
  }
  return runs.map(({ analysis }) => analysis);
}

/** Such as `3 stacks: 2 updated, 1 failed.` Details that follow a comma are not counted. */
function summaryOf(results: readonly string[]): string {
  const counts: Record<string, number> = {};
  for (const [result = ""] of results.map((text) => text.split(", "))) counts[result] = (counts[result] ?? 0) + 1;
  const counted = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  return `${results.length} ${results.length === 1 ? "stack" : "stacks"}: ${counted.join(", ")}.`;
}

/** A terminal sends Ctrl-C to each `pulumi`, too, which ends by itself: a second signal would leave its stack locked. */
function abortedBySignals(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  stop.signal.addEventListener("abort", () => console.log("Stopping: no more stacks are started."));
  return stop.signal;
}

function positiveInteger(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError("It must be a positive integer.");
}

export async function main(): Promise<void> {
  // The reader of the output may end before the work, as in `| head`.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const program = new Command("clouddb-fleet")
    .description("works on all stacks of a Pulumi project")
    .helpCommand(false);
  await program
    .addCommand(rollOutCommand)
    .addCommand(driftCommand)
    .parseAsync()
    .catch((error) => {
      console.error(reasonOf(error));
      process.exitCode = 1;
    });
}
