#!/usr/bin/env node

import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { CommanderError } from "commander";
import { UnfinishedError, untilSettled } from "pulumi-clouddb-facts";
import { type AnalysisOptions, analyze } from "./analyze/analyze";
import { withCost } from "./analyze/capacity";
import { NEVER, verdictOn } from "./analyze/gates";
import type { Analysis } from "./json-report";
import { postCommand, program, readCommand, runCommand, sentenceOf } from "./options";
import { PLACES } from "./post/places";
import { PostError, postReport } from "./post/post";
import {
  type CommandFacts,
  fullName,
  projectIn,
  refuseNames,
  withCommand,
  withKnownNames,
  withNames,
} from "./read/command";
import { flagsOf } from "./read/flags";
import { type Input, readInput, textIn, UnreadableInput } from "./read/input";
import { secretsHider } from "./read/redactor";
import type { RenderOptions } from "./render/markdown";
import { render } from "./render/render";
import { runPreview } from "./run";

class UsageError extends Error {}

interface Options extends ReturnType<typeof runCommand.opts>, Pick<RenderOptions, "group"> {
  readonly isShown?: boolean;
}

readCommand.action(async (files, options) => {
  const { stack: name, project } = options;
  const isGroup = files.length > 1;
  if (isGroup && options.errors !== undefined)
    throw new UsageError("--errors belongs to one preview: pass one file, or omit it");
  const errors = options.errors === undefined ? "" : textIn(options.errors);
  const folder = projectIn(".");
  const analyses: Analysis[] = [];
  for (const file of files) {
    const stack = isGroup ? basename(file, ".json") : (process.env.PULUMI_STACK ?? "");
    const facts = {
      overrides: { stack: isGroup ? undefined : name, project },
      fallback: { stack, project: folder },
      errors,
      hasFailed: false,
      environment: process.env,
    };
    try {
      const input = await readFile(file);
      // A JSON report's program chooses its content, but the file's name decides the stack.
      const isReport = input.analyses.length > 0 || file.endsWith(".json");
      const isKnown = isReport && (isGroup || name);
      const known = isKnown ? withKnownNames(input, facts, file) : input;
      analyses.push(...stacksOf(known, facts, options));
    } catch (error) {
      // If the stack is known, its comment must report the failed preview.
      if (!(error instanceof UnreadableInput) || (facts.overrides.stack ?? stack) === "")
        throw error;
      console.error(`clouddb-report: ${error.message}`);
      process.exitCode = 1;
      const reason = { ...facts, errors: errors || error.message };
      analyses.push(...stacksOf({}, reason, options));
    }
  }
  refuseRepeated(analyses);
  const group = isGroup ? { project: project ?? folder, stack: name } : undefined;
  await report(analyses, { ...options, group });
  applyGates(analyses, options.failOn);
});

/** In a table, one row would hide the other. */
function refuseRepeated(analyses: readonly Analysis[]): void {
  const seen = new Set<string>();
  for (const analysis of analyses) {
    const name = fullName(analysis);
    if (analysis.stack !== "" && seen.has(name))
      throw new UsageError(`two previews are of the stack ${name}: pass one for each stack`);
    seen.add(name);
  }
}

function stacksOf(
  { previews = [], analyses = [] }: Partial<Input>,
  facts: CommandFacts,
  options: AnalysisOptions,
): Analysis[] {
  if (analyses.length === 0)
    return withCommand(previews, facts).map((preview) => analyze(preview, options));
  refuseNames(analyses, facts);
  return analyses.map((analysis) => ({
    ...withNames(analysis, facts),
    capacity: withCost(analysis.capacity, options.pricePerGbHour),
  }));
}

async function readFile(file: string): Promise<Input> {
  const [stream, source] =
    file === "-" ? [process.stdin, "standard input"] : [createReadStream(file), file];
  return readInput(stream, source).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof UnreadableInput) throw error;
    throw new UnreadableInput(
      error.code === "ENOENT"
        ? `${file} does not exist: the preview ended before it wrote its report, and its log has the reason.`
        : `${source} cannot be read: ${error.message}`,
    );
  });
}

runCommand.action(async (command, options) => {
  const [first = "-"] = command;
  if (first.startsWith("-"))
    throw new UsageError(
      "run needs the whole command after --, such as: clouddb-report run -- pulumi preview --diff",
    );
  const flags = flagsOf(command);
  const { previews, ...ending } = await runPreview(flags);
  const { stack = process.env.PULUMI_STACK ?? "", folder } = flags;
  const fallback = { stack, project: projectIn(folder) };
  const facts = { ...ending, overrides: options, fallback, flags, environment: process.env };
  const analyses = stacksOf({ previews }, facts, options);
  await report(analyses, { ...options, isShown: true });
  const { failOn = [] } = options;
  // Unexpected changes fail the command, but the preview succeeded.
  const isUnexpected =
    flags.expectsNoChanges &&
    ending.hasFailed &&
    analyses.every(({ outcome }) => outcome === "succeeded");
  applyGates(analyses, isUnexpected ? [...failOn, "changes"] : failOn);
});

postCommand.action(async (place, file, { runUrl }) => {
  if (!Object.hasOwn(PLACES, place))
    throw new UsageError(
      `unknown place ${JSON.stringify(place)}; use ${Object.keys(PLACES).join(", ")}`,
    );
  const comments = PLACES[place as keyof typeof PLACES](process.env);
  console.log(await postReport(comments, textIn(file), runUrl));
});

/**
 * Writes the report. With a file, standard error also gets it, as Pulumi would show the preview.
 */
async function report(
  analyses: readonly Analysis[],
  { format, output, notice, commit, runUrl, isShown, group }: Options,
): Promise<void> {
  const about = { notice, commit, runUrl, time: commit || runUrl ? new Date() : undefined };
  const isText = format === "markdown" && output === undefined && process.stdout.isTTY;
  const text = render(analyses, isText ? "text" : format, { about, group });
  if (output === undefined) process.stdout.write(text);
  else await writeFile(output, text);
  if (output !== undefined && isShown) process.stderr.write(render(analyses, "text", { about }));
}

/**
 * A failed preview counts as a condition. An undecided condition exits with 1, unless another one
 * holds.
 */
function applyGates(analyses: readonly Analysis[], failOn: readonly string[] = []): void {
  if (failOn.includes(NEVER)) return;
  for (const analysis of analyses) {
    const place = fullName(analysis);
    for (const condition of new Set([...failOn, "failed"])) {
      const verdict = verdictOn(analysis, condition);
      if (verdict === "passes") continue;
      const isHeld = "holds" in verdict;
      const text = isHeld ? `holds: ${verdict.holds}` : `cannot be decided: ${verdict.unanswered}`;
      console.error(`clouddb-report: ${place && `${place}: `}--fail-on ${condition} ${text}.`);
      process.exitCode = isHeld ? 2 : process.exitCode || 1;
    }
  }
}

untilSettled(() => program.parseAsync()).catch((error: Error) => {
  if (error instanceof CommanderError && error.exitCode === 0) return;
  const isExpected =
    [UnreadableInput, UsageError, PostError, UnfinishedError].some(
      (kind) => error instanceof kind,
    ) || "code" in error;
  const text =
    error instanceof CommanderError
      ? sentenceOf(error.message)
      : isExpected
        ? error.message
        : error.stack;
  // An open connection to a silent proxy would keep the process alive.
  process.stderr.write(`clouddb-report: ${secretsHider(process.env)(`${text}`)}\n`, () =>
    process.exit(process.exitCode || 1),
  );
});
