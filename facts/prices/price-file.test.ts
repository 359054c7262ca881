import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import example from "../../examples/ci/prices.json";
import { readPrices } from "./price-file";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clouddb-prices-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function messageFor(content: unknown): string {
  const file = join(folder, "prices.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  try {
    readPrices(file);
    return "";
  } catch (error) {
    return (error as Error).message.replace(file, "FILE");
  }
}

const prices = (change: object) => ({ ...example, ...change });
const NOTHING = "must be a JSON object with currency, activeHoursPerDay and pricePerGbHour";

test.each<[string, unknown, string]>([
  ["the example", example, ""],
  ["no JSON", "currency: EUR", "Invalid price file FILE: not valid JSON."],
  [
    "a price that overflows",
    prices({ pricePerGbHour: { aws: { "us-east-1": 1e306 } } }),
    "Invalid price file FILE: pricePerGbHour.aws.us-east-1 must be a number greater than 0 and at most 1000000.",
  ],
  ["a list", [example], `Invalid price file FILE: ${NOTHING}.`],
  [
    "nothing",
    {},
    "Invalid price file FILE: currency must be a three-letter code such as EUR; activeHoursPerDay must be a number from 0 to 24; pricePerGbHour must be an object of at least one provider, such as aws.",
  ],
  ["unknown keys", prices({ vat: 1, tax: 2 }), "Invalid price file FILE: unknown key vat; unknown key tax."],
  [
    "a currency in lower case",
    prices({ currency: "eur" }),
    "Invalid price file FILE: currency must be a three-letter code such as EUR.",
  ],
  [
    "more hours than a day has",
    prices({ activeHoursPerDay: 25 }),
    "Invalid price file FILE: activeHoursPerDay must be a number from 0 to 24.",
  ],
  [
    "no providers",
    prices({ pricePerGbHour: {} }),
    "Invalid price file FILE: pricePerGbHour must be an object of at least one provider, such as aws.",
  ],
  [
    "a provider without regions",
    prices({ pricePerGbHour: { aws: {}, gcp: 0.02 } }),
    "Invalid price file FILE: pricePerGbHour.aws must be an object of at least one region and its price; pricePerGbHour.gcp must be an object of at least one region and its price.",
  ],
  [
    "prices that are none",
    prices({ pricePerGbHour: { aws: { "us-east-1": 0, "us-east-2": "0.02", "us-west-2": null } } }),
    "Invalid price file FILE: pricePerGbHour.aws.us-east-1 must be a number greater than 0 and at most 1000000; pricePerGbHour.aws.us-east-2 must be a number greater than 0 and at most 1000000; pricePerGbHour.aws.us-west-2 must be a number greater than 0 and at most 1000000.",
  ],
  [
    "hours by stack and service",
    prices({
      byService: { "etl*": { activeHoursPerDay: 24 } },
      byStack: { "dev*": { activeHoursPerDay: 0, byService: { web: { activeHoursPerDay: 0.5 } } }, prod: {} },
    }),
    "",
  ],
  [
    "mistakes in hours by stack and service",
    prices({
      byService: { "": { activeHoursPerDay: 1 }, web: {}, etl: { activeHoursPerDay: 25, price: 1 }, x: 4 },
      byStack: {
        dev: { activeHoursPerDay: "8", currency: "USD", byService: { web: { activeHoursPerDay: -1 } } },
        y: [],
      },
    }),
    "Invalid price file FILE: byService must be an object keyed by the names of services; * matches any characters; byService.web.activeHoursPerDay must be a number from 0 to 24; byService.etl.activeHoursPerDay must be a number from 0 to 24; unknown key byService.etl.price; byService.x must be an object with activeHoursPerDay; byStack.dev.activeHoursPerDay must be a number from 0 to 24; byStack.dev.byService.web.activeHoursPerDay must be a number from 0 to 24; unknown key byStack.dev.currency; byStack.y must be an object with activeHoursPerDay or byService.",
  ],
  [
    "lists of hours",
    prices({ byService: [], byStack: 8 }),
    "Invalid price file FILE: byService must be an object keyed by the names of services; * matches any characters; byStack must be an object keyed by the names of stacks; * matches any characters.",
  ],
  [
    "an endless price",
    '{"currency":"EUR","activeHoursPerDay":8,"pricePerGbHour":{"aws":{"us-east-1":1e999}}}',
    "Invalid price file FILE: pricePerGbHour.aws.us-east-1 must be a number greater than 0 and at most 1000000.",
  ],
])("%s", (_, content, message) => {
  expect(messageFor(content)).toBe(message);
});

test("a file that is missing", () => {
  expect(() => readPrices(join(folder, "nowhere.json"))).toThrow(
    /^Could not read the price file: ENOENT.*nowhere\.json'\.$/,
  );
});
