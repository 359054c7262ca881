import { Command } from "@commander-js/extra-typings";

const CONCURRENCY = ["--concurrency <N>", "how many stacks at a time", "4"] as const;
const STACKS = ["--stacks <A,B,C>", "only these stacks (default: all stacks of the project)"] as const;

export const rollOutCommand = () =>
  new Command("roll-out")
    .description("updates all stacks of the Pulumi project in the current folder")
    .helpOption("--help", "prints this")
    .option(...STACKS)
    .option("--canary <NAME>", "this stack first; the others only if it succeeds")
    .option(...CONCURRENCY)
    .option("--on-failure <stop|continue>", "after a failure, start no more stacks, or update the others", "stop")
    .option("--preview", "only preview: changes nothing")
    .option("--policies <FOLDER>", "a policy pack that each stack must pass")
    .option("--policy-config <FILE>", "its settings")
    .option("--report <FILE>", "one Markdown report of all stacks, within the size of a comment")
    .addHelpText(
      "after",
      `
If it stops early, run the same command again: it sends no requests for stacks that are up to date.
Exit codes: 0 all stacks succeeded, 1 at least one did not, 130 canceled with Ctrl-C.`,
    );

export const driftCommand = () =>
  new Command("drift")
    .description("looks for changes outside of Pulumi in all stacks of the project in the current folder")
    .helpOption("--help", "prints this")
    .option(...STACKS)
    .option(...CONCURRENCY)
    .option("--store", "stores what has changed in the states; otherwise nothing is stored")
    .option("--report <FILE>", "one Markdown report of all stacks, within the size of a comment")
    .addHelpText(
      "after",
      `
Exit codes: 0 no drift, 1 at least one check failed, 2 drift, 130 canceled with Ctrl-C.`,
    );

export type RollOutOptions = ReturnType<ReturnType<typeof rollOutCommand>["opts"]>;
export type DriftOptions = ReturnType<ReturnType<typeof driftCommand>["opts"]>;

/** A number of at least 1. */
export function integer(option: string, text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1) return number;
  throw new Error(`${option} must be a positive integer; got ${JSON.stringify(text)}`);
}
