import { Command, Option } from "@commander-js/extra-typings";
import { CommanderError } from "commander";
import { CONDITIONS, conditionsIn, isCondition } from "./analyze/gates";
import { capitalised } from "./analyze/values";
import { type About, linkTo } from "./render/about";
import { FORMATS } from "./render/render";

export class UsageError extends Error {}

const REPORTING = ["output", "format", "failOn", "pricePerGbHour", "notice", "commit", "runUrl", "stack", "project"];
const READ = "clouddb-report FILE";

/** The options of each command: others would be ignored, and are refused. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  [READ]: [...REPORTING, "errors"],
  run: REPORTING,
  post: ["runUrl"],
};

/** The one definition of the options: the help text and the README's table come from it, too. */
export const program = new Command("clouddb-report")
  .addHelpText("beforeAll", "clouddb-report: reports on a pull request what a Pulumi preview will do\n")
  .usage(
    `run [options] [-- FLAGS]    runs \`pulumi preview\` with these flags
  … pulumi preview --json | clouddb-report [options]
  clouddb-report [options] FILE...
  clouddb-report post github|gitlab|azure FILE    posts a report, or updates the one posted earlier`,
  )
  .argument("[words...]")
  .option("--output <FILE>", "where to write the report (default: standard output)")
  .addOption(
    new Option("--format <NAME>", `${FORMATS.join(" or ")}; a terminal shows Markdown as plain text`).default(
      FORMATS[0],
    ),
  )
  .option(
    "--fail-on <LIST>",
    `exits with 2 if any of these comma-separated conditions holds, of each stack by itself: ${CONDITIONS}; run: failed, unless the list contains \`never\``,
  )
  .option(
    "--price-per-gb-hour <N>",
    "adds the maximum cost of all services per month: 730 hours at this price for each gigabyte",
  )
  .option("--notice <TEXT>", "first line of the report, such as the source of the preview")
  .option("--commit <SHA>", "shown with the time, so that an outdated comment is recognizable")
  .option("--run-url <URL>", "shown with the time, too; post: linked if the report cannot be posted")
  .option(
    "--stack <NAME>",
    "overrides the name in the input, which must then be one preview (default for a preview without: PULUMI_STACK)",
  )
  .option("--project <NAME>", "likewise (default for a preview without: that of Pulumi.yaml)")
  .option(
    "--errors <FILE>",
    "what `pulumi` printed to standard error: the reason if the events have none; run: known without it",
  )
  .helpOption("--help", "prints this")
  .configureHelp({ optionTerm: ({ flags }) => flags.replace(/[<>]/g, "") })
  .addHelpText(
    "after",
    `
Reads engine events (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json) from standard input or files.
Exits with 0; with 1 if the input is not a preview or if --fail-on cannot be decided; with 2 if --fail-on holds.`,
  )
  .configureOutput({ outputError: () => {} })
  .exitOverride();

export type Options = NonNullable<ReturnType<typeof optionsFrom>>;

/** The options of a command line, or nothing if it asks for help, which is then printed. */
export function optionsFrom(args: readonly string[]) {
  const values = parse(args);
  if (values === undefined) return undefined;
  const { failOn, format, pricePerGbHour, notice, commit, runUrl, ...rest } = values;
  refuseOthers(program.args);
  return {
    ...rest,
    format: oneOf(FORMATS, format),
    conditions: conditionsFrom(failOn),
    pricePerGbHour: priceFrom(pricePerGbHour),
    about: { notice, commit, runUrl: runUrlFrom(runUrl) } satisfies About,
    positionals: program.args,
  };
}

function parse(args: readonly string[]) {
  try {
    return program.parse(args, { from: "user" }).opts();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw new UsageError(sentenceOf(error.message));
  }
}

function refuseOthers([command = ""]: readonly string[]): void {
  const name = Object.hasOwn(OPTIONS_OF, command) ? command : READ;
  const own = OPTIONS_OF[name];
  const isOther = (option: string) => program.getOptionValueSource(option) === "cli" && !own?.includes(option);
  const other = own && program.options.find((option) => isOther(option.attributeName()));
  if (!other) return;
  const commands = Object.keys(OPTIONS_OF).filter((key) => OPTIONS_OF[key]?.includes(other.attributeName()));
  throw new UsageError(`${other.long} is not an option of ${name}; it belongs to: ${commands.join(", ")}`);
}

/** Commander's message in one line, such as `Unknown option '--colour'`, without the option's value. */
export function sentenceOf(message: string): string {
  const text = message
    .replace(/^error: /, "")
    .replace(/^(unknown option '[^=']*)=.*'/s, "$1'")
    .replaceAll("\n", " ");
  return capitalised(text);
}

function oneOf<Name extends string>(names: readonly Name[], text: string): Name {
  const name = names.find((item) => item === text);
  if (name !== undefined) return name;
  throw new UsageError(`--format must be one of ${names.join(", ")}; got ${JSON.stringify(text)}`);
}

function conditionsFrom(list = ""): string[] {
  const conditions = conditionsIn(list);
  const unknown = conditions.find((text) => !isCondition(text));
  if (unknown !== undefined)
    throw new UsageError(`--fail-on: unknown condition ${JSON.stringify(unknown)}; use ${CONDITIONS}`);
  return conditions;
}

function priceFrom(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const price = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(price) && price >= 0) return price;
  throw new UsageError(`--price-per-gb-hour must be a number from 0; got ${JSON.stringify(text)}`);
}

function runUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const link = linkTo(text);
  if (link === undefined) throw new UsageError("--run-url must be an http or https URL without credentials");
  return link;
}
