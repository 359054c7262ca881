import type { Analysis, CapacityRow } from "../json-report";
import { hasNoLimit, unknownCosts } from "./cost";
import { capacityGb } from "./size";
import { joinNames } from "./values";

/** A condition such as `capacity>+20%` or `cost>+500`: the maximum of a stack's services grows by more than a bound. */
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

export function exceeds(analysis: Analysis, growth: Growth): boolean {
  const { beforeGb, afterGb, cost } = analysis.capacity;
  if (unknownGrowth(analysis, growth) !== undefined) return true;
  if (growth.of === "capacity") return isAbove(beforeGb, afterGb, growth);
  return cost !== undefined && isAbove(cost.before?.to ?? 0, cost.after?.to ?? 0, growth);
}

/** The services that may grow by any amount, if there are some. */
export function unknownGrowth({ capacity }: Analysis, { of }: Growth): string | undefined {
  return unknownText(
    capacity.rows.filter((row) => !staysAsItIs(row)),
    of,
  );
}

export const HIDDEN = "the input leaves out unchanged resources; add --show-sames or pass the engine events";

/** The reason why a percentage that is exceeded may be lower: it does not count all services. */
export function doubtIn({ capacity, notCovered }: Analysis, growth: Growth): string | undefined {
  // More than nothing is more than 0 % of any total.
  if (!growth.isPercentage || growth.bound === 0) return undefined;
  if (notCovered.includes("unchanged resources")) return HIDDEN;
  const unknown = unknownText(capacity.rows.filter(staysAsItIs), growth.of);
  return unknown && `${unknown}, although it does not change`;
}

function unknownText(rows: readonly CapacityRow[], of: Growth["of"]): string | undefined {
  const texts =
    of === "cost"
      ? unknownCosts(rows.filter(hasNoLimit)).map(
          ({ names, unknown }) => `the cost of ${joinNames(names)} is not known (${unknown.join(", ")})`,
        )
      : rows.filter(hasNoSize).map(({ name }) => `the size of ${name} is not known`);
  return texts.length === 0 ? undefined : joinNames(texts);
}

function hasNoSize({ before, after }: CapacityRow): boolean {
  return [before, after].some((size) => size && capacityGb(size) === undefined);
}

/** Costs have at most two decimals; rounding errors are smaller. */
const TOLERANCE = 1e-6;

/** True also if the numbers are too large to compare. */
function isAbove(before: number, after: number, { bound, isPercentage }: Growth): boolean {
  return !((after - before) * 100 - bound * (isPercentage ? before : 100) <= TOLERANCE);
}

function staysAsItIs({ before, after, isUnchanged }: CapacityRow): boolean {
  const capacity = capacityGb(before);
  const isInPlace = before?.provider === after?.provider && before?.region === after?.region;
  return isUnchanged || (capacity !== undefined && capacity === capacityGb(after) && isInPlace);
}
