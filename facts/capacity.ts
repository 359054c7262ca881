/** The known limits of a service. The deprecated argument for all replicas declares `totalGb`. */
interface MemoryLimit {
  readonly memoryGb?: number | undefined;
  readonly replicas?: number | undefined;
  readonly totalGb?: number | undefined;
}

/** The memory of all replicas; undefined if unknown. Of two limits, the larger one counts. */
export function capacityGb({ memoryGb, replicas, totalGb }: MemoryLimit = {}): number | undefined {
  if (memoryGb === undefined) return totalGb;
  return replicas === undefined ? undefined : Math.max(memoryGb * replicas, totalGb ?? 0);
}

const HOURS_PER_MONTH = 730;

/** The cost of an amount of memory over a month. */
export function maxMonthlyCost(totalGb: number, pricePerGbHour: number): number {
  return HOURS_PER_MONTH * totalGb * pricePerGbHour;
}
