import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Where the stacks of a project are stored, by Pulumi's own rules: the environment, then the project file, then the last
 * `pulumi login`. The engine does not say so to a plugin. Two backends must not be taken for one; that one has two names
 * in two places costs no more than the memory of a crash.
 */
export function findBackend(environment: Readonly<Record<string, string | undefined>>, folder: string): string {
  const { PULUMI_BACKEND_URL, PULUMI_HOME, HOME, USERPROFILE } = environment;
  const home = PULUMI_HOME || join(HOME || USERPROFILE || "", ".pulumi");
  const address = PULUMI_BACKEND_URL || projectBackend(folder) || currentLogin(home) || "";
  const path = /^file:\/\/(.*)$/.exec(address)?.[1];
  // `~` is the user's home; any other path is that of the project's folder.
  return path === undefined || path.startsWith("~") ? address : `file://${resolve(folder, path)}`;
}

function projectBackend(folder: string): string | undefined {
  const text = textOf(join(folder, "Pulumi.yaml")) ?? textOf(join(folder, "Pulumi.yml"));
  if (text !== undefined) return /^backend:\s*(?:\{\s*|\n\s+)url:\s*["']?([^\s"'}]+)/m.exec(text)?.[1];
  return dirname(folder) === folder ? undefined : projectBackend(dirname(folder));
}

function currentLogin(home: string): string | undefined {
  try {
    return (JSON.parse(textOf(join(home, "credentials.json")) ?? "{}") as { current?: string }).current;
  } catch {
    return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
