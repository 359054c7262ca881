import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { type Analysis, untilSettled } from "clouddb-report";
import { operateOnAll, type Task } from "./all-stacks";
import { reasonOf } from "./stacks";
import { durationMs } from "./watch-alert";

const withCommonOptions = (name: string) =>
  new Command(name)
    .option("--stacks <A,B,C>", "only these stacks (default: all stacks of the project)")
    .addOption(
      new Option("--concurrency <N>", "how many stacks at a time")
        .default(4)
        .argParser(positiveInteger),
    )
    .option("--report <FILE>", "one Markdown report of all stacks, within the size of a comment");

export const rollOutCommand = withCommonOptions("roll-out")
  .description(
    "updates all stacks of the Pulumi project in the current folder; after a failure, starts no more",
  )
  .option("--canary <NAME>", "this stack first; the others only if it succeeds")
  .option("--preview", "only preview: changes nothing, and goes on after a failure")
  .option("--policies <FOLDER>", "a policy pack that each stack must pass")
  .option("--policy-config <FILE>", "its settings")
  .addOption(
    new Option(
      "--watch-alert <ID=STATE>",
      "reads this alert at the start, then once a minute after the canary; in any other state, no more stacks start",
    )
      .argParser(alertFrom)
      .conflicts("preview"),
  )
  .addOption(
    new Option("--for <TIME>", "how long after the canary, such as 90s or 1h")
      .default(600_000, "10m")
      .argParser(timeFrom),
  )
  .addHelpText(
    "after",
    "\nExit codes: 0 all stacks succeeded, 1 at least one did not, 3 stopped by the alert, 130 canceled with Ctrl-C.",
  )
  .action(async ({ preview: isPreview, policies, policyConfig, ...options }, command) => {
    const { watchAlert, for: forMs } = options;
    if (watchAlert !== undefined && options.canary === undefined)
      command.error("error: --watch-alert requires --canary");
    if (watchAlert === undefined && command.getOptionValueSource("for") === "cli")
      command.error("error: --for requires --watch-alert");
    const alert = watchAlert && { ...watchAlert, forMs };
    const packs = {
      ...(policies && { policyPacks: [policies] }),
      ...(policyConfig && { policyPackConfigs: [policyConfig] }),
    };
    const preview: Task = {
      title: "Preview",
      operate: (stack, how) => stack.preview({ ...how, ...packs }),
      resultOf: (analysis) => changesIn(analysis, "to update"),
      isReported: () => true,
      isPreview: true,
    };
    const rollOut: Task = {
      title: "Roll-out",
      operate: (stack, how) => stack.up({ ...how, ...packs }),
      resultOf: (analysis) => changesIn(analysis, "updated"),
      isReported: () => false,
      stopsAtFailure: true,
    };
    await operateOnAll({ ...options, alert }, isPreview ? preview : rollOut);
  });

function changesIn({ counts }: Analysis, verb: string): string {
  const changes = Object.entries(counts).map(([operation, count]) => `, ${count} ${operation}`);
  return changes.length === 0 ? "unchanged" : `${verb}${changes.join("")}`;
}

export const driftCommand = withCommonOptions("drift")
  .description("looks for changes outside of Pulumi in all stacks of the project; changes nothing")
  .addHelpText(
    "after",
    "\nExit codes: 0 no drift, 1 at least one check failed, 2 drift, 130 canceled with Ctrl-C.",
  )
  .action(async (options) => {
    const hasDrift = ({ drift }: Analysis) => drift.length > 0;
    const analyses = await operateOnAll(options, {
      title: "Drift",
      operate: (stack, how) => stack.previewRefresh(how),
      resultOf: ({ drift }) =>
        drift.length === 0 ? "no drift" : `drift, ${drift.map(({ name }) => name).join(", ")}`,
      isReported: hasDrift,
    });
    if (!process.exitCode && analyses.some(hasDrift)) process.exitCode = 2;
  });

function positiveInteger(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError("It must be a positive integer.");
}

function alertFrom(text: string) {
  const [, id, good] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (id !== undefined && good !== undefined) return { id, good };
  throw new InvalidArgumentError("It must be an ID and a state, such as alert-errors=OK.");
}

function timeFrom(text: string): number {
  const ms = durationMs(text);
  if (ms) return ms;
  throw new InvalidArgumentError("It must be a time such as 90s, 10m or 1h.");
}

export async function main(): Promise<void> {
  // A reader such as `| head` may end before this command.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
  const program = new Command("clouddb-fleet")
    .description("works on all stacks of a Pulumi project")
    .helpCommand(false);
  program.addCommand(rollOutCommand).addCommand(driftCommand);
  await untilSettled(() => program.parseAsync()).catch((error) => {
    console.error(reasonOf(error));
    process.exitCode = 1;
  });
}
