import { isAbsolute } from "node:path";
import type { Prices } from "pulumi-clouddb-facts";
import { readPrices } from "pulumi-clouddb-facts/price-file";

type PriceList = { readonly prices: Prices } | { readonly problem: string };

/** Each file is read once: a program that writes to it later changes nothing. */
const lists = new Map<string, PriceList>();

/** The prices of the file that CLOUDDB_PRICES names. */
export function priceList(): PriceList {
  const file = process.env.CLOUDDB_PRICES ?? "";
  const list = lists.get(file) ?? readList(file);
  lists.set(file, list);
  return list;
}

function readList(file: string): PriceList {
  if (file === "") return { problem: "set CLOUDDB_PRICES to the absolute path of a price file" };
  // The engine starts a pack in the folder of the pack.
  if (!isAbsolute(file)) return { problem: "CLOUDDB_PRICES must be an absolute path" };
  try {
    return { prices: readPrices(file) };
  } catch (error) {
    return { problem: (error as Error).message.replace(/\.$/, "") };
  }
}
