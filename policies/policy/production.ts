import { matchesStack, stackPatterns } from "./settings";

/** An example of a production stack's name. */
export const PRODUCTION = "production";

const USUAL = ["*prod*", "*prd*"];
const USUAL_OTHERS = ["*dev*", "*test*", "*stag*", "*qa*", "*sandbox*", "*demo*", "*preview*", "pr-*"];

/** Which stacks are production. */
export const productionStacks = stackPatterns
  .default(USUAL)
  .describe(`The production stacks, in any case; ${USUAL.join(", ")} by default.`);

/** Which stacks are known to be none. */
export const otherStacks = stackPatterns
  .default(USUAL_OTHERS)
  .describe(
    `The stacks that are not production, in any case; ${USUAL_OTHERS.join(", ")} by default. A stack that neither list matches is reported.`,
  );

/** What to say of a stack that may be production and is not treated as such. */
export function unclassified(
  stack: string,
  { stacks, otherStacks }: { readonly stacks: string | string[]; readonly otherStacks: string | string[] },
): string | undefined {
  if (matchesStack(stacks, stack) || matchesStack(otherStacks, stack)) return undefined;
  const patterns = [stacks].flat().join(", ");
  return `The stack ${stack} is not treated as production: it matches neither the setting stacks (${patterns}) nor otherStacks; add it to one of them`;
}
