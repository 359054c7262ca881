#!/usr/bin/env node

import { createReadStream, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { analyze } from "./analyze/analyze";
import { NEVER, unknownBehind, verdictOn } from "./analyze/gates";
import type { Analysis } from "./json-report";
import { type Options, optionsFrom, UsageError } from "./options";
import { azureThreads } from "./post/azure";
import { githubComments } from "./post/github";
import { gitlabNotes } from "./post/gitlab";
import { PostError, postReport } from "./post/post";
import type { Preview } from "./preview";
import { projectInFlags, stackInFlags, withCommand } from "./read/command";
import { secretsHider } from "./read/environment";
import { readPreviews, UnreadableInput } from "./read/input";
import { render } from "./render/render";
import { runWithEvents } from "./run";

async function main(): Promise<void> {
  const options = optionsFrom(process.argv.slice(2));
  if (!options) return;
  if (options.positionals[0] === "post") return post(options);
  const { output, format, pricePerGbHour, conditions } = options;
  const isRun = options.positionals[0] === "run";
  const { previews, isUnreadable } = isRun ? await run(options) : await read(options);
  const analyses = previews.map((preview) => analyze(preview, { pricePerGbHour }));
  const { commit, runUrl } = options.about;
  const about = { ...options.about, time: commit || runUrl ? new Date() : undefined };
  const isText = format === "markdown" && output === undefined && process.stdout.isTTY;
  const report = render(analyses, isText ? "text" : format, { about });
  if (output === undefined) process.stdout.write(report);
  else await writeFile(output, report);
  if (isUnreadable) process.exitCode = 1;
  applyGates(analyses, isRun ? [...conditions, "failed"] : conditions);
}

const PLACES = { github: githubComments, gitlab: gitlabNotes, azure: azureThreads };

async function post({ positionals, about }: Options): Promise<void> {
  const [, place = "", file, ...others] = positionals;
  const commentsOf = Object.hasOwn(PLACES, place) ? PLACES[place as keyof typeof PLACES] : undefined;
  if (!commentsOf || file === undefined || others.length > 0)
    throw new UsageError(`usage: clouddb-report post ${Object.keys(PLACES).join("|")} FILE`);
  console.log(await postReport(commentsOf(process.env), readFileSync(file, "utf8"), about.runUrl));
}

/** A condition that cannot be decided exits with 1, unless another one holds. */
function applyGates(analyses: readonly Analysis[], conditions: readonly string[]): void {
  if (conditions.includes(NEVER)) return;
  const verdicts = conditions.flatMap((condition) => analyses.map((analysis) => verdictOn(analysis, condition)));
  const reasons = new Set(verdicts.flatMap((verdict) => (typeof verdict === "object" ? [verdict.unanswered] : [])));
  for (const reason of reasons) console.error(`clouddb-report: --fail-on ${reason}.`);
  const notes = conditions.flatMap((condition) =>
    analyses.flatMap((analysis) => {
      const unknown = verdictOn(analysis, condition) === "holds" ? unknownBehind(analysis, condition) : undefined;
      return unknown === undefined ? [] : [`${condition} holds: ${unknown}`];
    }),
  );
  for (const note of notes) console.error(`clouddb-report: --fail-on ${note}.`);
  if (verdicts.includes("holds")) process.exitCode = 2;
  else if (reasons.size > 0) process.exitCode = 1;
}

interface Input {
  readonly previews: readonly Preview[];
  readonly isUnreadable: boolean;
}

async function run({ positionals, stack, project }: Options): Promise<Input> {
  const [, ...flags] = positionals;
  const { previews, errors, hasFailed } = await runWithEvents(["preview", ...flags]);
  const fallback = { stack: stackInFlags(flags) ?? process.env.PULUMI_STACK ?? "", project: projectInFlags(flags) };
  const facts = { overrides: { stack, project }, fallback, errors, hasFailed, environment: process.env };
  return { previews: withCommand(previews, facts), isUnreadable: false };
}

async function read({ positionals, stack, project, errors }: Options): Promise<Input> {
  const facts = {
    overrides: { stack, project },
    fallback: { stack: process.env.PULUMI_STACK ?? "", project: projectInFlags([]) },
    errors: errors === undefined ? "" : readFileSync(errors, "utf8"),
    hasFailed: false,
    environment: process.env,
  };
  try {
    return { previews: withCommand(await readAll(positionals), facts), isUnreadable: false };
  } catch (error) {
    // If its stack is known, its comment has to say that the preview failed.
    if (!(error instanceof UnreadableInput) || (stack ?? facts.fallback.stack) === "") throw error;
    console.error(`clouddb-report: ${error.message}`);
    return { previews: withCommand([], { ...facts, errors: facts.errors || error.message }), isUnreadable: true };
  }
}

async function readAll(files: readonly string[]): Promise<Preview[]> {
  if (files.length === 0) return readPreviews(process.stdin, "standard input");
  const all: Preview[] = [];
  for (const file of files) all.push(...(await readPreviews(createReadStream(file), file)));
  return all;
}

main().catch((error: Error) => {
  const isExpected = [UnreadableInput, UsageError, PostError].some((kind) => error instanceof kind) || "code" in error;
  const hide = secretsHider(process.env);
  const text = hide(`${isExpected ? error.message : error.stack}`);
  // The connection to a proxy that never answers would keep the process alive.
  process.stderr.write(`clouddb-report: ${text}\n`, () => process.exit(process.exitCode || 1));
});
