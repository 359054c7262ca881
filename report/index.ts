export { type AnalysisOptions, analyze } from "./analyze/analyze";
export type * from "./json-report";
export { sentenceOf } from "./options";
export type { Preview } from "./preview";
export { withCommand } from "./read/command";
export { secretsHider } from "./read/environment";
export { readPreviews } from "./read/input";
export { type Format, type RenderOptions, render } from "./render/render";
