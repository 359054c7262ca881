import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of the repository, with a slash at its end. */
export const root = join(__dirname, "../../");

/** A package.json of the repository, as far as the tools read it. */
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

/** The package.json of a folder, as it is now: a release changes it while a command runs. */
export function manifestOf(folder: string): Manifest {
  return JSON.parse(textOf(folder, "package.json"));
}
