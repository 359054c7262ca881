import { createHash } from "node:crypto";
import { type Analysis, hasNews } from "../judge/analysis";
import type { Operation } from "../preview";
import { type About, aboutForms, noticeOf, SHORTEST_NOTICE } from "./about";
import { diffSection } from "./diff";
import { codeWithin } from "./escape";
import { type Block, bytesOf, fittedBlock } from "./fit";
import { line, SIGNS } from "./lines";
import { policySection } from "./policies";
import {
  capacitySection,
  details,
  difference,
  driftSection,
  graphSection,
  outputSection,
  section,
  treeSection,
  warningLines,
} from "./sections";

export interface MarkdownOptions {
  /** The most bytes of the whole report, from 1000. */
  readonly maxBytes: number;
  readonly about?: About;
  /** Whether it has the changes as a diff as well. */
  readonly hasDiff?: boolean;
}

const ORDER: readonly Operation[] = ["replace", "delete", "forget", "create", "import", "update", "read", "discard"];

/** The report of one stack, most important first. Details give way to the bound, the verdict with its counts stays. */
export function renderMarkdown(analysis: Analysis, { maxBytes, about = {}, hasDiff = false }: MarkdownOptions): string {
  const marker = markerOf(analysis);
  const title = titleOf(analysis);
  const forms = aboutForms(about);
  if (!hasNews(analysis)) {
    const short = `**${title}**: ${nothing(analysis)}.`;
    const candidates = forms.map(([notice, origin]) => [marker, notice, short, origin]);
    return `${firstThatFits(maxBytes, candidates, "\n")}\n`;
  }
  const [heading, failed, counts] = [`### ${title}`, failure(analysis), `**${verdict(analysis)}**`];
  const last = applyLine(analysis);
  const heads = [
    ...forms.map(([notice, origin]) => [marker, notice, heading, origin, failed, counts]),
    [marker, noticeOf(about, SHORTEST_NOTICE), counts],
  ].map(present);
  const head = heads.find((parts) => bytesOf([...parts, LEFT_OUT(100_000), last].join(SEPARATOR)) < maxBytes);
  if (!head) return `${firstThatFits(maxBytes, heads.slice(1), SEPARATOR)}\n`;
  const body = bodyOf(analysis, hasDiff, maxBytes - bytesOf([...head, LEFT_OUT(100_000), last].join(SEPARATOR)) - 1);
  return `${[...head, ...body, last].join(SEPARATOR)}\n`;
}

const SEPARATOR = "\n\n";
const LEFT_OUT = (count: number) =>
  `_${count} parts with details are left out here; \`pulumi preview --diff\` shows them._`;

export function present(parts: readonly string[]): string[] {
  return parts.filter((part) => part !== "");
}

function firstThatFits(maxBytes: number, candidates: readonly (readonly string[])[], separator: string): string {
  const texts = candidates.map((parts) => present(parts).join(separator));
  return texts.find((text) => bytesOf(text) < maxBytes) ?? texts.at(-1) ?? "";
}

/** With less room than this no part is even tried. */
const SMALLEST_PART = 60;

/** Each part takes at most its share of what is left, so that no one takes the room of those behind it. */
function bodyOf(analysis: Analysis, hasDiff: boolean, room: number): string[] {
  const { errors, irreversible, attention, unchecked, policies, capacity, changes, drift } = analysis;
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
    for (const block of blocks) take((bytes) => fittedBlock(block, bytes), share);
  };
  takeAll(
    section(
      "Errors",
      errors.map((message) => `- ${line(message)}`),
    ),
    0.3,
  );
  takeAll(section("Cannot be undone", warningLines(irreversible, "⚠️")), 0.4);
  takeAll(section("Needs a look", warningLines(attention, "👀")), 0.4);
  take((bytes) => policySection(policies, bytes), 0.7, policies.length > 0);
  takeAll(
    section(
      "Not checked",
      unchecked.map((text) => `- ❔ ${line(text)}`),
    ),
    0.4,
  );
  takeAll(outputSection(analysis), 0.4);
  takeAll(capacitySection(capacity), 0.4);
  takeAll(driftSection(drift), 0.5);
  takeAll(treeSection(changes), 0.3);
  takeAll(graphSection(changes), 0.3);
  if (hasDiff) takeAll(diffSection(analysis), 0.5);
  const ordered = ORDER.flatMap((operation) => changes.filter((change) => change.operation === operation));
  for (const [index, change] of ordered.entries()) {
    if (left < SMALLEST_PART) {
      leftOut += ordered.length - index;
      break;
    }
    takeAll([details(change)], 1);
  }
  return leftOut > 0 ? [...chosen, LEFT_OUT(leftOut)] : chosen;
}

export function titleOf({ project, stack }: Analysis): string {
  return stack === ""
    ? "a stack that the preview did not name"
    : `${codeWithin(project, 120)} / ${codeWithin(stack, 120)}`;
}

/** By this the comment of a stack is found again. */
export function markerOf({ project, stack }: Analysis): string {
  const place = encodeURIComponent(Buffer.from(`${project}/${stack}`).toString());
  const short = createHash("sha256").update(place).digest("hex").slice(0, 32);
  return `<!-- clouddb-report ${place.length > 120 ? `${place.slice(0, 80).replace(/%.?$/, "")}-${short}` : place} -->`;
}

function nothing({ stackOperation }: Analysis): string {
  return stackOperation === "same" ? "no changes" : `no resource changes; ${stackOperation} of the stack itself`;
}

function failure({ outcome }: Analysis): string {
  if (outcome === "succeeded") return "";
  return `❌ **The preview ${outcome === "failed" ? "failed" : "was cut off"}**; what is known of it is below.`;
}

/** What stays in the shortest report: how much there is of everything. */
export function verdict(analysis: Analysis): string {
  const { policies, drift, outcome, irreversible, attention, unchecked, outputs, counts } = analysis;
  const { beforeGb, afterGb } = analysis.capacity;
  const all = (result: string) =>
    policies.filter((each) => each.result === result).reduce((sum, { count }) => sum + count, 0);
  const failed = all("failed");
  const warned = all("warned");
  const operations = ORDER.filter((operation) => counts[operation]).map(
    (operation) => `${SIGNS[operation]} ${counts[operation]} to ${operation}`,
  );
  const none = outcome === "succeeded" ? "no resource changes" : "no change is known";
  return present([
    operations.length > 0 ? operations.join(", ") : none,
    beforeGb === afterGb ? "" : `capacity ${difference(beforeGb, afterGb)}`,
    counted(failed, "❌ 1 policy violation", `❌ ${failed} policy violations`),
    counted(warned, "1 policy warning", `${warned} policy warnings`),
    counted(irreversible.length, "⚠️ 1 cannot be undone", `⚠️ ${irreversible.length} cannot be undone`),
    counted(attention.length, "👀 1 needs a look", `👀 ${attention.length} need a look`),
    counted(unchecked.length, "❔ 1 not checked", `❔ ${unchecked.length} not checked`),
    counted(outputs.length, "1 output changes", `${outputs.length} outputs change`),
    counted(drift.length, "1 drifted", `${drift.length} drifted`),
  ]).join(" · ");
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? "" : count === 1 ? one : many;
}

function applyLine({ outcome, policies, stack }: Analysis): string {
  const mayApply = outcome === "succeeded" && !policies.some(({ result }) => result === "failed");
  if (!mayApply) return "Fix the errors above before applying.";
  return `To apply: ${codeWithin(`pulumi up --stack ${stack}`, 160)}`;
}
