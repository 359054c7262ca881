#!/usr/bin/env node

import { createReadStream, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { analyze } from "./analyze/analyze";
import { exemptionTable, problemsOfExemptions } from "./analyze/exemptions";
import { NEVER, verdictOn } from "./analyze/gates";
import { audit } from "./audit";
import type { Analysis } from "./json-report";
import { type Options, optionsFrom, UsageError } from "./options";
import { azureThreads } from "./post/azure";
import { gitlabIssues, gitlabNotes } from "./post/gitlab";
import { nothingPosted, PostError, postReport } from "./post/post";
import type { Preview } from "./preview";
import { projectInFlags, stackInFlags, withCommand } from "./read/command";
import { secretsHider } from "./read/environment";
import { readPreviews, UnreadableInput } from "./read/input";
import { pricesIn, readSettings, settingsIn } from "./read/settings";
import { render } from "./render/render";
import { runWithEvents } from "./run";

async function main(): Promise<void> {
  const options = optionsFrom(process.argv.slice(2));
  if (!options) return;
  if (options.positionals[0] === "post") return post(options);
  if (options.positionals[0] === "exemptions") return listExemptions(options);
  const { mask: masks = [], policies } = options;
  const isRun = options.positionals[0] === "run";
  // Before the program runs, which could change the files.
  const settings = policies && readSettings(policies);
  const problems = settings ? problemsOfExemptions(settings) : [];
  if (problems.length > 0) throw new UnreadableInput(`${policies?.after}: ${problems.join("; ")}.`);
  const prices = pricesIn(options.prices);
  const { previews, isUnreadable } = await inputOf(options);
  const more = { ...(settings && { settings }), ...(prices && { prices }) };
  const analyses = previews.map((preview) => analyze(preview, { masks, ...more }));
  const { commit, runUrl } = options.about;
  const about = { ...options.about, time: commit || runUrl ? new Date() : undefined };
  const report = render(analyses, options.format, {
    maxBytes: options.maxBytes,
    hasDiff: options.diff ?? false,
    about,
  });
  if (options.json !== undefined) await writeFile(options.json, render(analyses, "json", { about }));
  if (options.output === undefined) process.stdout.write(report);
  else await writeFile(options.output, report);
  if (isUnreadable) process.exitCode = 1;
  applyGates(analyses, isRun ? [...options.conditions, "failed"] : options.conditions);
}

async function post({ positionals, skipUnchanged, issueTitle, resolved, about }: Options): Promise<void> {
  const [, place = "", file] = positionals;
  if (issueTitle !== undefined && place !== "gitlab") throw new UsageError("--issue-title requires post gitlab");
  const notes = Object.hasOwn(PLACES, place) ? PLACES[place as keyof typeof PLACES] : undefined;
  const comments = issueTitle === undefined ? notes?.(process.env) : gitlabIssues(process.env, issueTitle);
  if (!comments || file === undefined) throw new UsageError("usage: clouddb-report post gitlab|azure FILE");
  const options = { skipsUnchanged: skipUnchanged === true, isResolved: resolved === true, runUrl: about.runUrl };
  console.log((await postReport(comments, readFileSync(file, "utf8"), options)) ?? nothingPosted(options));
}

/** For people who look after them: all exemptions of a settings file. */
function listExemptions({ positionals }: Options): void {
  const [, file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError("usage: clouddb-report exemptions FILE");
  const settings = settingsIn(file);
  process.stdout.write(exemptionTable(settings));
  const problems = problemsOfExemptions({ after: settings });
  if (problems.length > 0) throw new UnreadableInput(`${file}: ${problems.join("; ")}.`);
}

const PLACES = { gitlab: gitlabNotes, azure: azureThreads };

/** A condition that cannot be decided exits with 1, unless another one holds. */
function applyGates(analyses: readonly Analysis[], conditions: readonly string[]): void {
  if (conditions.includes(NEVER)) return;
  const verdicts = conditions.flatMap((condition) => analyses.map((analysis) => verdictOn(analysis, condition)));
  const unanswered = verdicts.flatMap((verdict) => (typeof verdict === "object" ? [verdict.unanswered] : []));
  for (const reason of new Set(unanswered)) console.error(`clouddb-report: ${reason}.`);
  if (verdicts.includes("holds")) process.exitCode = 2;
  else if (unanswered.length > 0) process.exitCode = 1;
}

interface Input {
  readonly previews: readonly Preview[];
  readonly isUnreadable: boolean;
}

function inputOf(options: Options): Promise<Input> {
  const [command] = options.positionals;
  return command === "audit" ? auditAll(options) : command === "run" ? run(options) : read(options);
}

async function auditAll(options: Options): Promise<Input> {
  const previews = await audit(options);
  return { previews, isUnreadable: previews.some(({ outcome }) => outcome !== "succeeded") };
}

async function run({ positionals, stack, project, prices }: Options): Promise<Input> {
  const [, ...flags] = positionals;
  const { previews, errors, hasFailed } = await runWithEvents(["preview", ...flags], prices);
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
  process.stderr.write(`clouddb-report: ${text}\n`, () => process.exit(1));
});
