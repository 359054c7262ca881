import { hasFindings } from "../analyze/analyze";
import { type Analysis, type JsonReport, VERSION } from "../json-report";
import type { About } from "./about";

export function renderJson(analyses: readonly Analysis[], { notice, commit, runUrl, time }: About = {}): string {
  const about = { notice, commit, runUrl, time: time?.toISOString() };
  const stacks = analyses.map((analysis) => ({ ...analysis, labels: labelsOf(analysis) }));
  const report: JsonReport = { version: VERSION, about, stacks };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** Labels for a pull request. */
function labelsOf(analysis: Analysis): string[] {
  const { counts, irreversible, attention, policies, drift, outcome, outputs, unchecked } = analysis;
  const labels = {
    "no-changes": hasFindings(analysis) ? 0 : 1,
    ...counts,
    irreversible: irreversible.length,
    attention: attention.length,
    "policy-failed": policies.filter(({ result }) => result === "failed").length,
    unchecked: unchecked.length,
    outputs: outputs.length,
    drift: drift.length,
    failed: outcome === "succeeded" ? 0 : 1,
  };
  return Object.entries(labels).flatMap(([label, count]) => (count > 0 ? [label] : []));
}
