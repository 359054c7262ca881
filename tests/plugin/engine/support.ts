import { cpSync } from "node:fs";
import { join } from "node:path";
import { newStack, type Stack, testHome } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";

/** A new stack whose project does not say where the plugin is. */
export async function newStackWithoutPlugin(api: TestApi): Promise<Stack> {
  const stack = await newStack(api);
  cpSync(join(testHome(), "template/Pulumi.yaml"), join(stack.folder, "Pulumi.yaml"));
  return stack;
}
