import { stackPatterns } from "./settings";

/** An example of a production stack's name. */
export const PRODUCTION = "production";

/** Which stacks are production. */
export const productionStacks = stackPatterns
  .default(["prod*"])
  .describe("The production stacks; prod* is the default.");
