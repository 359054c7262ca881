import type { Prices } from "pulumi-clouddb-facts";
import { UnreadableInput } from "./input";

/** The prices in a file, or nothing without a file. */
export function pricesIn(file: string): Prices | undefined {
  if (file === "") return undefined;
  // Loaded only here: a validator takes longer to load than a small report takes to write.
  const { readPrices } = require("pulumi-clouddb-facts/price-file") as typeof import("pulumi-clouddb-facts/price-file");
  try {
    return readPrices(file);
  } catch (error) {
    throw new UnreadableInput((error as Error).message);
  }
}
