import { textsOf } from "../analyze/values";
import type { Analysis, JsonReport } from "../json-report";
import { bytesOf, fitLines } from "./fit";
import {
  type About,
  MOST_BYTES,
  type RenderOptions,
  renderMarkdown,
  summaryText,
  titleOf,
  topOf,
} from "./markdown";

/** Room for the longest head of a report. */
const FEWEST_BYTES = 3000;

export const FORMATS = ["markdown", "json"] as const;
/** `text` is Markdown without its marks, for a terminal. */
export type Format = (typeof FORMATS)[number] | "text";

export function render(
  analyses: readonly Analysis[],
  format: Format,
  options: RenderOptions,
): string {
  if (format === "json") return renderJson(analyses, options);
  const markdown = renderAll(analyses, options);
  return format === "text" ? markdownToText(markdown) : markdown;
}

function renderJson(
  analyses: readonly Analysis[],
  { about: { notice, commit, runUrl, time } = {} }: RenderOptions,
): string {
  const about = { notice, commit, runUrl, time: time?.toISOString() };
  const report: JsonReport = { version: 1, about, stacks: analyses };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Removes the markup from a report for a terminal. */
function markdownToText(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->\n*/g, "")
    .replace(/<[^>]*>/g, "")
    .replace(/^#+ /gm, "")
    .replace(/\[run\]\((\S*)\)/g, "run: $1")
    .replaceAll("**", "")
    .replaceAll("&#8203;", "")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\n{3,}/g, "\n\n");
}

/** Several stacks share the maximum size; the rest of each share is available to the next stack. */
function renderAll(analyses: readonly Analysis[], options: RenderOptions): string {
  let left = Math.max(FEWEST_BYTES, options.maxBytes ?? MOST_BYTES);
  if (left / analyses.length < FEWEST_BYTES) return renderList(analyses, options.about, left);
  const reports = analyses.map((analysis, index) => {
    const share = Math.floor(left / (analyses.length - index)) - 1;
    const report = renderMarkdown(analysis, {
      ...options,
      maxBytes: index === analyses.length - 1 ? left : share,
    });
    left -= bytesOf(report) + 1;
    return report;
  });
  return reports.join("\n");
}

/** Too many stacks for a report of each: one line per stack, worst first. */
function renderList(analyses: readonly Analysis[], about: About = {}, maxBytes: number): string {
  const [first] = analyses;
  const lines = worstFirst(analyses).map((analysis) => {
    const failed = analysis.outcome === "succeeded" ? "" : "❌ ";
    return `- ${failed}${titleOf(analysis)}: ${summaryText(analysis)}`;
  });
  const rest = (count: number) => `- … and ${count} more stacks`;
  const head = first ? textsOf(...topOf(first, about)).join("\n\n") : "";
  const shown = fitLines({ lines, rest }, maxBytes - bytesOf(`${head}\n\n\n`));
  return `${head}\n\n${shown.join("\n")}\n`;
}

function worstFirst(analyses: readonly Analysis[]): Analysis[] {
  const badness = ({ outcome, policies, irreversible }: Analysis) =>
    (outcome === "succeeded" ? 0 : 4) +
    (policies.some(({ result }) => result === "failed") ? 2 : 0) +
    (irreversible.length > 0 ? 1 : 0);
  return [...analyses].sort((left, right) => badness(right) - badness(left));
}
