export { type Analysis, type AnalysisOptions, analyze } from "./judge/analysis";
export type { Preview } from "./preview";
export { readPreviews } from "./read/input";
export { type Format, type RenderOptions, render, written } from "./write/formats";
