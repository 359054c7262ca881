import { createHash } from "node:crypto";
import { capitalized } from "pulumi-clouddb-facts";
import { hasFindings } from "../analyze/analyze";
import { interruption } from "../analyze/gates";
import { countText, textsOf } from "../analyze/values";
import type { Analysis, JsonReport } from "../json-report";
import { blocksOf, costText, differenceText, ORDER, SIGNS, verbOf } from "./blocks";
import { bytesOf, fitBlock } from "./fit";
import { codeSpan, escapeLine } from "./lines";

/**
 * The origin of a report, so that readers can judge its age and how far to trust it. `linkTo` makes
 * the URL safe.
 */
interface About extends Partial<Omit<JsonReport["about"], "time">> {
  readonly time?: Date | undefined;
}

export interface RenderOptions {
  /** The maximum size of a report, at least 3000. JSON is never shortened. */
  readonly maxBytes?: number | undefined;
  readonly about?: About;
  /** False after an operation that changes something, since nothing remains to apply. */
  readonly isPreview?: boolean | undefined;
  /** The names for a comment about several stacks. */
  readonly group?: { readonly project: string; readonly stack?: string | undefined } | undefined;
}

/** Below the smallest limit for comments, GitHub's 65,536 characters. */
export const MOST_BYTES = 65_000;

export const SEPARATOR = "\n\n";

type Names = Pick<Analysis, "organization" | "project" | "stack">;

/** The report of one stack: a head, and all blocks that fit, most important first. */
export function renderMarkdown(analysis: Analysis, options: RenderOptions): string {
  const [notice, origin] = topOf(options.about);
  const marker = markerOf(analysis);
  const title = titleOf(analysis);
  const text = hasFindings(analysis)
    ? fitted(textsOf(marker, notice, `### ${title}`, origin), analysis, options)
    : textsOf(marker, notice, `**${title}**: ${quietText(analysis)}.`, origin).join("\n");
  return `${text}\n`;
}

/** The report of one of several stacks, folded below a line. */
export function renderFolded(analysis: Analysis, line: string, options: RenderOptions): string {
  const head = `<details><summary>${line}</summary>`;
  const maxBytes = (options.maxBytes ?? MOST_BYTES) - bytesOf(`${SEPARATOR}</details>`);
  const text = hasFindings(analysis)
    ? fitted([head], analysis, { ...options, maxBytes })
    : `${head}${SEPARATOR}${capitalized(quietText(analysis))}.`;
  return `${text}${SEPARATOR}</details>`;
}

/** The text of a report without findings. */
function quietText(analysis: Analysis): string {
  const { stackOperation } = analysis;
  const text =
    stackOperation === "same"
      ? "no changes"
      : `no resource changes; ${stackOperation} the stack itself`;
  const part = partText(analysis);
  return text + (part ? ` in ${part}` : isHidden(analysis) ? `, but ${HIDDEN}` : "");
}

/** A head, and the blocks that fit below it. */
function fitted(
  top: readonly string[],
  analysis: Analysis,
  { maxBytes = MOST_BYTES, isPreview = true }: RenderOptions,
): string {
  const { outcome, lacksEvents } = analysis;
  const part = partText(analysis);
  const problem =
    outcome === "succeeded"
      ? lacksEvents && "events of the preview are missing or broken"
      : interruption(analysis);
  const failure = problem && `❌ **${capitalized(problem)}**; this report is incomplete.`;
  const scope = part
    ? `🔎 This report covers only ${part}.`
    : isHidden(analysis) && `🔎 ${capitalized(HIDDEN)}.`;
  const head = textsOf(...top, failure, scope, `**${summaryText(analysis)}**`);
  const last = textsOf(isPreview && applyLine(analysis));
  const room = maxBytes - bytesOf([...head, omittedText(100_000), ...last].join(SEPARATOR)) - 1;
  return [...head, ...bodyOf(analysis, room), ...last].join(SEPARATOR);
}

/** Too small for any block. */
const SMALLEST_BLOCK = 60;

function bodyOf(analysis: Analysis, room: number): string[] {
  const blocks = blocksOf(analysis);
  const shown: string[] = [];
  let left = room;
  for (const block of blocks) {
    if (left < SMALLEST_BLOCK) break;
    const text = fitBlock(block(), left - SEPARATOR.length);
    if (text === "") continue;
    shown.push(text);
    left -= bytesOf(text) + SEPARATOR.length;
  }
  const omitted = blocks.length - shown.length;
  return omitted > 0 ? [...shown, omittedText(omitted)] : shown;
}

function omittedText(count: number): string {
  return `_${count} details omitted; run \`pulumi preview --diff\` to see all changes._`;
}

const LONGEST_NOTICE = 500;

export function topOf({ notice = "", commit, runUrl, time }: About = {}): [string, string] {
  const text = escapeLine(notice, LONGEST_NOTICE);
  const origin = textsOf(
    commit && `Commit ${codeSpan(commit.slice(0, 12))}`,
    runUrl && `[run](${runUrl})`,
    time && `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`,
  );
  return [text && `> ${text}`, origin.join(" · ")];
}

