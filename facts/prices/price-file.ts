import { readFileSync } from "node:fs";
import { z } from "zod";
import type { Prices } from "./monthly-cost";

const CURRENCY = "must be a three-letter code such as EUR";
const HOURS = "must be a number from 0 to 24";
const PROVIDERS = "must be an object of at least one provider, such as aws";
const REGIONS = "must be an object of at least one region and its price";
/** Larger ones would overflow, and infinite costs cannot be compared. */
const HIGHEST_PRICE = 1_000_000;
const PRICE = `must be a number greater than 0 and at most ${HIGHEST_PRICE}`;
const HOURS_OF_SERVICE = "must be an object with activeHoursPerDay";
const HOURS_OF_STACK = "must be an object with activeHoursPerDay or byService";

const isNotEmpty = (value: object) => Object.keys(value).length > 0;
const regions = z
  .record(z.string(), z.number(PRICE).positive(PRICE).max(HIGHEST_PRICE, PRICE), REGIONS)
  .refine(isNotEmpty, REGIONS);

const hours = z.number(HOURS).min(0, HOURS).max(24, HOURS);
const byPattern = <Value extends z.ZodType>(things: string, value: Value) =>
  z
    .record(z.string().min(1), value, `must be an object keyed by the names of ${things}; * matches any characters`)
    .optional();
const byService = byPattern("services", z.strictObject({ activeHoursPerDay: hours }, HOURS_OF_SERVICE));

const schema = z.strictObject(
  {
    currency: z.string(CURRENCY).regex(/^[A-Z]{3}$/, CURRENCY),
    activeHoursPerDay: hours,
    byService,
    byStack: byPattern("stacks", z.strictObject({ activeHoursPerDay: hours.optional(), byService }, HOURS_OF_STACK)),
    pricePerGbHour: z.record(z.string(), regions, PROVIDERS).refine(isNotEmpty, PROVIDERS),
  },
  "must be a JSON object with currency, activeHoursPerDay and pricePerGbHour",
) satisfies z.ZodType<Prices>;

/** Throws an error that names every mistake in the file. */
export function readPrices(file: string): Prices {
  const { data, error } = schema.safeParse(contentOf(file));
  if (data !== undefined) return data;
  throw new Error(`Invalid price file ${file}: ${error.issues.flatMap(mistakesIn).join("; ")}.`);
}

function contentOf(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(`Could not read the price file: ${(error as Error).message}.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Invalid price file ${file}: not valid JSON.`);
  }
}

function mistakesIn(issue: z.core.$ZodIssue): string[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `unknown key ${[...issue.path, key].join(".")}`);
  const path = issue.path.filter((key) => key !== "").join(".");
  return [[path, issue.message].filter((part) => part !== "").join(" ")];
}
