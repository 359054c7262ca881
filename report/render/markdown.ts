import { createHash } from "node:crypto";
import { hasFindings } from "../analyze/analyze";
import { interruption } from "../analyze/gates";
import { capitalised } from "../analyze/values";
import type { Analysis, Operation } from "../json-report";
import { type About, aboutForms, noticeOf, SHORTEST_NOTICE } from "./about";
import { capacitySection, costText, formatDifference } from "./capacity";
import { codeSpanWithin } from "./escape";
import { type Block, bytesOf, fitBlock } from "./fit";
import { escapeLine, SIGNS, verbOf } from "./lines";
import { policySection } from "./policies";
import { changeDetails, driftSection, outputSection, section, warningLines } from "./sections";

export interface MarkdownOptions {
  /** The maximum size of the report, at least 1000. */
  readonly maxBytes: number;
  readonly about?: About;
}

const ORDER: readonly Operation[] = ["replace", "delete", "forget", "create", "import", "update", "read", "discard"];

/** The report of one stack, most important first. Details are omitted to fit the maximum size, the counts are not. */
export function renderMarkdown(analysis: Analysis, { maxBytes, about = {} }: MarkdownOptions): string {
  const marker = markerOf(analysis);
  const title = titleOf(analysis);
  const forms = aboutForms(about);
  if (!hasFindings(analysis)) {
    const short = `**${title}**: ${noFindingsText(analysis)}.`;
    const candidates = forms.map(([notice, origin]) => [marker, notice, short, origin]);
    return `${firstFitting(maxBytes, candidates, "\n")}\n`;
  }
  const [heading, failed, counts] = [`### ${title}`, failureText(analysis), `**${summaryText(analysis)}**`];
  const last = applyLine(analysis);
  const heads = [
    ...forms.map(([notice, origin]) => [marker, notice, heading, origin, failed, counts]),
    [marker, noticeOf(about, SHORTEST_NOTICE), counts],
  ].map(withoutEmpty);
  const head = heads.find((parts) => bytesOf([...parts, leftOutText(100_000), last].join(SEPARATOR)) < maxBytes);
  if (!head) return `${firstFitting(maxBytes, heads.slice(1), SEPARATOR)}\n`;
  const body = bodyOf(analysis, maxBytes - bytesOf([...head, leftOutText(100_000), last].join(SEPARATOR)) - 1);
  return `${[...head, ...body, last].join(SEPARATOR)}\n`;
}

const SEPARATOR = "\n\n";

function leftOutText(count: number): string {
  return `_${count} details omitted; run \`pulumi preview --diff\` to see all changes._`;
}

export function withoutEmpty(parts: readonly string[]): string[] {
  return parts.filter((part) => part !== "");
}

function firstFitting(maxBytes: number, candidates: readonly (readonly string[])[], separator: string): string {
  const texts = candidates.map((parts) => withoutEmpty(parts).join(separator));
  return texts.find((text) => bytesOf(text) < maxBytes) ?? texts.at(-1) ?? "";
}

/** With less room than this, no section fits. */
const SMALLEST_PART = 60;

/** Each section takes at most its share of the room that is left, so that later ones get some, too. */
function bodyOf(analysis: Analysis, room: number): string[] {
  const { errors, irreversible, attention, unchecked, policies, changes, drift } = analysis;
  let left = room;
  let leftOut = 0;
  const chosen: string[] = [];
  const take = (render: (bytes: number) => string, share: number, isWanted = true) => {
    const text = render(Math.floor(left * share) - bytesOf(SEPARATOR));
    if (text !== "") {
      chosen.push(text);
      left -= bytesOf(text) + bytesOf(SEPARATOR);
    } else if (isWanted) leftOut += 1;
  };
  const takeAll = (blocks: readonly Block[], share: number) => {
    for (const block of blocks) take((bytes) => fitBlock(block, bytes), share);
  };
  takeAll(
    section(
      "Errors",
      errors.map((message) => `- ${escapeLine(message)}`),
    ),
    0.3,
  );
  takeAll(section("Cannot be undone", warningLines(irreversible, "⚠️")), 0.4);
  takeAll(section("Needs attention", warningLines(attention, "👀")), 0.4);
  take((bytes) => policySection(policies, bytes), 0.7, policies.length > 0);
  takeAll(
    section(
      "Not checked",
      unchecked.map((text) => `- ❔ ${escapeLine(text)}`),
    ),
    0.4,
  );
  takeAll(outputSection(analysis), 0.4);
  takeAll(capacitySection(analysis), 0.4);
  takeAll(driftSection(drift), 0.5);
  const ordered = ORDER.flatMap((operation) => changes.filter((change) => change.operation === operation));
  for (const [index, change] of ordered.entries()) {
    if (left < SMALLEST_PART) {
      leftOut += ordered.length - index;
      break;
    }
    takeAll([changeDetails(change)], 1);
  }
  return leftOut > 0 ? [...chosen, leftOutText(leftOut)] : chosen;
}

