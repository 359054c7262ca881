import { type AnalysisOptions, analyze } from "../../../../report/analyze/analyze";
import { verdictOn } from "../../../../report/analyze/gates";
import { irreversibleIn } from "../../../../report/analyze/irreversible";
import { compareProperties } from "../../../../report/analyze/properties";
import type { Preview, ResourceStep } from "../../../../report/preview";
import { type MarkdownOptions, renderMarkdown } from "../../../../report/render/markdown";

export function markdownOf(preview: Preview, options: Partial<AnalysisOptions & MarkdownOptions> = {}): string {
  const all = { masks: [], maxBytes: 65_000, ...options };
  return renderMarkdown(analyze(preview, all), all);
}

export function irreversibleReasons(steps: readonly ResourceStep[]): string[] {
  const compared = steps.map((step) => ({ step, properties: compareProperties(step, (text) => text) }));
  return irreversibleIn(compared).map(({ reason }) => reason);
}

export function verdictsOn(preview: Preview, ...conditions: string[]) {
  const analysis = analyze(preview, { masks: [] });
  return conditions.map((condition) => verdictOn(analysis, condition));
}
