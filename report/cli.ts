#!/usr/bin/env node
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { FAIL_ON, isCondition, needsLook } from "./judge/fail-on";
import type { Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";
import { runPreview } from "./run";
import { FORMATS, written } from "./write/formats";

const USAGE = `clouddb-report: what a Pulumi preview will do, as a comment on a pull request

  clouddb-report run [options] [-- FLAGS]    runs \`pulumi preview\` with these flags itself
  … pulumi preview --json | clouddb-report [options]
  clouddb-report [options] FILE...

  --output FILE     where to write the report (default: standard output)
  --format NAME     ${FORMATS.join(", ")} (default: github)
  --max-bytes N     the most bytes of the report (default: what a comment may hold there)
  --mask PATTERN    a regular expression whose matches are hidden; may be repeated
  --fail-on LIST    ends with 2 where one of these holds, separated by commas:
                    ${FAIL_ON}

Reads engine events (PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json) or the digest that
\`pulumi preview --json\` prints, from standard input or files.
Ends with 0, with 1 where there is no preview to read, with 2 where --fail-on holds.`;

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      output: { type: "string" },
      format: { type: "string", default: "github" },
      "max-bytes": { type: "string" },
      mask: { type: "string", multiple: true, default: [] },
      "fail-on": { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const format = FORMATS.find((each) => each === values.format);
  if (format === undefined) throw new UsageError(`--format ${values.format} is not one of ${FORMATS.join(", ")}`);
  const maxBytes = values["max-bytes"] === undefined ? undefined : Number(values["max-bytes"]);
  if (maxBytes !== undefined && !(Number.isInteger(maxBytes) && maxBytes >= 1000)) {
    throw new UsageError("--max-bytes is a whole number from 1000");
  }
  const conditions = values["fail-on"].split(",").filter((text) => text !== "");
  const strange = conditions.find((text) => !isCondition(text));
  if (strange !== undefined) throw new UsageError(`--fail-on has no ${strange}; it has ${FAIL_ON}`);
  const masks = values.mask.map(expression);

  const [first, ...flags] = positionals;
  const previews = await (first === "run" ? runPreview(flags) : readAll(positionals));
  const report = written(previews, format, { masks, maxBytes });
  if (values.output === undefined) process.stdout.write(report);
  else await writeFile(values.output, report);
  if (previews.some((preview) => needsLook(preview, conditions))) process.exitCode = 2;
}

async function readAll(files: readonly string[]): Promise<Preview[]> {
  if (files.length === 0) return readPreviews(process.stdin, "standard input");
  const all: Preview[] = [];
  for (const file of files) all.push(...(await readPreviews(createReadStream(file), file)));
  return all;
}

function expression(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "g");
  } catch {
    throw new UsageError(`--mask ${pattern} is no regular expression`);
  }
}

main().catch((error: Error) => {
  const isExpected = error instanceof UnreadableInput || error instanceof UsageError || "code" in error;
  console.error(`clouddb-report: ${isExpected ? error.message : error.stack}`);
  process.exitCode = 1;
});
