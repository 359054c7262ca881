export { escapeMarkdown } from "pulumi-clouddb-facts";
export { type AnalysisOptions, analyze } from "./analyze/analyze";
export type * from "./json-report";
export { sentenceOf } from "./options";
export type { Preview } from "./preview";
export { withCommand } from "./read/command";
export { readPreviews } from "./read/input";
export { secretsHider, withoutColors } from "./read/redactor";
export { type Format, type RenderOptions, render } from "./render/render";
