import { matches, matchesStack, matchingEntries } from "../patterns";

/** The prices of memory, from a price file: none are built in. */
export interface Prices extends Hours {
  /** ISO 4217. */
  readonly currency: string;
  readonly activeHoursPerDay: number;
  /** By patterns for stack names. */
  readonly byStack?: Readonly<Record<string, Hours>> | undefined;
  /** By provider and region. */
  readonly pricePerGbHour: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

interface Hours {
  /** Billed hours per day of a service that may scale to zero. */
  readonly activeHoursPerDay?: number | undefined;
  /** By patterns for resource names. */
  readonly byService?: Readonly<Record<string, { readonly activeHoursPerDay: number }>> | undefined;
}

export interface PricedSize {
  /** The memory of all replicas together, scaled down and scaled up. */
  readonly minGb?: number | undefined;
  readonly maxGb?: number | undefined;
  readonly mayScaleToZero?: boolean | undefined;
}

/** From the least to the most, each only where all of its factors are known. */
export interface MonthlyCost {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** 365 days of 24 hours, divided by 12. */
export const HOURS_PER_MONTH = 730;
const HOURS_PER_DAY = 24;

export function monthlyCost(
  { minGb, maxGb, mayScaleToZero }: PricedSize,
  pricePerGbHour: number,
  activeHours = HOURS_PER_DAY,
): MonthlyCost {
  const hoursPerDay = mayScaleToZero ? activeHours : HOURS_PER_DAY;
  const isLeastKnown = minGb !== undefined && mayScaleToZero !== undefined;
  return {
    from: isLeastKnown ? toCents(minGb * pricePerGbHour * HOURS_PER_MONTH * (hoursPerDay / HOURS_PER_DAY)) : undefined,
    to: maxGb === undefined ? undefined : toCents(maxGb * pricePerGbHour * HOURS_PER_MONTH),
  };
}

/** The most specific entry for the service, else for its stack, else for all. */
export function activeHoursPerDay(prices: Prices, stack: string, service: string): number {
  const stacks = matchingEntries(Object.entries(prices.byStack ?? {}), (pattern) => matchesStack(pattern, stack));
  const ofStack = [prices, ...stacks.map(([, hours]) => hours)];
  const services = matchingEntries(
    ofStack.flatMap(({ byService = {} }) => Object.entries(byService)),
    (pattern) => matches(pattern, service),
  );
  const all = [...ofStack, ...services.map(([, hours]) => hours)];
  return all.reduce((hours, entry) => entry.activeHoursPerDay ?? hours, prices.activeHoursPerDay);
}

/** Undefined where the file has none: never a guess. */
export function pricePerGbHour(prices: Prices, provider: string, region: string): number | undefined {
  const { pricePerGbHour: providers } = prices;
  const regions = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
  return regions && Object.hasOwn(regions, region) ? regions[region] : undefined;
}

/** Amounts are compared with a budget: 0.1 + 0.2 must not exceed 0.3. */
function toCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

export function sumOfAmounts(amounts: readonly number[]): number {
  return toCents(amounts.reduce((sum, amount) => sum + amount, 0));
}

/** Such as `EUR 4,204.80`. */
export function formatMoney(amount: number, currency: string): string {
  return `${currency} ${formatAmount(amount, currency)}`;
}

/** With as many decimals as the currency has. */
export function formatAmount(amount: number, currency: string): string {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  const { minimumFractionDigits, maximumFractionDigits } = format.resolvedOptions();
  return amount.toLocaleString("en", { minimumFractionDigits, maximumFractionDigits });
}
