import type { Analysis, JsonReport } from "../json-report";
import type { About } from "./about";

export function renderJson(analyses: readonly Analysis[], { notice, commit, runUrl, time }: About = {}): string {
  const about = { notice, commit, runUrl, time: time?.toISOString() };
  const report: JsonReport = { version: 1, about, stacks: analyses };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}