/** A URL made safe for Markdown links; undefined if it is not a URL. */
export function linkTo(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, href, username, password } = new URL(text);
  const isPublic = /^https?:$/.test(protocol) && username === "" && password === "";
  const safe = href.replace(
    /[()<>*_|`\\[\]~@]/g,
    (match) => `%${match.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return isPublic && safe.length <= 500 ? safe : undefined;
}

export function titleOf({ organization, project, stack }: Names): string {
  if (stack === "") return "unnamed stack";
  return textsOf(organization, project, stack)
    .map((name) => codeSpan(name, 120))
    .join(" / ");
}

/** The flags that limit a preview to a part of the stack, as a phrase; empty without such flags. */
function partText({ selection }: Analysis): string {
  const isPart = selection.some((word) => /^--(target|exclude)/.test(word));
  return isPart ? `a part of the stack: ${codeSpan(shellText(selection), 150)}` : "";
}

/** True if the preview certainly covers the whole stack. */
export function isWhole(analysis: Analysis): boolean {
  return partText(analysis) === "" && !isHidden(analysis);
}

const HIDDEN =
  "it is not known whether this is the whole stack: the command does not show the flags of Pulumi";

function isHidden({ command }: Analysis): boolean {
  return command === "not known";
}

/** Quotes words for a POSIX shell. */
function shellText(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
}

/** Identifies the comment of a stack. */
export function markerOf(names: Names): string {
  const { organization, project, stack } = names;
  const name = `${organization && `${organization}/`}${project}/${stack}`;
  const place = encodeURIComponent(Buffer.from(name).toString());
  const hash = createHash("sha256").update(place).digest("hex").slice(0, 32);
  return `<!-- clouddb-report ${place.length > 120 ? `${place.slice(0, 80).replace(/%.?$/, "")}-${hash}` : place} -->`;
}

export function resultsOf(policies: Analysis["policies"], wanted: string): number {
  return policies
    .filter(({ result }) => result === wanted)
    .reduce((sum, { count }) => sum + count, 0);
}

export function operationsText(counts: Analysis["counts"]): string {
  const operations = ORDER.filter((operation) => counts[operation]).map((operation) => {
    const note = operation === "forget" ? " (keeps running)" : "";
    return `${SIGNS[operation]} ${counts[operation]} to ${verbOf(operation)}${note}`;
  });
  return operations.join(", ");
}

/** A number with its noun; empty for 0. */
export function counted(count: number, sign: string, one: string, many = one): string {
  return count > 0 ? `${sign}${countText(count, one, many)}`.trimEnd() : "";
}

/** All counts, which even the shortest report contains. */
function summaryText(analysis: Analysis): string {
  const {
    policies,
    drift,
    outcome,
    irreversible,
    attention,
    unchecked,
    outputs,
    counts,
    capacity,
  } = analysis;
  const isWhole = outcome === "succeeded" && !analysis.lacksEvents;
  const { beforeGb, afterGb, monthlyCost } = capacity;
  const results = (wanted: string) => resultsOf(policies, wanted);
  const isDearer = monthlyCost && monthlyCost.before !== monthlyCost.after;
  return textsOf(
    operationsText(counts) || (isWhole ? "no resource changes" : "no changes known"),
    beforeGb !== afterGb && `capacity ${differenceText(beforeGb, afterGb)}`,
    isDearer &&
      `cost up to ${costText(monthlyCost.after)} per month (was ${costText(monthlyCost.before)})`,
    counted(results("failed"), "❌ ", "policy violation", "policy violations"),
    counted(results("warned"), "", "policy warning", "policy warnings"),
    counted(results("excepted"), "", "excepted violation", "excepted violations"),
    counted(irreversible.length, "⚠️ ", "cannot be undone"),
    counted(attention.length, "👀 ", "needs attention", "need attention"),
    counted(unchecked.length, "❔ ", "not checked"),
    counted(outputs.length, "", "output changes", "outputs change"),
    counted(drift.length, "", "drifted"),
  ).join(" · ");
}

const LONGEST_COMMAND = 160;
const LONGEST_FLAGS = 300;

/** The command that applies the preview, with its organization and resource selection if known. */
function applyLine({
  outcome,
  command: known,
  stackOperation,
  policies,
  organization,
  project,
  stack,
  selection,
  lacksEvents,
}: Analysis): string | undefined {
  const mayApply = outcome === "succeeded" && !policies.some(({ result }) => result === "failed");
  if (!mayApply) return "Fix the errors above before applying.";
  if (lacksEvents) return "Run the preview again before applying.";
  if (known === "not known") return undefined;
  // Only a destroy deletes the stack resource.
  const verb = known ?? (stackOperation === "delete" ? "destroy" : "up");
  const name = `${organization && `${organization}/${project}/`}${stack}`;
  const command = `pulumi ${verb} --stack ${shellText([name])}`;
  const flags = shellText(selection);
  if (bytesOf(codeSpan(flags)) <= LONGEST_FLAGS)
    return `To apply: ${codeSpan(`${command} ${flags}`.trim(), LONGEST_COMMAND + LONGEST_FLAGS)}`;
  // Incomplete flags would select other resources.
  return `To apply: ${codeSpan(command, LONGEST_COMMAND)}, with the flags of this preview that select resources`;
}
