import { type AnalysisOptions, analyze } from "./analyze/analyze";
import type { Preview } from "./preview";
import { type Format, type RenderOptions, render } from "./render/render";

export { type AnalysisOptions, analyze } from "./analyze/analyze";
export { redactTexts, redactWith } from "./analyze/masks";
export type { Analysis } from "./json-report";
export { sentenceOf, withMask } from "./options";
export { UPDATE_ONLY } from "./post/post";
export type { Preview } from "./preview";
export { withCommand } from "./read/command";
export { secretsHider } from "./read/environment";
export { readPreviews } from "./read/input";
export { type Format, type RenderOptions, render } from "./render/render";

/** One report of several previews. */
export function renderReport(
  previews: readonly Preview[],
  format: Format,
  options: AnalysisOptions & RenderOptions,
): string {
  const analyses = previews.map((preview) => analyze(preview, options));
  return render(analyses, format, options);
}
