import { parseArgs } from "node:util";
import { conditionsIn, FAIL_ON, isCondition } from "./judge/fail-on";
import { type About, linkTo } from "./write/about";
import { FEWEST_BYTES, FORMATS, type Format } from "./write/formats";

export const USAGE = `clouddb-report: what a Pulumi preview will do, as a comment on a pull request

  clouddb-report run [options] [-- FLAGS]    runs \`pulumi preview\` with these flags itself
  … pulumi preview --json | clouddb-report [options]
  clouddb-report [options] FILE...
  clouddb-report post gitlab|azure FILE      keeps one comment of a merge or pull request up to date, in CI

  --output FILE            where to write the report (default: standard output)
  --format NAME            ${FORMATS.join(", ")} (default: github)
  --json FILE              also writes the report as JSON
  --max-bytes N            the most bytes of the report (default: what a comment may hold there)
  --diff                   adds the changes as a diff
  --mask PATTERN           a regular expression whose matches are hidden; may be repeated
  --fail-on LIST           ends with 2 where one of these holds, separated by commas:
                           ${FAIL_ON};
                           run: failed, unless the list holds \`never\`
  --policies FILE          the policy settings of this change: lists policies that are disabled
  --policies-before FILE   the settings before: lists policies that are disabled or weakened
  --notice TEXT            the first line of the report: whose preview this is
  --commit SHA, --run-url URL   what the report is about; with the time, they show that a comment is old
  --stack NAME, --project NAME  whose preview it is where it failed before it said so
                           (default: PULUMI_STACK, and Pulumi.yaml)
  --skip-unchanged         post: a report of no changes makes no comment where there is none yet
  --errors FILE            what \`pulumi\` printed to standard error: the reason where the events have none

Reads engine events (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json) or the digest that
\`pulumi preview --json\` prints, from standard input or files.
Ends with 0; with 1 where there is no preview to read or --fail-on cannot be decided; with 2 where --fail-on holds.`;

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
  readonly about: About;
  readonly skipsUnchanged: boolean;
  readonly stack: string | undefined;
  readonly project: string | undefined;
  readonly errors: string | undefined;
  readonly positionals: readonly string[];
}

/** The command line, or nothing where it asks for help. */
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
  if (format === undefined) throw new UsageError(`--format ${values.format} is not one of ${FORMATS.join(", ")}`);
  const { policies, "policies-before": before, output, json, notice, commit, stack, project, errors } = values;
  if (before !== undefined && policies === undefined) throw new UsageError("--policies-before needs --policies");
  return {
    output,
    json,
    format,
    maxBytes: maxBytesFrom(values["max-bytes"], format),
    hasDiff: values.diff,
    masks: values.mask.map(expression),
    conditions: conditionsFrom(values["fail-on"]),
    policies: policies === undefined ? undefined : { before, after: policies },
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
  if (format === "json") throw new UsageError("--max-bytes does not apply to --format json");
  const number = Number(text);
  if (Number.isInteger(number) && number >= FEWEST_BYTES) return number;
  throw new UsageError(`--max-bytes must be an integer from ${FEWEST_BYTES}; got ${JSON.stringify(text)}`);
}

function conditionsFrom(list: string): string[] {
  const conditions = conditionsIn(list);
  const strange = conditions.find((text) => !isCondition(text));
  if (strange !== undefined) throw new UsageError(`--fail-on does not know ${strange}; it knows ${FAIL_ON}`);
  return conditions;
}

function runUrlFrom(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const link = linkTo(text);
  if (link === undefined) throw new UsageError("--run-url must be an http or https URL without credentials");
  return link;
}

function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "g");
  } catch {
    throw new UsageError(`--mask ${pattern} is not a regular expression`);
  }
}
