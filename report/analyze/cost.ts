import {
  activeHoursPerDay,
  type MonthlyCost,
  monthlyCost,
  type Prices,
  pricePerGbHour,
  sumOfAmounts,
} from "pulumi-clouddb-facts";
import type { CapacityRow, CostChange, TotalCost } from "../json-report";
import { capacityGb, minCapacityGb, type Size, unknownArguments } from "./size";

/** The prices for the services of a stack. */
export interface StackPrices {
  readonly prices: Prices;
  readonly stack: string;
}

export function costChange(
  { name, before, after }: Pick<CapacityRow, "name" | Side>,
  { prices, stack }: StackPrices,
): CostChange {
  const hours = activeHoursPerDay(prices, stack, name);
  const unknown = [before, after].flatMap((size) => (size ? unknownIn(size, prices) : []));
  return {
    before: before && costOf(before, prices, hours),
    after: after && costOf(after, prices, hours),
    unknown: [...new Set(unknown)],
  };
}

export function totalCost(costs: readonly CostChange[], currency: string): TotalCost {
  const total = (side: Side): MonthlyCost | undefined =>
    costs.some((cost) => cost[side]) ? { from: sumOf(costs, side, "from"), to: sumOf(costs, side, "to") } : undefined;
  return { currency, before: total("before"), after: total("after") };
}

type CostedRow = Pick<CapacityRow, "name" | "cost">;

/** True if the maximum cost is unknown. */
export function hasNoLimit({ cost }: CostedRow): boolean {
  return [cost?.before, cost?.after].some((side) => side && side.to === undefined);
}

/** The services whose cost is not fully known; those that lack the same values together. */
export function unknownCosts(rows: readonly CostedRow[]) {
  const groups = new Map<string, { readonly names: string[]; readonly unknown: readonly string[] }>();
  for (const { name, cost: { unknown = [] } = {} } of rows) {
    if (unknown.length === 0) continue;
    const key = unknown.join();
    groups.set(key, { unknown, names: [...(groups.get(key)?.names ?? []), name] });
  }
  return [...groups.values()];
}

type Side = "before" | "after";

function costOf(size: Size, prices: Prices, hours: number): MonthlyCost {
  const price = priceOf(size, prices);
  if (price === undefined) return { from: undefined, to: undefined };
  const { mayScaleToZero } = size;
  return monthlyCost({ minGb: minCapacityGb(size), maxGb: capacityGb(size), mayScaleToZero }, price, hours);
}

function priceOf({ provider, region }: Size, prices: Prices): number | undefined {
  return provider === undefined || region === undefined ? undefined : pricePerGbHour(prices, provider, region);
}

function unknownIn(size: Size, prices: Prices): string[] {
  const { provider, region } = size;
  const isMissing = provider !== undefined && region !== undefined && priceOf(size, prices) === undefined;
  return [...unknownArguments(size), ...(isMissing ? [`a price for ${provider}/${region}`] : [])];
}

/** A cost that is unknown on one side would look like growth or loss. Undefined if there is none that is known. */
function sumOf(costs: readonly CostChange[], side: Side, bound: keyof MonthlyCost): number | undefined {
  const counted = costs.filter(({ before, after }) =>
    [before, after].every((cost) => !cost || cost[bound] !== undefined),
  );
  if (counted.length === 0) return undefined;
  return sumOfAmounts(counted.map((cost) => cost[side]?.[bound] ?? 0));
}
