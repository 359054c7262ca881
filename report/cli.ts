#!/usr/bin/env node

import { createReadStream, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { analyze } from "./analyze/analyze";
import { exemptionTable, problemsOfExemptions } from "./analyze/exemptions";
import { interruption, NEVER, NO_RESULTS, unknownBehind, verdictOn } from "./analyze/gates";
import { audit } from "./audit";
import type { Analysis } from "./json-report";
import { type Options, optionsFrom, UsageError } from "./options";
import { azureThreads } from "./post/azure";
import { gitlabIssues, gitlabNotes } from "./post/gitlab";
import { nothingPosted, PostError, postReport } from "./post/post";
import { postToWebhook, readReport } from "./post/webhook";
import type { Preview } from "./preview";
import { folderInFlags, projectInFlags, stackInFlags, withCommand } from "./read/command";
import { secretsHider } from "./read/environment";
import { readPreviews, UnreadableInput } from "./read/input";
import { positionsOf, projectPlace } from "./read/positions";
import { pricesIn, readSettings, settingsIn } from "./read/settings";
import { hashOf } from "./render/hash";
import { renderJunit } from "./render/junit";
import { messageFrom } from "./render/message";
import { render } from "./render/render";
import { renderSarif } from "./render/sarif";
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
  const place = projectPlace(resolve(folderInFlags(isRun ? options.positionals.slice(1) : [])));
  const more = { folder: place.folder, ...(settings && { settings }), ...(prices && { prices }) };
  const analyses = previews.map((preview) => analyze(preview, { masks, ...more }));
  const { commit, runUrl } = options.about;
  const about = { ...options.about, time: commit || runUrl ? new Date() : undefined };
  const isUpdateOnly = options.commentIf.length > 0 && !isWorthComment(analyses, options.commentIf);
  const report = render(analyses, options.format, {
    isUpdateOnly,
    maxBytes: options.maxBytes,
    hasDiff: options.diff ?? false,
    about,
  });
  // First what people wait for: another file may not be writable.
  if (options.output === undefined) process.stdout.write(report);
  else await writeFile(options.output, report);
  if (isUnreadable) process.exitCode = 1;
  applyGates(analyses, isRun ? [...options.conditions, "failed"] : options.conditions);
  // Instead of the display, which the digest has replaced.
  if (isRun && options.sarif !== undefined) process.stderr.write(render(analyses, "text", { about }));
  if (options.hash) printHash(analyses);
  if (options.json !== undefined) await writeFile(options.json, render(analyses, "json", { about }));
  if (options.sarif !== undefined || options.junit !== undefined) requireResults(analyses);
  if (options.sarif !== undefined) await writeFile(options.sarif, renderSarif(analyses, place));
  if (options.junit !== undefined) await writeFile(options.junit, renderJunit(analyses));
}

/** Without results, the files would say that all policies passed, which closes earlier alerts. */
function requireResults(analyses: readonly Analysis[]): void {
  const isOpen = ({ outcome, notCovered, results }: Analysis) =>
    outcome === "succeeded" && notCovered.includes("policies") && results.length === 0;
  if (analyses.some(isOpen)) throw new UnreadableInput(`--sarif and --junit cannot be written: ${NO_RESULTS}.`);
}

/** Equal failures are not equal changes. */
function printHash(analyses: readonly Analysis[]): void {
  const failed = analyses.find(({ outcome }) => outcome !== "succeeded");
  if (failed === undefined) process.stdout.write(`${hashOf(analyses)}\n`);
  else {
    console.error(`clouddb-report: --hash prints nothing: ${interruption(failed)} before it finished.`);
    process.exitCode ??= 1;
  }
}

