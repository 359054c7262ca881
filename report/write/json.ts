import { type Analysis, hasNews } from "../judge/analysis";
import type { About } from "./about";

/** The report for programs, as report.schema.json describes it. A field that is added keeps the version. */
export const VERSION = 1;

export function renderJson(analyses: readonly Analysis[], { notice, commit, runUrl, time }: About = {}): string {
  const about = { notice, commit, runUrl, time: time?.toISOString() };
  const stacks = analyses.map((analysis) => ({ ...analysis, labels: labelsOf(analysis) }));
  return `${JSON.stringify({ version: VERSION, about, stacks }, undefined, 2)}\n`;
}

/** What a pull request may be labelled with. */
function labelsOf(analysis: Analysis): string[] {
  const { counts, irreversible, attention, policies, drift, outcome, outputs, unchecked } = analysis;
  const labels = {
    "no-changes": hasNews(analysis) ? 0 : 1,
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
