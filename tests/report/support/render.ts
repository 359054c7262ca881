import { type AnalysisOptions, analyze } from "../../../report/judge/analysis";
import { verdictOn } from "../../../report/judge/fail-on";
import type { Preview } from "../../../report/preview";
import { type MarkdownOptions, renderMarkdown } from "../../../report/write/markdown";

export function markdownOf(preview: Preview, options: AnalysisOptions & MarkdownOptions): string {
  return renderMarkdown(analyze(preview, options), options);
}

export function verdictsOn(preview: Preview, ...conditions: string[]) {
  const analysis = analyze(preview, { masks: [] });
  return conditions.map((condition) => verdictOn(analysis, condition));
}
