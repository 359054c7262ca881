import type { Analysis } from "../json-report";
import { hasFindings } from "./analyze";
import { doubtIn, exceeds, growthIn, unknownGrowth } from "./growth";

const NAMES = [
  "irreversible",
  "policy",
  "replace",
  "delete",
  "drift",
  "attention",
  "unchecked",
  "failed",
  "changes",
] as const;
/** Exits with 0 whatever the preview holds. */
export const NEVER = "never";

/** The conditions that `--fail-on` accepts. */
export const CONDITIONS = `${NAMES.join(", ")}, capacity>+N%`;

/** Splits a comma-separated list. */
export function conditionsIn(list: string): string[] {
  const conditions = list.split(",").map((text) => text.trim());
  return conditions.filter((text) => text !== "");
}

export function isCondition(text: string): boolean {
  return (NAMES as readonly string[]).includes(text) || growthIn(text) !== undefined || text === NEVER;
}

/** The result of a condition, or the reason why this preview cannot decide it. */
export type Verdict = "passes" | "holds" | { readonly unanswered: string };

export function verdictOn(analysis: Analysis, condition: string): Verdict {
  if (condition === NEVER) return "passes";
  const percentage = growthIn(condition);
  const isMet = percentage === undefined ? holds(analysis, condition) : exceeds(analysis, percentage);
  const doubt = percentage === undefined ? undefined : doubtIn(analysis, percentage);
  const reason = isMet ? doubt : unansweredBecause(analysis, condition);
  if (reason !== undefined) return { unanswered: `${condition} cannot be decided: ${reason}` };
  return isMet ? "holds" : "passes";
}

/** The reason why a condition holds that the report does not show as such. */
export function unknownBehind(analysis: Analysis, condition: string): string | undefined {
  return growthIn(condition) === undefined ? undefined : unknownGrowth(analysis);
}

function holds(analysis: Analysis, condition: string): boolean {
  const { changes, drift, policies, outcome, irreversible, attention, unchecked } = analysis;
  switch (condition) {
    case "changes":
      return hasFindings(analysis) || analysis.stackOperation !== "same";
    case "irreversible":
      return irreversible.length > 0;
    case "policy":
      return policies.some(({ result }) => result === "failed");
    case "drift":
      return drift.length > 0;
    case "attention":
      return attention.length > 0;
    case "unchecked":
      return unchecked.length > 0;
    case "failed":
      return outcome !== "succeeded";
    default:
      return changes.some(({ operation }) => operation === condition);
  }
}

/** Such as `the preview failed`. */
export function interruption({ outcome }: Pick<Analysis, "outcome">): string {
  return `the preview ${outcome === "cut off" ? "was cut off" : "failed"}`;
}

function unansweredBecause({ notCovered, outcome }: Analysis, condition: string): string | undefined {
  if (condition === "failed") return undefined;
  if (outcome !== "succeeded") return `${interruption({ outcome })} before it finished`;
  if (notCovered.includes("policies") && (condition === "policy" || condition === "unchecked"))
    return "no policy pack ran; add --policy-pack";
  if (notCovered.includes("drift") && condition === "drift")
    return "the preview did not check for drift; add --refresh";
  return undefined;
}
