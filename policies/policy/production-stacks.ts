import { z } from "zod";
import { matchesStack } from "./patterns";

/** An example of a production stack's name. */
export const PRODUCTION_STACK = "production";

const DEFAULT_STACKS = ["*prod*", "*prd*"];
const DEFAULT_OTHER_STACKS = ["*dev*", "*test*", "*stag*", "*qa*", "*sandbox*", "*demo*", "*preview*", "pr-*"];

/** Stack names, in any case; `*` matches any characters. */
export const stackPatterns = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: "use a stack name such as prod, or a list of names; * matches any characters",
});

/** Which stacks are production. */
export const productionStacks = stackPatterns
  .default(DEFAULT_STACKS)
  .describe(`The production stacks, in any case; default ${DEFAULT_STACKS.join(", ")}.`);

/** Which stacks are known not to be production. */
export const otherStacks = stackPatterns
  .default(DEFAULT_OTHER_STACKS)
  .describe(
    `The stacks that are not production, in any case; default ${DEFAULT_OTHER_STACKS.join(", ")}. A stack that matches neither list is reported.`,
  );

/** The message about a stack that may be production but is not treated as such. */
export function describeUnclassified(
  stack: string,
  { stacks, otherStacks }: { readonly stacks: string | string[]; readonly otherStacks: string | string[] },
): string | undefined {
  if (matchesStack(stacks, stack) || matchesStack(otherStacks, stack)) return undefined;
  const patterns = [stacks].flat().join(", ");
  return `The stack ${stack} is not treated as production: it matches neither the setting stacks (${patterns}) nor otherStacks; add it to one of them`;
}
