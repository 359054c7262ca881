import { isAbsolute } from "node:path";
import type { Prices } from "pulumi-clouddb-facts";
import { readPrices } from "pulumi-clouddb-facts/price-file";
import { plainError } from "./pulumi-internals";

/** Read once by name: what a program writes to the file later has no effect. */
const files = new Map<string, { readonly prices: Prices } | { readonly problem: string }>();

/** The prices of the file that CLOUDDB_PRICES names. */
export function priceList(): Prices {
  const read = readOnce();
  if ("problem" in read) throw plainError(`Could not read the prices: ${read.problem}.`);
  return read.prices;
}

/** Why there are no prices; undefined if there are. */
export function priceListProblem(): string | undefined {
  const read = readOnce();
  return "problem" in read ? read.problem : undefined;
}

function readOnce() {
  const file = process.env.CLOUDDB_PRICES ?? "";
  const read = files.get(file) ?? readFile(file);
  files.set(file, read);
  return read;
}

function readFile(file: string): { readonly prices: Prices } | { readonly problem: string } {
  if (file === "") return { problem: "set CLOUDDB_PRICES to the absolute path of a price file" };
  // The engine starts a pack in the folder of the pack.
  if (!isAbsolute(file)) return { problem: "CLOUDDB_PRICES must be an absolute path" };
  try {
    return { prices: readPrices(file) };
  } catch (error) {
    return { problem: (error as Error).message.replace(/\.$/, "") };
  }
}
