// Selects the type declarations to publish: those that users can import, and their own imports.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { workspaces } from "../../package.json";
import { manifestOf, root } from "../support/repository";

/** The declarations that a package's users can import, as paths in its folder. */
export async function publicDeclarations(workspace: string): Promise<string[]> {
  // Imported on use, because TypeScript loads slowly.
  const { default: ts } = await import("typescript");
  const { exports } = manifestOf(workspace);
  const types = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : (entry.types ?? []),
  );
  const reached = new Set(types.map((path) => join(path)));
  // The loop also visits paths that it adds.
  for (const path of reached) {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(root, workspace, path), "utf8"));
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith(".")) continue;
      const target = join(path, "..", fileName);
      const isFile = existsSync(join(root, workspace, `${target}.d.ts`));
      reached.add(isFile ? `${target}.d.ts` : join(target, "index.d.ts"));
    }
  }
  return [...reached].sort();
}

/**
 * Adds the license to each package, and excludes unpublished declarations, which the compiler needs
 * for other packages.
 */
export async function completePackages(): Promise<void> {
  for (const workspace of workspaces) {
    copyFileSync(join(root, "LICENSE"), join(root, workspace, "LICENSE"));
    const shown = (await publicDeclarations(workspace)).map(
      (path) => `!${path.replace(/^dist/, "")}\n`,
    );
    writeFileSync(join(root, workspace, "dist", ".npmignore"), `*.d.ts\n${shown.join("")}`);
  }
}
