import { readFileSync } from "node:fs";
import { join } from "node:path";
import example from "../../../examples/ci/prices.json";
import { activeHoursPerDay, formatMoney, monthlyCost, pricePerGbHour } from "../../../facts";
import { root } from "../../support/root";

/** The page shows the arithmetic: its examples hold, and its price file is that of the examples. */
const page = readFileSync(join(root, "docs/cost.md"), "utf8");
const rows = [
  ...page.matchAll(
    /^\| (\w+)\/([\w-]+), (\d+) to (\d+) GB × (\d+), `idleScaling: (true|false)` \| (.+) = (EUR .+) \| (.+) = (EUR .+) \|$/gm,
  ),
];

test("the price file of the page is the example for CI", () => {
  const [, block = ""] = /^```json\n(\{\n {2}"currency"[\s\S]*?)^```$/m.exec(page) ?? [];
  expect(JSON.parse(block)).toEqual(example);
});

test("the hours of the page's stacks and services are those that it says", () => {
  const [, block = ""] = /^```json\n(\{\n {2}"activeHoursPerDay"[\s\S]*?)^```$/m.exec(page) ?? [];
  const prices = { ...example, ...JSON.parse(block) };
  const examples = [...page.matchAll(/^\| `([\w-]+)` \| `([\w-]+)` \| (\d+) \|/gm)];
  expect(examples.length).toBeGreaterThan(3);
  for (const [, stack = "", service = "", hours] of examples) {
    expect([stack, service, activeHoursPerDay(prices, stack, service)]).toEqual([stack, service, Number(hours)]);
  }
});

test.each(rows.map((row) => [row[0], row] as const))("%s", (_, row) => {
  const [provider = "", region = "", min, max, replicas, idles, least = "", from, most = "", to] = row.slice(1);
  const price = pricePerGbHour(example, provider, region) as number;
  const size = { minGb: Number(min) * Number(replicas), maxGb: Number(max) * Number(replicas) };
  const cost = monthlyCost({ ...size, mayScaleToZero: idles === "true" }, price, example.activeHoursPerDay);
  expect([from, to]).toEqual([cost.from, cost.to].map((amount) => formatMoney(amount as number, "EUR")));
  expect([least, most].map(resultOf)).toEqual([cost.from, cost.to]);
});

test("the page has examples with and without idle scaling", () => {
  expect(new Set(rows.map((row) => row[6]))).toEqual(new Set(["true", "false"]));
});

/** `8 × 3 ÷ 2`, from left to right, in cents. */
function resultOf(text: string): number {
  const [first, ...rest] = text.split(/ (?=[×÷])/);
  const result = rest.reduce((value, part) => {
    const factor = Number(part.slice(1));
    return part.startsWith("×") ? value * factor : value / factor;
  }, Number(first));
  return Math.round(result * 100) / 100;
}
