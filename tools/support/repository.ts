import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The repository's folder, with a trailing slash. */
export const root = join(__dirname, "../../");

/** The parts of a package.json that the tools read. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly workspaces: readonly string[];
  readonly exports: Readonly<Record<string, string | { readonly types?: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** The text of a file of the repository. */
export function textOf(...path: string[]): string {
  return readFileSync(join(root, ...path), "utf8");
}

/** Reads a folder's package.json each time, since a release changes it while a command runs. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(textOf(folder, "package.json"));
}
