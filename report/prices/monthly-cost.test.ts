import example from "../../examples/ci/prices.json";
import { formatMoney, sumOfAmounts } from "./money";
import { monthlyCost, pricePerGbHour } from "./monthly-cost";

const size = { minGb: 24, maxGb: 192, mayScaleToZero: true };

test("the least is the minimum memory in the active hours, the most is the maximum memory at any time", () => {
  expect(monthlyCost(size, 0.02, example)).toEqual({ from: 116.8, to: 2803.2 });
  expect(monthlyCost({ ...size, mayScaleToZero: false }, 0.02, example)).toEqual({ from: 350.4, to: 2803.2 });
  expect(monthlyCost(size, 0.02, { activeHoursPerDay: 0 })).toEqual({ from: 0, to: 2803.2 });
});

test("an amount with an unknown factor is unknown", () => {
  expect(monthlyCost({ ...size, minGb: undefined }, 0.02, example)).toEqual({ from: undefined, to: 2803.2 });
  expect(monthlyCost({ ...size, mayScaleToZero: undefined }, 0.02, example)).toEqual({ from: undefined, to: 2803.2 });
  expect(monthlyCost({ ...size, maxGb: undefined }, 0.02, example)).toEqual({ from: 116.8, to: undefined });
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

test("amounts add up to cents, and have the decimals of their currency", () => {
  expect(sumOfAmounts([0.1, 0.2])).toBe(0.3);
  expect(formatMoney(2803.2, "EUR")).toBe("EUR 2,803.20");
  expect(formatMoney(2803.2, "JPY")).toBe("JPY 2,803");
});
