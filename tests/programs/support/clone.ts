import { cpSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { testHome } from "../../engine/support/stack";
import { root } from "../../support/root";

/** A folder that looks like the clone and may be written to. */
export function clone(): string {
  const folder = mkdtempSync(join(testHome(), "clone-"));
  const written = ["examples", "Pulumi.yaml"];
  for (const name of readdirSync(root)) {
    if (written.includes(name)) cpSync(join(root, name), join(folder, name), { recursive: true });
    else if (name !== ".git") symlinkSync(join(root, name), join(folder, name));
  }
  return folder;
}
