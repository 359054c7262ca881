import type { Analysis } from "../json-report";
import { hasFindings } from "./analyze";
import { doubtIn, exceeds, type Growth, growthIn, HIDDEN, unknownGrowth } from "./growth";

const NAMES = [
  "irreversible",
  "policy",
  "replace",
  "delete",
  "drift",
  "attention",
  "weakened",
  "unchecked",
  "failed",
  "changes",
] as const;
/** Exits with 0 whatever the preview holds. */
export const NEVER = "never";

/** The conditions that `--fail-on` and `--comment-if` accept. */
export const CONDITIONS = `${NAMES.join(", ")}, capacity>+N%, cost>+N, cost>+N%`;

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
  const growth = growthIn(condition);
  const isMet = growth ? exceeds(analysis, growth) : holds(analysis, condition);
  const reason = isMet ? growth && doubtIn(analysis, growth) : unansweredBecause(analysis, condition, growth);
  if (reason !== undefined) return { unanswered: `${condition} cannot be decided: ${reason}` };
  return isMet ? "holds" : "passes";
}

/** The reason why a condition holds that the report does not show as such. */
export function unknownBehind(analysis: Analysis, condition: string): string | undefined {
  const growth = growthIn(condition);
  return growth && unknownGrowth(analysis, growth);
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
    case "weakened":
      return (analysis.weakened ?? 0) > 0;
    case "unchecked":
      return unchecked.length > 0;
    case "failed":
      return outcome !== "succeeded";
    default:
      return changes.some(({ operation }) => operation === condition);
  }
}

export const NO_RESULTS =
  "no policy pack ran, or the input is the digest of `pulumi preview --json`, which has no policy results; add --policy-pack and pass the engine events";

/** Such as `the preview failed`. */
export function interruption({ outcome, audit }: Pick<Analysis, "outcome" | "audit">): string {
  return `the ${runName({ audit })} ${outcome === "cut off" ? "was cut off" : "failed"}`;
}

export const runName = ({ audit }: Pick<Analysis, "audit">): string => (audit ? "audit" : "preview");

function unansweredBecause(analysis: Analysis, condition: string, growth?: Growth): string | undefined {
  const { notCovered, outcome, weakened, capacity } = analysis;
  if (condition === "failed") return undefined;
  if (condition === "weakened") return weakened === undefined ? "pass --policies and --policies-before" : undefined;
  if (growth?.of === "cost" && !capacity.cost) return "pass --prices";
  if (outcome !== "succeeded") return `${interruption(analysis)} before it finished`;
  if (notCovered.includes("policies") && (condition === "policy" || condition === "unchecked")) {
    return NO_RESULTS;
  }
  if (notCovered.includes("unchanged resources") && condition === "attention") return HIDDEN;
  if (notCovered.includes("drift") && condition === "drift") {
    return "the preview did not check for drift, or the input is the digest of `pulumi preview --json`; add --refresh and pass the engine events";
  }
  return undefined;
}
