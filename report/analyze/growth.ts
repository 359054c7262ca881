import type { Analysis, CapacityRow } from "../json-report";
import { capacityGb } from "./size";
import { joinNames } from "./values";

const GROWTH = /^capacity>\+(\d+(?:\.\d{1,2})?)%$/;

/** The percentage of a condition such as `capacity>+20%`: the maximum of a stack's services grows by more. */
export function growthIn(condition: string): number | undefined {
  const [, percentage] = GROWTH.exec(condition) ?? [];
  return percentage === undefined ? undefined : Number(percentage);
}

export function exceeds(analysis: Analysis, percentage: number): boolean {
  const { beforeGb, afterGb } = analysis.capacity;
  if (unknownGrowth(analysis) !== undefined) return true;
  // True also if the numbers are too large to compare.
  return !((afterGb - beforeGb) * 100 - percentage * beforeGb <= TOLERANCE);
}

/** The services that may grow by any amount, if there are some. */
export function unknownGrowth({ capacity }: Analysis): string | undefined {
  return unknownText(capacity.rows.filter((row) => !staysTheSame(row)));
}

/** The reason why a percentage that is exceeded may be lower: it does not count all services. */
export function doubtIn({ capacity }: Analysis, percentage: number): string | undefined {
  // Any growth exceeds 0 %.
  if (percentage === 0) return undefined;
  const unknown = unknownText(capacity.rows.filter(staysTheSame));
  return unknown && `${unknown}, although it does not change`;
}

function unknownText(rows: readonly CapacityRow[]): string | undefined {
  const texts = rows.filter(hasNoSize).map(({ name }) => `the size of ${name} is not known`);
  return texts.length === 0 ? undefined : joinNames(texts);
}

function hasNoSize({ before, after }: CapacityRow): boolean {
  return [before, after].some((size) => size && capacityGb(size) === undefined);
}

/** Rounding errors of percentages with two decimals are smaller. */
const TOLERANCE = 1e-6;

function staysTheSame({ before, after, isUnchanged }: CapacityRow): boolean {
  const capacity = capacityGb(before);
  return isUnchanged || (capacity !== undefined && capacity === capacityGb(after));
}
