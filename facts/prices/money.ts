/** Amounts are compared with a budget: 0.1 + 0.2 must not exceed 0.3. */
export function toCents(amount: number): number {
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
