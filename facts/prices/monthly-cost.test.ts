import example from "../../examples/ci/prices.json";
import {
  activeHoursPerDay,
  formatAmount,
  formatMoney,
  monthlyCost,
  pricePerGbHour,
  sumOfAmounts,
} from "./monthly-cost";

const size = { minGb: 24, maxGb: 192, mayScaleToZero: true };

test("the least is the minimum memory in the active hours, the most is the maximum memory at any time", () => {
  expect(monthlyCost(size, 0.02, 8)).toEqual({ from: 116.8, to: 2803.2 });
  expect(monthlyCost({ ...size, mayScaleToZero: false }, 0.02, 8)).toEqual({ from: 350.4, to: 2803.2 });
  expect(monthlyCost(size, 0.02, 0)).toEqual({ from: 0, to: 2803.2 });
});

test("an amount with an unknown factor is unknown", () => {
  expect(monthlyCost({ ...size, minGb: undefined }, 0.02, 8)).toEqual({ from: undefined, to: 2803.2 });
  expect(monthlyCost({ ...size, mayScaleToZero: undefined }, 0.02, 8)).toEqual({ from: undefined, to: 2803.2 });
  expect(monthlyCost({ ...size, maxGb: undefined }, 0.02, 8)).toEqual({ from: 116.8, to: undefined });
});

test("a price is that of the provider and region, and nothing else", () => {
  expect(pricePerGbHour(example, "aws", "eu-central-1")).toBe(0.024);
  for (const [provider, region] of [
    ["aws", "europe-west4"],
    ["azure", "eastus"],
    ["constructor", "name"],
    ["aws", "toString"],
  ] as const) {
    expect(pricePerGbHour(example, provider, region)).toBeUndefined();
  }
});

test.each<[readonly number[], number]>([
  [[], 0],
  [[0.1, 0.2], 0.3],
  [[1.004], 1],
  [[1.006], 1.01],
  // Rounded once, at the end.
  [[0.004, 0.004, 0.004], 0.01],
  [[2803.2, 116.8], 2920],
])("%j add up to cents: %d", (amounts, sum) => {
  expect(sumOfAmounts(amounts)).toBe(sum);
});

test.each([
  [2803.2, "EUR", "EUR 2,803.20"],
  [2803, "EUR", "EUR 2,803.00"],
  [0.126, "USD", "USD 0.13"],
  [1_234_567.891, "USD", "USD 1,234,567.89"],
  [2803.2, "JPY", "JPY 2,803"],
  [2803.6, "JPY", "JPY 2,804"],
  [2803.2, "KWD", "KWD 2,803.200"],
  [0.1256, "KWD", "KWD 0.126"],
  // A currency that the runtime does not know.
  [1.5, "XQZ", "XQZ 1.50"],
])("%d in %s has the decimals of the currency: %s", (amount, currency, text) => {
  expect(formatMoney(amount, currency)).toBe(text);
  expect(formatAmount(amount, currency)).toBe(text.slice(4));
});

describe("the active hours of a service", () => {
  const prices = {
    ...example,
    byService: { "etl*": { activeHoursPerDay: 2 }, "etl-nightly": { activeHoursPerDay: 1 } },
    byStack: {
      "dev*": { activeHoursPerDay: 4 },
      "dev-eu": { byService: { "etl*": { activeHoursPerDay: 3 }, web: { activeHoursPerDay: 0 } } },
      "*prod*": { activeHoursPerDay: 24 },
    },
  };

  test.each([
    ["staging", "web", 8],
    ["staging", "etl-hourly", 2],
    ["staging", "etl-nightly", 1],
    ["dev-us", "web", 4],
    // Stack names match in any case, names of services do not.
    ["Production", "web", 24],
    ["staging", "ETL-hourly", 8],
    // A service comes before a stack.
    ["prod", "etl-hourly", 2],
    // The entry of a stack comes before one of all stacks with the same pattern.
    ["dev-eu", "etl-hourly", 3],
    ["dev-eu", "etl-nightly", 1],
    ["dev-eu", "web", 0],
    ["dev-eu", "other", 4],
    ["constructor", "toString", 8],
  ])("in the stack %s, %s: %d", (stack, service, hours) => {
    expect(activeHoursPerDay(prices, stack, service)).toBe(hours);
  });

  test("do not depend on the order of entries", () => {
    const byStack = Object.fromEntries(Object.entries(prices.byStack).reverse());
    const byService = Object.fromEntries(Object.entries(prices.byService).reverse());
    expect(activeHoursPerDay({ ...prices, byStack, byService }, "dev-eu", "etl-nightly")).toBe(1);
    expect(activeHoursPerDay({ ...prices, byStack, byService }, "dev-eu", "etl-hourly")).toBe(3);
  });
});
