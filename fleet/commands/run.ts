import { Command } from "@commander-js/extra-typings";
import { sentenceOf } from "clouddb-report";
import { CommanderError } from "commander";
import { driftCommand, rollOutCommand } from "../options";
import { checkDrift } from "./drift";
import { rollOut } from "./roll-out";

/** Runs the command that the arguments name, and returns its exit code. */
export async function run(argv: readonly string[], stop: AbortSignal): Promise<number> {
  let exitCode = 0;
  const finish = async (code: Promise<number>) => {
    exitCode = await code;
  };
  const commands = [
    rollOutCommand().action((options) => finish(rollOut(options, stop))),
    driftCommand().action((options) => finish(checkDrift(options, stop))),
  ];
  const program = new Command("clouddb-fleet")
    .addHelpText("beforeAll", "clouddb-fleet: works on all stacks of a Pulumi project\n")
    .helpOption("--help", "prints this")
    .helpCommand(false);
  for (const command of commands) program.addCommand(command);
  for (const command of [program, ...commands]) {
    command
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .configureHelp({ optionTerm: ({ flags }) => flags.replace(/[<>]/g, "") });
  }
  try {
    await program.parseAsync(argv);
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code.startsWith("commander.help")) return error.exitCode;
    throw new Error(sentenceOf(error.message));
  }
}
