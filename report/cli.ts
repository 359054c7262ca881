#!/usr/bin/env node
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { FAIL_ON, isCondition, needsLook } from "./judge/fail-on";
import type { Preview } from "./preview";
import { readPreviews, UnreadableInput } from "./read/input";
import { markdownOf } from "./write/markdown";

const USAGE = `clouddb-report: what a Pulumi preview will do, as a comment on a pull request

  PULUMI_ENABLE_STREAMING_JSON_PREVIEW=true pulumi preview --json | clouddb-report [options] [FILE...]

  --output FILE     where to write the report (default: standard output)
  --max-bytes N     the most bytes of a report (default: 65000)
  --mask PATTERN    a regular expression whose matches are hidden; may be repeated
  --fail-on LIST    ends with 2 where one of these holds, separated by commas:
                    ${FAIL_ON}

Reads engine events or the digest of \`pulumi preview --json\`, from files or standard input.
Ends with 0, with 1 where there is no preview to read, with 2 where --fail-on holds.`;

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      output: { type: "string" },
      "max-bytes": { type: "string", default: "65000" },
      mask: { type: "string", multiple: true, default: [] },
      "fail-on": { type: "string", default: "" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const maxBytes = Number(values["max-bytes"]);
  if (!Number.isInteger(maxBytes) || maxBytes < 1000) throw new UsageError("--max-bytes is a whole number from 1000");
  const conditions = values["fail-on"].split(",").filter((text) => text !== "");
  const strange = conditions.find((text) => !isCondition(text));
  if (strange !== undefined) throw new UsageError(`--fail-on has no ${strange}; it has ${FAIL_ON}`);
  const masks = values.mask.map(expression);

  const previews = await readAll(positionals);
  const share = Math.floor(maxBytes / previews.length);
  const report = previews.map((preview) => markdownOf(preview, { masks, maxBytes: share })).join("\n");
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
