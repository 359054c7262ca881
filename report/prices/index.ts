/** Prices, for the report and for policies. */

export { formatAmount, formatMoney, sumOfAmounts } from "./money";
export { type MonthlyCost, monthlyCost, type PricedSize, type Prices, pricePerGbHour } from "./monthly-cost";
export { readPrices } from "./price-file";
