import type { Analysis, CapacityRow } from "../json-report";
import { hasNoLimit } from "./cost";
import { capacityGb } from "./size";

/** A condition such as `capacity>+20%` or `cost>+500`: the maximum of all services grows by more than a bound. */
export interface Growth {
  readonly of: "capacity" | "cost";
  readonly bound: number;
  readonly isPercentage: boolean;
}

const GROWTH = /^(capacity(?=.*%$)|cost)>\+(\d+(?:\.\d{1,2})?)(%?)$/;

export function growthIn(condition: string): Growth | undefined {
  const [, of, bound, percent] = GROWTH.exec(condition) ?? [];
  if (of !== "capacity" && of !== "cost") return undefined;
  return { of, bound: Number(bound), isPercentage: percent === "%" };
}

export function exceeds({ capacity }: Analysis, growth: Growth): boolean {
  const { rows, beforeGb, afterGb, uncounted, cost } = capacity;
  if (growth.of === "capacity") return isAbove(beforeGb, afterGb, growth) || uncounted.length > 0;
  // An unknown cost may be any cost, but it does not change with a service that stays as it is.
  const isUnknown = rows.some((row) => hasNoLimit(row) && !staysAsItIs(row));
  return cost !== undefined && (isAbove(cost.before?.to ?? 0, cost.after?.to ?? 0, growth) || isUnknown);
}

export const HIDDEN = "the input leaves out unchanged resources; add --show-sames or pass the engine events";
const UNPRICED = "the cost of some unchanged services is not known; add the missing prices to the price file";

/** The reason why a percentage that is exceeded may be lower: it is that of fewer services than there are. */
export function doubtIn({ capacity, notCovered }: Analysis, growth: Growth): string | undefined {
  // More than nothing is more than 0 % of any total.
  if (!growth.isPercentage || growth.bound === 0) return undefined;
  if (notCovered.includes("unchanged resources")) return HIDDEN;
  const isUnpriced = growth.of === "cost" && capacity.rows.some((row) => hasNoLimit(row) && staysAsItIs(row));
  return isUnpriced ? UNPRICED : undefined;
}

/** Such amounts have two decimals at most, and floating point more. */
const TOLERANCE = 1e-6;

function isAbove(before: number, after: number, { bound, isPercentage }: Growth): boolean {
  return (after - before) * 100 - bound * (isPercentage ? before : 100) > TOLERANCE;
}

function staysAsItIs({ before, after }: CapacityRow): boolean {
  const capacity = capacityGb(before);
  const isInPlace = before?.provider === after?.provider && before?.region === after?.region;
  return capacity !== undefined && capacity === capacityGb(after) && isInPlace;
}
