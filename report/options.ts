import { Command, Option } from "@commander-js/extra-typings";
import { CommanderError } from "commander";
import { CONDITIONS, conditionsIn, isCondition } from "./analyze/gates";
import { capitalised } from "./analyze/values";
import { type About, linkTo } from "./render/about";
import { MESSAGES } from "./render/message";
import { FEWEST_BYTES, FORMATS, type Format } from "./render/render";

export class UsageError extends Error {}

const REPORTING = [
  ...["output", "format", "json", "sarif", "junit", "hash", "maxBytes", "diff", "mask", "failOn", "commentIf"],
  ...["policies", "policiesBefore", "prices", "notice", "commit", "runUrl", "stack"],
];
const READ = "clouddb-report FILE";

/** The options of each command: others would be ignored, and are refused. */
const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  [READ]: [...REPORTING, "project", "errors", "positions"],
  run: [...REPORTING, "project"],
  audit: [...REPORTING, "refresh"],
  "post gitlab": ["skipUnchanged", "issueTitle", "resolved", "runUrl"],
  "post azure": ["skipUnchanged", "runUrl"],
  "post webhook": ["format", "url", "skipUnchanged", "commentIf", "runUrl"],
  exemptions: [],
};

/** The one definition of the options: the help text and the README's table come from it, too. */
export const program = new Command("clouddb-report")
  .addHelpText("beforeAll", "clouddb-report: reports on a pull request what a Pulumi preview will do\n")
  .usage(
    `run [options] [-- FLAGS]    runs \`pulumi preview\` with these flags
  … pulumi preview --json | clouddb-report [options]
  clouddb-report [options] FILE...
  clouddb-report audit [options] -- FLAGS    runs \`pulumi policy analyze\` with these flags: no program, no changes
  clouddb-report post gitlab|azure FILE      posts a report, or updates the one posted earlier
  clouddb-report post webhook FILE           sends a report that --json has written to CLOUDDB_WEBHOOK_URL
  clouddb-report exemptions FILE             lists the exemptions in a policy settings file`,
  )
  .argument("[words...]")
  .option("--output <FILE>", "where to write the report (default: standard output)")
  .addOption(
    new Option("--format <NAME>", `${FORMATS.join(", ")}; post webhook: ${MESSAGES.join(", ")}`).default("github"),
  )
  .option("--json <FILE>", "also writes the report as JSON")
  .option(
    "--sarif <FILE>",
    "also writes policy violations as SARIF 2.1.0, such as for GitHub; run: with their places in the program, and the report as text instead of Pulumi's display",
  )
  .option("--junit <FILE>", "also writes policy results as JUnit XML, such as for GitLab's test tab")
  .option(
    "--positions <FILE>",
    "the digest of the same preview (`pulumi preview --json --show-sames`), which has the places in the program; run: known without it",
  )
  .option("--hash", "prints a hash of what will happen: equal previews have equal hashes; requires --output")
  .option(
    "--max-bytes <N>",
    `maximum size, at least ${FEWEST_BYTES} (default: what a comment can hold); never exceeded: details are omitted, the counts are not`,
  )
  .option("--diff", "adds the changes as a diff")
  .option(
    "--mask <PATTERN>",
    "hides matches of a regular expression, which must not match the empty string; repeatable",
    withMask,
  )
  .option(
    "--fail-on <LIST>",
    `exits with 2 if any of these comma-separated conditions holds, of each stack by itself: ${CONDITIONS}; run: failed, unless the list contains \`never\``,
  )
  .option(
    "--comment-if <LIST>",
    "the report becomes a comment only if any of these conditions holds, as for --fail-on; otherwise it only updates an earlier one; post webhook: sends a message only then",
  )
  .option("--policies <FILE>", "policy settings of this change: reports disabled policies")
  .option(
    "--policies-before <FILE>",
    "policy settings before it, such as the base branch's: reports disabled and weakened policies",
  )
  .addOption(
    new Option(
      "--prices <FILE>",
      "a price file (`docs/cost.md` in the repository): adds what the services may cost per month; run: also for the policies; none if empty",
    ).env("CLOUDDB_PRICES"),
  )
  .option("--notice <TEXT>", "first line of the report, such as the source of the preview")
  .option("--commit <SHA>", "shown with the time, so that an outdated comment is recognizable")
  .option("--run-url <URL>", "shown with the time, too")
  .option(
    "--stack <NAME>",
    "overrides the name in the input, which must then be one preview (default for a preview without: PULUMI_STACK); audit: this stack, repeatable (default: PULUMI_STACK, or all stacks of the project)",
    (name, names: readonly string[] = []) => [...names, name],
  )
  .option("--project <NAME>", "likewise (default for a preview without: that of Pulumi.yaml)")
  .addOption(
    new Option(
      "--url <URL>",
      "post webhook: where to send; a secret, which the variable hides from other processes",
    ).env("CLOUDDB_WEBHOOK_URL"),
  )
  .option("--skip-unchanged", "post: does not create a comment for a report without changes")
  .option("--issue-title <TEXT>", "post gitlab: opens or updates the issue with this title instead of a note")
  .option("--resolved", "post: closes the issue with a comment, if one is open, because the check passed")
  .option(
    "--errors <FILE>",
    "what `pulumi` printed to standard error: the reason if the events have none; run: known without it",
  )
  .option("--refresh", "audit: first runs `pulumi refresh`, which reads each resource and updates the stored state")
  .helpOption("--help", "prints this")
  .configureHelp({ optionTerm: ({ flags }) => flags.replace(/[<>]/g, "") })
  .addHelpText(
    "after",
    `
Reads engine events (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json) or the digest that
\`pulumi preview --json\` prints, from standard input or files.
Exits with 0; with 1 if the input is not a preview or if --fail-on or --comment-if cannot be decided; with 2 if --fail-on holds.`,
  )
  .configureOutput({ outputError: () => {} })
  .exitOverride();

