import { Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { capitalized } from "pulumi-clouddb-facts";
import { CONDITIONS, conditionsIn, isCondition } from "./analyze/gates";
import { linkTo } from "./render/markdown";
import { FORMATS } from "./render/render";

/** Defines all options. The help texts and the README's table are generated from them. */

const RUN_URL = "URL of the run, shown with the time; post links to it if posting fails";

function reporting(name: string) {
  return new Command(name)
    .option("--output <FILE>", "where to write the report (default: standard output)")
    .addOption(
      new Option("--format <NAME>", "a terminal shows Markdown as plain text")
        .choices(FORMATS)
        .default(FORMATS[0]),
    )
    .option(
      "--fail-on <LIST>",
      `exits with 2 if any of these comma-separated conditions holds, of each stack by itself: ${CONDITIONS}; always: failed, unless the list contains \`never\``,
      conditionsFrom,
    )
    .option(
      "--price-per-gb-hour <N>",
      "adds the maximum cost of all services per month: 730 hours at this price for each gigabyte",
      priceFrom,
    )
    .option("--notice <TEXT>", "first line of the report, such as the source of the preview")
    .option("--commit <SHA>", "shown with the time, so that an outdated comment is recognizable")
    .option("--run-url <URL>", RUN_URL, runUrlFrom)
    .option(
      "--stack <NAME>",
      "name of the stack; with several files, name of the comment. Default: PULUMI_STACK",
    )
    .option("--project <NAME>", "name of the project. Default: that of Pulumi.yaml");
}

/** The default command. */
export const readCommand = reporting("report")
  .argument("[FILE...]", "", ["-"])
  .option(
    "--errors <FILE>",
    "what `pulumi` printed to standard error: the reason if the events have none; for one file, not for run",
  )
  .addHelpText(
    "after",
    `
Several files make one report; the stack of a missing one has failed, and its name is that of the
file without .json.
A file is the JSON report of a preview, or its events: those of
PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json; run sets both.
Exits with 0; with 2 if --fail-on holds or the preview failed; with 1 if there is no preview or
--fail-on cannot be decided.`,
  );

/** Options after the first argument belong to the other command. */
export const runCommand = reporting("run").argument("[COMMAND...]").passThroughOptions();

export const postCommand = new Command("post")
  .argument("<PLACE>", "github, gitlab or azure")
  .argument("<FILE>")
  .option("--run-url <URL>", RUN_URL, runUrlFrom);

const USAGE = `clouddb-report [options] FILE…
      reports on events or JSON reports in files; - is standard input
  clouddb-report run [options] -- pulumi preview …
      runs the command that follows, and reports on it
  clouddb-report post github|gitlab|azure FILE
      posts a report, or updates the one posted earlier`;

export const program = new Command("clouddb-report")
  .enablePositionalOptions()
  .helpOption(false)
  .helpCommand(false);
for (const command of [readCommand, runCommand, postCommand]) {
  command
    .helpOption("--help", "prints this")
    .configureHelp({
      optionTerm: ({ flags }) => flags.replace(/[<>]/g, ""),
      commandUsage: () => USAGE,
    })
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText(
      "beforeAll",
      "clouddb-report: reports on a pull request what a Pulumi preview will do\n",
    );
  program.addCommand(command, { isDefault: command.name() === "report" });
}

/**
 * Commander's message in one line, such as `Unknown option '--colour'`, without an option's value.
 */
export function sentenceOf(message: string): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/^(unknown option '[^=']*)=.*'/s, "$1'")
    .replaceAll("\n", " ");
  return capitalized(text);
}

function conditionsFrom(list: string): string[] {
  const conditions = conditionsIn(list);
  const unknown = conditions.find((text) => !isCondition(text));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `Unknown condition ${JSON.stringify(unknown)}; use ${CONDITIONS}.`,
    );
  return conditions;
}

function priceFrom(text: string): number {
  const price = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(price) && price >= 0) return price;
  throw new InvalidArgumentError("It must be a number from 0.");
}

function runUrlFrom(text: string): string | undefined {
  const link = linkTo(text);
  if (text !== "" && link === undefined)
    throw new InvalidArgumentError("It must be an http or https URL without credentials.");
  return link;
}
