import { type Analysis, type AnalysisOptions, analyze } from "../judge/analysis";
import type { Preview } from "../preview";
import { type About, aboutForms } from "./about";
import { bytesOf, fitted } from "./fit";
import { renderJson } from "./json";
import { type MarkdownOptions, markerOf, present, renderMarkdown, titleOf, verdict } from "./markdown";
import { textOf } from "./text";

/** What a comment may hold where it is read: GitHub's limit is 65,536 characters, GitLab's a million, Azure's 150,000. */
const MOST_BYTES = { github: 65_000, gitlab: 990_000, azure: 149_000, text: 1_000_000, json: Number.POSITIVE_INFINITY };

export type Format = keyof typeof MOST_BYTES;
export const FORMATS = Object.keys(MOST_BYTES) as Format[];
/** A report that is shorter could not say what it leaves out. */
export const FEWEST_BYTES = 1000;

export interface RenderOptions {
  /** At least 1000. JSON has no bound: half of it would be none. */
  readonly maxBytes?: number | undefined;
  readonly about?: About;
  readonly hasDiff?: boolean;
}

export function written(
  previews: readonly Preview[],
  format: Format,
  options: AnalysisOptions & RenderOptions,
): string {
  return render(
    previews.map((preview) => analyze(preview, options)),
    format,
    options,
  );
}

export function render(analyses: readonly Analysis[], format: Format, options: RenderOptions): string {
  if (format === "json") return renderJson(analyses, options.about);
  const maxBytes = Math.max(FEWEST_BYTES, options.maxBytes ?? MOST_BYTES[format]);
  const markdown = renderAll(analyses, { ...options, maxBytes });
  return format === "text" ? textOf(markdown) : markdown;
}

/** Several stacks share the bound; what one does not need is left to those behind it. */
function renderAll(analyses: readonly Analysis[], options: MarkdownOptions): string {
  if (options.maxBytes / analyses.length < FEWEST_BYTES) return renderList(analyses, options);
  let left = options.maxBytes;
  const reports = analyses.map((analysis, index) => {
    const share = Math.floor(left / (analyses.length - index)) - 1;
    const report = renderMarkdown(analysis, { ...options, maxBytes: index === analyses.length - 1 ? left : share });
    left -= bytesOf(report) + 1;
    return report;
  });
  return reports.join("\n");
}

/** For a line of one stack, and how many more there are. */
const LEAST_ROOM = 400;

/** Too many stacks for a report of each: a line of each, the worst first. */
function renderList(analyses: readonly Analysis[], { maxBytes, about = {} }: MarkdownOptions): string {
  const [first] = analyses;
  const badness = ({ outcome, policies, irreversible }: Analysis) =>
    (outcome === "succeeded" ? 0 : 4) +
    (policies.some(({ result }) => result === "failed") ? 2 : 0) +
    (irreversible.length > 0 ? 1 : 0);
  const sorted = [...analyses].sort((left, right) => badness(right) - badness(left));
  const lines = sorted.map((analysis) => {
    const failed = analysis.outcome === "succeeded" ? "" : "❌ ";
    return `- ${failed}${titleOf(analysis)}: ${verdict(analysis)}`;
  });
  const rest = (count: number) => `- … and ${count} more stacks`;
  const texts = aboutForms(about).map(([notice, origin]) => {
    const head = present([first ? markerOf(first) : "", notice, origin]).join("\n\n");
    const room = maxBytes - bytesOf(`${head}\n\n\n`);
    return { text: `${head}\n\n${fitted(lines, room, { rest }).join("\n")}\n`, hasRoom: room > LEAST_ROOM };
  });
  return (texts.find(({ hasRoom }) => hasRoom) ?? texts.at(-1))?.text ?? "";
}
