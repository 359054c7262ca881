import { interruption, runName } from "../analyze/gates";
import { capitalised } from "../analyze/values";
import type { Analysis } from "../json-report";

/** The reasons why a preview or an audit failed, unless violations are the only one. */
export function failureOf(analysis: Analysis): readonly string[] | undefined {
  const { outcome, errors, results } = analysis;
  if (outcome === "succeeded") return undefined;
  if (errors.length > 0) return errors;
  if (outcome === "failed" && results.some(({ result }) => result === "failed")) return undefined;
  return [`${capitalised(interruption(analysis))}.`];
}

/** `project/stack`; the project alone if the preview failed before it named a stack. */
export function placeName({ project, stack, audit }: Analysis): string {
  return [project, stack].filter((name) => name !== "").join("/") || runName({ audit });
}
