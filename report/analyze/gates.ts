import type { Analysis } from "../json-report";

const CAPACITY = /^capacity>\+(\d+)%$/;
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
] as const;
/** Exits with 0 whatever the preview holds. */
export const NEVER = "never";

/** The conditions that `--fail-on` accepts. */
export const FAIL_ON = `${NAMES.join(", ")}, capacity>+N%`;

/** Splits a comma-separated list. */
export function conditionsIn(list: string): string[] {
  const conditions = list.split(",").map((text) => text.trim());
  return conditions.filter((text) => text !== "");
}

export function isCondition(text: string): boolean {
  return (NAMES as readonly string[]).includes(text) || CAPACITY.test(text) || text === NEVER;
}

/** The result of a condition, or the reason why this preview cannot decide it. */
export type Verdict = "passes" | "holds" | { readonly unanswered: string };

export function verdictOn(analysis: Analysis, condition: string): Verdict {
  if (condition === NEVER) return "passes";
  const isMet = holds(analysis, condition);
  const reason = isMet ? doubtIn(analysis, condition) : unansweredBecause(analysis, condition);
  if (reason !== undefined) return { unanswered: `--fail-on ${condition} cannot be decided: ${reason}` };
  return isMet ? "holds" : "passes";
}

function holds(analysis: Analysis, condition: string): boolean {
  const { capacity, changes, drift, policies, outcome, irreversible, attention, unchecked } = analysis;
  const [, percent] = CAPACITY.exec(condition) ?? [];
  if (percent !== undefined) {
    const { beforeGb, afterGb, uncounted } = capacity;
    const isOver = beforeGb === 0 ? afterGb > 0 : ((afterGb - beforeGb) / beforeGb) * 100 > Number(percent);
    // An unknown size may be any size.
    return isOver || uncounted.length > 0;
  }
  switch (condition) {
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

const HIDDEN = "the input leaves out unchanged resources; add --show-sames or pass the engine events";

/** All services together grow by at most the percentage of the changed ones: only too much growth is doubtful. */
function doubtIn({ notCovered }: Analysis, condition: string): string | undefined {
  return CAPACITY.test(condition) && notCovered.includes("unchanged resources") ? HIDDEN : undefined;
}

function unansweredBecause(analysis: Analysis, condition: string): string | undefined {
  const { notCovered, outcome, weakened, audit } = analysis;
  if (condition === "failed") return undefined;
  if (condition === "weakened") return weakened === undefined ? "pass --policies and --policies-before" : undefined;
  if (outcome !== "succeeded")
    return `the ${audit ? "audit" : "preview"} ${outcome === "failed" ? "failed" : "was cut off"} before it finished`;
  if (notCovered.includes("policies") && (condition === "policy" || condition === "unchecked")) {
    return "no policy pack ran, or the input is the digest of `pulumi preview --json`, which has no policy results; add --policy-pack and pass the engine events";
  }
  if (notCovered.includes("unchanged resources") && condition === "attention") return HIDDEN;
  if (notCovered.includes("drift") && condition === "drift") {
    return "the preview did not check for drift, or the input is the digest of `pulumi preview --json`; add --refresh and pass the engine events";
  }
  return undefined;
}
