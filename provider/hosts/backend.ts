import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Environment, pulumiHome, userHome, withoutPassword } from "../core/journal-place";

/**
 * Where the stacks of a project are stored, by Pulumi's own rules: the environment, then the project file, then the last
 * `pulumi login`. The engine does not tell a plugin. One backend under two names costs the memory of a crash; two under
 * one name would mix up their stacks.
 */
export function findBackend(environment: Environment, folder: string): string {
  const { PULUMI_BACKEND_URL, PULUMI_CREDENTIALS_PATH } = environment;
  const credentials = join(PULUMI_CREDENTIALS_PATH || pulumiHome(environment), "credentials.json");
  const address = PULUMI_BACKEND_URL || projectBackend(folder) || currentLogin(credentials) || "";
  const path = /^file:\/\/(.*)$/.exec(address)?.[1]?.replace(/^~/, userHome(environment));
  return path === undefined ? withoutPassword(address) : `file://${resolve(folder, path)}`;
}

function projectBackend(folder: string): string | undefined {
  const text = textOf(join(folder, "Pulumi.yaml")) ?? textOf(join(folder, "Pulumi.yml"));
  if (text !== undefined) return /^backend:\s*(?:\{\s*|\n\s+)url:\s*["']?([^\s"'}]+)/m.exec(text)?.[1];
  return dirname(folder) === folder ? undefined : projectBackend(dirname(folder));
}

function currentLogin(credentials: string): string | undefined {
  try {
    return (JSON.parse(textOf(credentials) ?? "{}") as { current?: string }).current;
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
