import { writeFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Analysis, escapeMarkdown, render } from "clouddb-report";
import { findFleet, type Operate, runAll, runStack } from "./stacks";

/** The most that a comment of GitHub holds. */
const MOST_BYTES = 65_000;

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
      stopsAtFailure: !isPreview,
      operate: (stack, how) => (isPreview ? stack.preview({ ...how, ...packs }) : stack.up({ ...how, ...packs })),
      resultOf({ counts }) {
        const changes = Object.entries(counts).map(([operation, count]) => `${count} ${operation}`);
        if (changes.length === 0) return { result: "unchanged" };
        return { result: isPreview ? "to update" : "updated", details: changes.join(", ") };
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
      stopsAtFailure: false,
      operate: (stack, how) => stack.previewRefresh(how),
      resultOf: ({ drift }) =>
        drift.length === 0
          ? { result: "no drift" }
          : { result: "drift", details: drift.map(({ name }) => name).join(", ") },
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
  readonly stopsAtFailure: boolean;
  readonly operate: Operate;
  /** The result of a stack that succeeded. */
  readonly resultOf: (analysis: Analysis) => { readonly result: string; readonly details?: string };
  /** True if the report has a section about it. */
  readonly isReported: (analysis: Analysis) => boolean;
}

/** Runs an operation on all stacks, prints a line for each and writes one report. */
async function operateOnAll({ stacks, concurrency, report }: Options, task: Task): Promise<Analysis[]> {
  const { title, canary, stopsAtFailure, operate, resultOf, isReported } = task;
  const write = (project: string, text: string, analyses: readonly Analysis[] = []) => {
    const marker = `<!-- clouddb-report ${encodeURIComponent(`${project}/${title.toLowerCase()}`)} -->`;
    const top = `${marker}\n\n## ${title} of ${escapeMarkdown(project)}\n\n${text}\n`;
    const maxBytes = MOST_BYTES - Buffer.byteLength(top);
    const sections = analyses.length === 0 ? "" : `\n${render(analyses, "markdown", { maxBytes })}`;
    if (report !== undefined) writeFileSync(report, top + sections);
  };
  const stop = new AbortController();
  // A terminal sends Ctrl-C to each `pulumi`, too: it ends by itself, and a second signal would leave its stack locked.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
  stop.signal.addEventListener("abort", () => console.log("Stopping: no more stacks are started."));
  const fleet = await findFleet(stacks, stop.signal).catch((error: Error) => {
    write("the project", `❌ ${escapeMarkdown(error.message)}`);
    throw error;
  });
  if (canary !== undefined && !fleet.names.includes(canary)) throw new Error(`The project has no stack ${canary}.`);

  const analyses = new Map<string, Analysis>();
  const results = new Map(fleet.names.map((name) => [name, { result: "not started" } as ReturnType<typeof resultOf>]));
  const mayStart = () => !stop.signal.aborted && !(stopsAtFailure && [...analyses.values()].some(isFailed));
  const lineOf = (name: string) => {
    const { result, details } = results.get(name) ?? {};
    return `${name}: ${result}${details ? ` (${details})` : ""}`;
  };
  const run = async (name: string) => {
    const analysis = await runStack(fleet, name, operate);
    analyses.set(name, analysis);
    const reasons = reasonsIn(analysis);
    const isCanceled = stop.signal.aborted && reasons.length === 0;
    results.set(name, isFailed(analysis) ? { result: isCanceled ? "canceled" : "failed" } : resultOf(analysis));
    console.log([lineOf(name), ...reasons].join("\n  "));
  };
  if (canary !== undefined) await run(canary);
  const others = fleet.names.filter((name) => name !== canary);
  await runAll(others, concurrency, mayStart, run);

  const isComplete = fleet.names.every((name) => {
    const analysis = analyses.get(name);
    return analysis !== undefined && !isFailed(analysis);
  });
  for (const name of others) if (!analyses.has(name)) console.log(lineOf(name));
  const counts = Map.groupBy(results.values(), ({ result }) => result);
  const summary = [...counts].map(([result, { length }]) => `${length} ${result}`).join(", ");
  console.log(`${fleet.names.length} stacks: ${summary}.`);
  if (!isComplete) console.log("To go on, run the same command again: a stack that is up to date takes no requests.");
  const list = fleet.names.map((name) => `- ${escapeMarkdown(lineOf(name))}`).join("\n");
  write(
    fleet.project,
    `${fleet.names.length} stacks: ${summary}.\n\n${list}`,
    [...analyses.values()].filter(isReported),
  );
  if (!isComplete) process.exitCode = stop.signal.aborted ? 130 : 1;
  return [...analyses.values()];
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
