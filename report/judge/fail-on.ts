import type { Preview } from "../preview";
import { capacityOf } from "./capacity";
import { irreversibleIn } from "./irreversible";

const CAPACITY = /^capacity>\+(\d+)%$/;
const NAMES = ["irreversible", "policy", "replace", "delete", "drift", "failed"] as const;

/** What `--fail-on` may name. */
export const FAIL_ON = `${NAMES.join(", ")}, capacity>+N%`;

export function isCondition(text: string): boolean {
  return (NAMES as readonly string[]).includes(text) || CAPACITY.test(text);
}

/** Whether a preview needs a look, by any of these conditions. */
export function needsLook(preview: Preview, conditions: readonly string[]): boolean {
  return conditions.some((condition) => holds(preview, condition));
}

function holds(preview: Preview, condition: string): boolean {
  const { changes, drift, policies, outcome } = preview;
  const [, percent] = CAPACITY.exec(condition) ?? [];
  if (percent !== undefined) {
    const { beforeGb, afterGb } = capacityOf(changes);
    return beforeGb === 0 ? afterGb > 0 : ((afterGb - beforeGb) / beforeGb) * 100 > Number(percent);
  }
  switch (condition) {
    case "irreversible":
      return irreversibleIn(changes, []).length > 0;
    case "policy":
      return policies.some(({ result }) => result === "failed");
    case "drift":
      return drift.length > 0;
    case "failed":
      return outcome !== "succeeded";
    default:
      return changes.some(({ operation }) => operation === condition);
  }
}