export function titleOf({ project, stack }: Analysis): string {
  if (stack === "") return "unnamed stack";
  return `${codeSpanWithin(project, 120)} / ${codeSpanWithin(stack, 120)}`;
}

/** Identifies the comment of a stack. */
export function markerOf({ project, stack }: Analysis): string {
  const place = encodeURIComponent(Buffer.from(`${project}/${stack}`).toString());
  const short = createHash("sha256").update(place).digest("hex").slice(0, 32);
  return `<!-- clouddb-report ${place.length > 120 ? `${place.slice(0, 80).replace(/%.?$/, "")}-${short}` : place} -->`;
}

function noFindingsText({ stackOperation }: Analysis): string {
  return stackOperation === "same" ? "no changes" : `no resource changes; ${stackOperation} the stack itself`;
}

function failureText({ outcome }: Analysis): string {
  if (outcome === "succeeded") return "";
  return `❌ **${capitalised(interruption({ outcome }))}**; this report is incomplete.`;
}

const FORGET = `${verbOf("forget")} (keeps running)`;

/** All counts; part of even the shortest report. */
export function summaryText(analysis: Analysis): string {
  const { policies, drift, outcome, irreversible, attention, unchecked, outputs, counts } = analysis;
  const { beforeGb, afterGb, monthlyCost } = analysis.capacity;
  const all = (result: string) =>
    policies.filter((policy) => policy.result === result).reduce((sum, { count }) => sum + count, 0);
  const failed = all("failed");
  const warned = all("warned");
  const operations = ORDER.filter((operation) => counts[operation]).map(
    (operation) => `${SIGNS[operation]} ${counts[operation]} to ${operation === "forget" ? FORGET : operation}`,
  );
  const none = outcome === "succeeded" ? "no resource changes" : "no changes known";
  return withoutEmpty([
    operations.length > 0 ? operations.join(", ") : none,
    beforeGb === afterGb ? "" : `capacity ${formatDifference(beforeGb, afterGb)}`,
    monthlyCost ? costText(monthlyCost) : "",
    countText(failed, "❌ 1 policy violation", `❌ ${failed} policy violations`),
    countText(warned, "1 policy warning", `${warned} policy warnings`),
    countText(irreversible.length, "⚠️ 1 cannot be undone", `⚠️ ${irreversible.length} cannot be undone`),
    countText(attention.length, "👀 1 needs attention", `👀 ${attention.length} need attention`),
    countText(unchecked.length, "❔ 1 not checked", `❔ ${unchecked.length} not checked`),
    countText(outputs.length, "1 output changes", `${outputs.length} outputs change`),
    countText(drift.length, "1 drifted", `${drift.length} drifted`),
  ]).join(" · ");
}

function countText(count: number, one: string, many: string): string {
  return count === 0 ? "" : count === 1 ? one : many;
}

function applyLine({ outcome, policies, stack }: Analysis): string {
  const mayApply = outcome === "succeeded" && !policies.some(({ result }) => result === "failed");
  if (!mayApply) return "Fix the errors above before applying.";
  return `To apply: ${codeSpanWithin(`pulumi up --stack ${stack}`, 160)}`;
}
