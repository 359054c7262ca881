import { cpSync } from "node:fs";
import { join } from "node:path";
import type { TestApi } from "../../support/api";
import { newStack, type Stack, testHome } from "../support/stack";

/** A new stack whose project does not say where the plugin is. */
export async function newStackWithoutPlugin(api: TestApi): Promise<Stack> {
  const stack = await newStack(api);
  cpSync(join(testHome(), "template/Pulumi.yaml"), join(stack.folder, "Pulumi.yaml"));
  return stack;
}