export type Options = NonNullable<ReturnType<typeof optionsFrom>>;

/** The options of a command line, or nothing if it asks for help, which is then printed. */
export function optionsFrom(args: readonly string[]) {
  const values = parse(args);
  if (values === undefined) return undefined;
  const { policies, policiesBefore: before, notice, commit, runUrl, stack: stacks = [], ...rest } = values;
  refuseOthers(program.args);
  if (rest.positions !== undefined && rest.sarif === undefined && rest.json === undefined)
    throw new UsageError("--positions requires --sarif or --json, because the report does not show them");
  if (rest.resolved && rest.issueTitle === undefined) throw new UsageError("--resolved requires --issue-title");
  if (before !== undefined && policies === undefined) throw new UsageError("--policies-before requires --policies");
  const isWebhook = program.args[0] === "post" && program.args[1] === "webhook";
  const hasFormat = program.getOptionValueSource("format") !== "default";
  const format = isWebhook ? "json" : oneOf(FORMATS, values.format);
  if (!isWebhook && values.commentIf !== undefined && (format === "json" || format === "text"))
    throw new UsageError("--comment-if requires --format github, gitlab or azure");
  if (values.hash && values.output === undefined)
    throw new UsageError("--hash requires --output, because both would go to standard output");
  return {
    ...rest,
    stack: stacks.at(-1),
    stacks,
    format,
    message: isWebhook && hasFormat ? oneOf(MESSAGES, values.format) : "json",
    maxBytes: maxBytesFrom(values.maxBytes, format),
    conditions: conditionsFrom("--fail-on", values.failOn),
    commentIf: conditionsFrom("--comment-if", values.commentIf),
    policies: policies === undefined ? undefined : { before, after: policies },
    prices: values.prices ?? "",
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

function refuseOthers([command = "", place]: readonly string[]): void {
  const name = command === "post" ? `post ${place}` : Object.hasOwn(OPTIONS_OF, command) ? command : READ;
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

function maxBytesFrom(text: string | undefined, format: Format): number | undefined {
  if (text === undefined) return undefined;
  if (format === "json") throw new UsageError("--max-bytes cannot be combined with --format json");
  const number = Number(text);
  if (Number.isInteger(number) && number >= FEWEST_BYTES) return number;
  throw new UsageError(`--max-bytes must be an integer from ${FEWEST_BYTES}; got ${JSON.stringify(text)}`);
}

function conditionsFrom(option: string, list = ""): string[] {
  const conditions = conditionsIn(list);
  const unknown = conditions.find((text) => !isCondition(text));
  if (unknown !== undefined)
    throw new UsageError(`${option}: unknown condition ${JSON.stringify(unknown)}; use ${CONDITIONS}`);
  return conditions;
}

function runUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const link = linkTo(text);
  if (link === undefined) throw new UsageError("--run-url must be an http or https URL without credentials");
  return link;
}

/** Adds a mask to those of earlier options. */
export function withMask(pattern: string, masks: readonly RegExp[] = []): readonly RegExp[] {
  const mask = regExpFrom(pattern);
  if ("".match(mask) === null) return [...masks, mask];
  const reason = "must not match the empty string, because that is between all characters";
  throw new UsageError(`--mask ${reason}; got ${JSON.stringify(pattern)}`);
}

function regExpFrom(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "g");
  } catch {
    throw new UsageError(`--mask must be a regular expression; got ${JSON.stringify(pattern)}`);
  }
}
