import { parseArgs } from "node:util";
import { conditionsIn, FAIL_ON, isCondition } from "./analyze/gates";
import { type About, linkTo } from "./render/about";
import { FEWEST_BYTES, FORMATS, type Format } from "./render/render";

export const USAGE = `clouddb-report: reports on a pull request what a Pulumi preview will do

  clouddb-report run [options] [-- FLAGS]    runs \`pulumi preview\` with these flags
  … pulumi preview --json | clouddb-report [options]
  clouddb-report [options] FILE...
  clouddb-report post gitlab|azure FILE      posts a report, or updates the one posted earlier

  --output FILE            where to write the report (default: standard output)
  --format NAME            ${FORMATS.join(", ")} (default: github)
  --json FILE              also writes the report as JSON
  --max-bytes N            maximum size of the report (default: what a comment can hold)
  --diff                   adds the changes as a diff
  --mask PATTERN           hides matches of a regular expression; repeatable
  --fail-on LIST           exits with 2 if any of these comma-separated conditions holds:
                           ${FAIL_ON};
                           run: failed, unless the list contains \`never\`
  --policies FILE          policy settings of this change: reports disabled policies
  --policies-before FILE   policy settings before it: reports disabled and weakened policies
  --prices FILE            prices: adds what the services may cost; run: also for the policies
                           (default: CLOUDDB_PRICES; none if empty)
  --notice TEXT            first line of the report, such as the source of the preview
  --commit SHA, --run-url URL   shown with the time, so that an outdated comment is recognizable
  --stack NAME, --project NAME  override the names in the input, which must then be one preview
                           (default for a preview without names: PULUMI_STACK, Pulumi.yaml)
  --skip-unchanged         post: does not create a comment for a report without changes
  --errors FILE            what \`pulumi\` printed to standard error: the reason if the events have none

Reads engine events (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json) or the digest that
\`pulumi preview --json\` prints, from standard input or files.
Exits with 0; with 1 if the input is not a preview or --fail-on cannot be decided; with 2 if --fail-on holds.`;

export class UsageError extends Error {}

export interface Options {
  readonly output: string | undefined;
  readonly json: string | undefined;
  readonly format: Format;
  readonly maxBytes: number | undefined;
  readonly hasDiff: boolean;
  readonly masks: readonly RegExp[];
  readonly conditions: readonly string[];
  readonly policies: { readonly before: string | undefined; readonly after: string } | undefined;
  /** Empty without one. */
  readonly prices: string;
  readonly about: About;
  readonly skipsUnchanged: boolean;
  readonly stack: string | undefined;
  readonly project: string | undefined;
  readonly errors: string | undefined;
  readonly positionals: readonly string[];
}

/** The options of a command line, or nothing if it asks for help. */
export function optionsFrom(args: readonly string[]): Options | undefined {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      output: text,
      json: text,
      format: { type: "string", default: "github" },
      "max-bytes": text,
      diff: { type: "boolean", default: false },
      mask: { type: "string", multiple: true, default: [] },
      "fail-on": { type: "string", default: "" },
      policies: text,
      "policies-before": text,
      prices: { type: "string", default: process.env.CLOUDDB_PRICES ?? "" },
      notice: text,
      commit: text,
      "run-url": text,
      stack: text,
      project: text,
      errors: text,
      "skip-unchanged": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const format = FORMATS.find((each) => each === values.format);
  if (format === undefined)
    throw new UsageError(`--format must be one of ${FORMATS.join(", ")}; got ${JSON.stringify(values.format)}`);
  const { policies, "policies-before": before, output, json, notice, commit, stack, project, errors } = values;
  if (before !== undefined && policies === undefined) throw new UsageError("--policies-before requires --policies");
  return {
    output,
    json,
    format,
    maxBytes: maxBytesFrom(values["max-bytes"], format),
    hasDiff: values.diff,
    masks: values.mask.map(parsePattern),
    conditions: conditionsFrom(values["fail-on"]),
    policies: policies === undefined ? undefined : { before, after: policies },
    prices: values.prices,
    about: { notice, commit, runUrl: runUrlFrom(values["run-url"]) },
    skipsUnchanged: values["skip-unchanged"],
    stack,
    project,
    errors,
    positionals,
  };
}

function maxBytesFrom(text: string | undefined, format: Format): number | undefined {
  if (text === undefined) return undefined;
  if (format === "json") throw new UsageError("--max-bytes cannot be combined with --format json");
  const number = Number(text);
  if (Number.isInteger(number) && number >= FEWEST_BYTES) return number;
  throw new UsageError(`--max-bytes must be an integer from ${FEWEST_BYTES}; got ${JSON.stringify(text)}`);
}

function conditionsFrom(list: string): string[] {
  const conditions = conditionsIn(list);
  const unknown = conditions.find((text) => !isCondition(text));
  if (unknown !== undefined)
    throw new UsageError(`--fail-on: unknown condition ${JSON.stringify(unknown)}; use ${FAIL_ON}`);
  return conditions;
}

function runUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const link = linkTo(text);
  if (link === undefined) throw new UsageError("--run-url must be an http or https URL without credentials");
  return link;
}

function parsePattern(pattern: string): RegExp {
  const mask = regExpFrom(pattern);
  if ("".match(mask) === null) return mask;
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
