import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Names of project files, in the CLI's order. */
const PROJECT_FILES = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

/** The project file of the nearest folder that has one. */
export function findProjectFile(folder: string): string | undefined {
  const isFile = (path: string) => existsSync(path) && !statSync(path).isDirectory();
  const file = PROJECT_FILES.map((name) => join(folder, name)).find(isFile);
  if (file !== undefined || dirname(folder) === folder) return file;
  return findProjectFile(dirname(folder));
}

/**
 * Parses a file of the CLI: JSON, or the first document of YAML. Throws if it is unreadable or
 * invalid.
 */
export function readPulumiFile(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  if (file.endsWith(".json")) return JSON.parse(text);
  // Loaded on use, because it takes longer than the rest.
  const { parseAllDocuments } = require("yaml") as typeof import("yaml");
  const [document] = parseAllDocuments(text, { merge: true });
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw error;
  return document?.toJS();
}
