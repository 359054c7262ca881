export { escapeMarkdown, untilSettled } from "pulumi-clouddb-facts";
export { type AnalysisOptions, analyze } from "./analyze/analyze";
export type {
  Analysis,
  Capacity,
  CapacityRow,
  JsonReport,
  Operation,
  PolicyGroup,
  PropertyChange,
  ResourceChange,
  Size,
  Warning,
} from "./json-report";
export { sentenceOf } from "./options";
export type { Preview } from "./preview";
export { exitCodeText, withCommand } from "./read/command";
export { readPreviews } from "./read/input";
export { secretsHider, withoutColors } from "./read/redactor";
export { fitLines } from "./render/fit";
export { markerOf, type RenderOptions } from "./render/markdown";
export { type Format, render } from "./render/render";
