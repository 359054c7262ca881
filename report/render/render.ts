import type { Analysis } from "../json-report";
import { type About, aboutForms } from "./about";
import { bytesOf, fitLines } from "./fit";
import { renderJson } from "./json";
import { type MarkdownOptions, markerOf, renderMarkdown, summaryText, titleOf, withoutEmpty } from "./markdown";
import { markdownToText } from "./text";

/** Below the smallest limit for comments: 65,536 characters on GitHub. */
const MOST_BYTES = 65_000;
/** A shorter report could not name its omissions. */
const FEWEST_BYTES = 1000;

export const FORMATS = ["markdown", "json"] as const;
/** `text` is Markdown without its marks, for a terminal. */
export type Format = (typeof FORMATS)[number] | "text";

export interface RenderOptions {
  /** At least 1000; JSON is never shortened. */
  readonly maxBytes?: number | undefined;
  readonly about?: About;
}

export function render(analyses: readonly Analysis[], format: Format, options: RenderOptions): string {
  if (format === "json") return renderJson(analyses, options.about);
  const markdown = renderAll(analyses, {
    ...options,
    maxBytes: Math.max(FEWEST_BYTES, options.maxBytes ?? MOST_BYTES),
  });
  return format === "text" ? markdownToText(markdown) : markdown;
}

/** Several stacks share the maximum size; the rest of each share is available to the next stack. */
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

/** Room for the line of one stack and the number of others. */
const LEAST_ROOM = 400;

/** Too many stacks for a report of each: one line per stack, worst first. */
function renderList(analyses: readonly Analysis[], { maxBytes, about = {} }: MarkdownOptions): string {
  const [first] = analyses;
  const lines = worstFirst(analyses).map((analysis) => {
    const failed = analysis.outcome === "succeeded" ? "" : "❌ ";
    return `- ${failed}${titleOf(analysis)}: ${summaryText(analysis)}`;
  });
  const rest = (count: number) => `- … and ${count} more stacks`;
  const texts = aboutForms(about).map(([notice, origin]) => {
    const head = withoutEmpty([first ? markerOf(first) : "", notice, origin]).join("\n\n");
    const room = maxBytes - bytesOf(`${head}\n\n\n`);
    return { text: `${head}\n\n${fitLines(lines, room, { rest }).join("\n")}\n`, hasRoom: room > LEAST_ROOM };
  });
  return (texts.find(({ hasRoom }) => hasRoom) ?? texts.at(-1))?.text ?? "";
}

function worstFirst(analyses: readonly Analysis[]): Analysis[] {
  const badness = ({ outcome, policies, irreversible }: Analysis) =>
    (outcome === "succeeded" ? 0 : 4) +
    (policies.some(({ result }) => result === "failed") ? 2 : 0) +
    (irreversible.length > 0 ? 1 : 0);
  return [...analyses].sort((left, right) => badness(right) - badness(left));
}