async function post(options: Options): Promise<void> {
  const { positionals, skipUnchanged, issueTitle, resolved, about } = options;
  const [, place = "", file] = positionals;
  if (place === "webhook") return notify(options);
  const notes = Object.hasOwn(PLACES, place) ? PLACES[place as keyof typeof PLACES] : undefined;
  const comments = issueTitle === undefined ? notes?.(process.env) : gitlabIssues(process.env, issueTitle);
  if (!comments || file === undefined)
    throw new UsageError("usage: clouddb-report post gitlab|azure FILE, or post webhook FILE");
  const how = { skipsUnchanged: skipUnchanged === true, isResolved: resolved === true, runUrl: about.runUrl };
  console.log((await postReport(comments, readFileSync(file, "utf8"), how)) ?? nothingPosted(how));
}

async function notify({ positionals, url = "", message, commentIf, skipUnchanged, about }: Options): Promise<void> {
  const [, , file, ...others] = positionals;
  // Only its name is printed, and a URL in its place would be.
  if (file === undefined || others.length > 0 || file.includes("://"))
    throw new UsageError("usage: clouddb-report post webhook FILE, with the URL in CLOUDDB_WEBHOOK_URL");
  const report = readReport(file);
  const conditions = skipUnchanged && commentIf.length === 0 ? ["changes"] : commentIf;
  if (conditions.length > 0 && !isWorthComment(report.stacks, conditions)) return console.log("Nothing to post.");
  const { runUrl = report.about.runUrl } = about;
  await postToWebhook(url, messageFrom({ ...report, about: { ...report.about, runUrl } }, message));
  console.log("Posted to the webhook.");
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
  const { isMet, unanswered } = decide("--fail-on", analyses, conditions);
  if (isMet) process.exitCode = 2;
  else if (unanswered) process.exitCode = 1;
}

/** True also if no condition can be decided, which exits with 1. */
function isWorthComment(analyses: readonly Analysis[], conditions: readonly string[]): boolean {
  const { isMet, unanswered } = decide("--comment-if", analyses, conditions);
  if (unanswered && !isMet) process.exitCode = 1;
  return isMet || unanswered;
}

function decide(option: string, analyses: readonly Analysis[], conditions: readonly string[]) {
  const verdicts = conditions.flatMap((condition) => analyses.map((analysis) => verdictOn(analysis, condition)));
  const reasons = new Set(verdicts.flatMap((verdict) => (typeof verdict === "object" ? [verdict.unanswered] : [])));
  for (const reason of reasons) console.error(`clouddb-report: ${option} ${reason}.`);
  const notes = conditions.flatMap((condition) =>
    analyses.flatMap((analysis) => {
      const unknown = verdictOn(analysis, condition) === "holds" ? unknownBehind(analysis, condition) : undefined;
      return unknown === undefined ? [] : [`${condition} holds: ${unknown}`];
    }),
  );
  for (const note of notes) console.error(`clouddb-report: ${option} ${note}.`);
  return { isMet: verdicts.includes("holds"), unanswered: reasons.size > 0 };
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

async function run({ positionals, stack, project, prices, sarif }: Options): Promise<Input> {
  const [, ...flags] = positionals;
  const hasPositions = sarif !== undefined;
  const { previews, errors, hasFailed, positions } = await runWithEvents(["preview", ...flags], {
    prices,
    hasPositions,
  });
  const fallback = { stack: stackInFlags(flags) ?? process.env.PULUMI_STACK ?? "", project: projectInFlags(flags) };
  const facts = { overrides: { stack, project }, fallback, errors, hasFailed, positions, environment: process.env };
  return { previews: withCommand(previews, facts), isUnreadable: false };
}

async function read({ positionals, stack, project, errors, positions }: Options): Promise<Input> {
  const digests = positions === undefined ? undefined : await readAll([positions]).catch(withoutPositions);
  const facts = {
    overrides: { stack, project },
    fallback: { stack: process.env.PULUMI_STACK ?? "", project: projectInFlags([]) },
    errors: errors === undefined ? "" : readFileSync(errors, "utf8"),
    hasFailed: false,
    ...(digests && { positions: positionsOf(digests) }),
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

/** A preview that failed early has no digest, and a fork may leave out its own; a report needs none. */
function withoutPositions(error: Error): Preview[] {
  console.error(`clouddb-report: ${error.message}`);
  return [];
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
