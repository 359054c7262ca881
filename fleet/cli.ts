import { writeFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Analysis, escapeMarkdown, fitLines, render } from "clouddb-report";
import { findStacks, type Operate, projectName, runAll, runStack } from "./stacks";

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
      isPreview,
      stopsAtFailure: !isPreview,
      operate: (stack, how) => (isPreview ? stack.preview({ ...how, ...packs }) : stack.up({ ...how, ...packs })),
      resultOf({ counts }) {
        const changes = Object.entries(counts).map(([operation, count]) => `, ${count} ${operation}`);
        if (changes.length === 0) return "unchanged";
        return `${isPreview ? "to update" : "updated"}${changes.join("")}`;
      },
      isReported: (analysis) => isPreview || isFailed(analysis),
    });
  });

export const driftCommand = withCommonOptions("drift")
  .description("looks for changes outside of Pulumi in all stacks of the project; changes nothing")
  .addHelpText("after", "\nExit codes: 0 no drift, 1 at least one check failed, 2 drift, 130 canceled with Ctrl-C.")
  .action(async (options) => {
    const drifted = await operateOnAll(options, {
      title: "Drift",
      isPreview: false,
      stopsAtFailure: false,
      operate: (stack, how) => stack.previewRefresh(how),
      resultOf: ({ drift }) => (drift.length === 0 ? "no drift" : `drift, ${drift.map(({ name }) => name).join(", ")}`),
      isReported: (analysis) => isFailed(analysis) || analysis.drift.length > 0,
    });
    if (!process.exitCode && drifted.some(({ drift }) => drift.length > 0)) process.exitCode = 2;
  });

interface Options {
  readonly stacks?: string | undefined;
  readonly concurrency: number;
  readonly report?: string | undefined;
}

interface Task {
  readonly title: string;
  readonly canary?: string | undefined;
  /** True if the report ends with the command that applies the changes. */
  readonly isPreview: boolean;
  readonly stopsAtFailure: boolean;
  readonly operate: Operate;
  /** The result of a stack that succeeded; details follow a comma. */
  readonly resultOf: (analysis: Analysis) => string;
  /** True if the report has a section about it. */
  readonly isReported: (analysis: Analysis) => boolean;
}

/** Runs an operation on all stacks, prints a line for each and writes one report. */
async function operateOnAll({ stacks, concurrency, report }: Options, task: Task): Promise<Analysis[]> {
  const { title, canary, isPreview, stopsAtFailure, operate, resultOf, isReported } = task;
  const { signal: stop } = abortedBySignals();
  const project = await projectName();
  const write = (text: string, analyses: readonly Analysis[] = []) => {
    // No stack has this name.
    const marker = `<!-- clouddb-report ${encodeURIComponent(`${project}//${title.toLowerCase()}`)} -->`;
    const top = `${marker}\n\n## ${title} of ${escapeMarkdown(project)}\n\n${text}\n`;
    const maxBytes = MOST_BYTES - Buffer.byteLength(top);
    const sections = analyses.length === 0 ? "" : `\n${render(analyses, "markdown", { maxBytes, isPreview })}`;
    if (report !== undefined) writeFileSync(report, top + sections);
  };
  const names = await findStacks(stacks, canary).catch((error: Error) => {
    write(`❌ ${escapeMarkdown(error.message)}`);
    throw error;
  });

  const analyses = new Map<string, Analysis>();
  const results = new Map<string, string>(names.map((name) => [name, "not started"]));
  const lineOf = (name: string) => `${name}: ${results.get(name)}`;
  const run = async (name: string) => {
    console.log(`${name}: started`);
    const { analysis, isCanceled } = await runStack({ project, stack: name }, operate, stop);
    analyses.set(name, analysis);
    const failure = isCanceled ? "canceled" : "failed";
    results.set(name, isFailed(analysis) ? failure : resultOf(analysis));
    console.log([lineOf(name), ...(isCanceled ? [] : reasonsIn(analysis))].join("\n  "));
  };
  const mayStart = () => !stop.aborted && !(stopsAtFailure && [...analyses.values()].some(isFailed));
  if (canary !== undefined) await run(canary);
  const others = names.filter((name) => name !== canary);
  await runAll(others, concurrency, mayStart, run);

  for (const name of others) if (!analyses.has(name)) console.log(lineOf(name));
  const counts: Record<string, number> = {};
  for (const [result = ""] of [...results.values()].map((text) => text.split(", ")))
    counts[result] = (counts[result] ?? 0) + 1;
  const counted = Object.entries(counts).map(([result, count]) => `${count} ${result}`);
  const summary = `${names.length} ${names.length === 1 ? "stack" : "stacks"}: ${counted.join(", ")}.`;
  console.log(summary);
  const lines = names.map((name) => `- ${escapeMarkdown(lineOf(name))}`);
  const reported = [...analyses].filter(([name, each]) => results.get(name) !== "canceled" && isReported(each));
  const note = isPreview || reported.length === 0 ? "" : "\n\nThe sections below use the words of a preview.";
  write(
    `${summary}\n\n${fitLines({ lines }, LIST_BYTES).join("\n")}${note}`,
    reported.map(([, each]) => each),
  );
  const succeeded = [...analyses.values()].filter((analysis) => !isFailed(analysis));
  if (succeeded.length < names.length) {
    if (stopsAtFailure)
      console.log("To go on, run the same command again: a stack that is up to date takes no requests.");
    process.exitCode = stop.aborted ? 130 : 1;
  }
  return succeeded;
}

/** A terminal sends Ctrl-C to each `pulumi`, too, which ends by itself: a second signal would leave its stack locked. */
function abortedBySignals(): AbortController {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  stop.signal.addEventListener("abort", () => console.log("Stopping: no more stacks are started."));
  return stop;
}

function isFailed({ outcome }: Analysis): boolean {
  return outcome !== "succeeded";
}

function reasonsIn({ errors, policies }: Analysis): string[] {
  const violations = policies.filter(({ result }) => result === "failed");
  return [
    ...violations.flatMap(({ policy, findings }) => findings.map(({ message }) => `${policy}: ${message}`)),
    ...errors,
  ];
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
    .catch((error: Error) => {
      console.error(error.message);
      process.exitCode = 1;
    });
}
