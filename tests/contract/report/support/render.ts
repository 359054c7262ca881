import { type AnalysisOptions, analyze } from "../../../../report/analyze/analyze";
import { verdictOn } from "../../../../report/analyze/gates";
import { irreversibleIn } from "../../../../report/analyze/irreversible";
import { compareProperties } from "../../../../report/analyze/properties";
import type { Preview, ResourceStep } from "../../../../report/preview";
import { type RenderOptions, renderMarkdown } from "../../../../report/render/markdown";
import { type Format, render } from "../../../../report/render/render";

export function markdownOf(preview: Preview, options: AnalysisOptions & RenderOptions = {}): string {
  return renderMarkdown(analyze(preview, options), options);
}

/** One report of several previews. */
export function renderReport(
  previews: readonly Preview[],
  format: Format,
  options: AnalysisOptions & RenderOptions = {},
): string {
  const analyses = previews.map((preview) => analyze(preview, options));
  return render(analyses, format, options);
}

export function irreversibleReasons(steps: readonly ResourceStep[]): string[] {
  const compared = steps.map((step) => ({ step, properties: compareProperties(step) }));
  return irreversibleIn(compared).map(({ reason }) => reason);
}

export function verdictsOn(preview: Preview, ...conditions: string[]) {
  const analysis = analyze(preview);
  return conditions.map((condition) => {
    const verdict = verdictOn(analysis, condition);
    return typeof verdict === "object" && "holds" in verdict ? "holds" : verdict;
  });
}
