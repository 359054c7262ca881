import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newStack, type Stack } from "../../engine/support/stack";
import type { TestApi } from "../../support/api";

export const NATIVE = "pulumi-clouddb/native";

/** A new stack whose project says where the plugin is: in the npm package. */
export async function newNativeStack(api: TestApi): Promise<Stack> {
  const stack = await newStack(api);
  const project = join(stack.folder, "Pulumi.yaml");
  // The project's folder lies in the one with the installed packages.
  const folder = "../node_modules/pulumi-clouddb/native-plugin";
  const plugin = `plugins:\n  providers:\n    - name: clouddb\n      path: ${folder}\n`;
  writeFileSync(project, readFileSync(project, "utf8") + plugin);
  return stack;
}
