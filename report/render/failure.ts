import type { Analysis } from "../json-report";

/** The reasons why a preview failed, unless violations are the only one. */
export function failureOf({ outcome, errors, results }: Analysis): readonly string[] | undefined {
  if (outcome === "succeeded") return undefined;
  if (errors.length > 0) return errors;
  if (outcome === "failed" && results.some(({ result }) => result === "failed")) return undefined;
  return [outcome === "failed" ? "The preview failed." : "The preview was cut off."];
}

/** `project/stack`; the project alone if the preview failed before it named a stack. */
export function placeName({ project, stack }: Analysis): string {
  return [project, stack].filter((name) => name !== "").join("/") || "preview";
}
