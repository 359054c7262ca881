import { existsSync } from "node:fs";
import { basename, dirname, join, posix, relative, sep } from "node:path";
import type { Position } from "../json-report";
import type { Positions, Preview } from "../preview";
import { decoded } from "./text";

/** Translates the engine's positions, which are relative to the project's folder, to those in the repository. */

/** The positions in all previews. */
export function positionsOf(previews: readonly Preview[]): Positions {
  return new Map(previews.flatMap(({ positions }) => [...(positions ?? [])]));
}

/** A Pulumi project in its repository. */
export interface ProjectPlace {
  /** With slashes, relative to the root of the repository. */
  readonly folder: string;
  /** The name of the project file. */
  readonly file: string;
}

const PROJECT_FILES = ["Pulumi.yaml", "Pulumi.yml"];

/** The project that Pulumi finds from a folder. Without a repository, positions are relative to the project. */
export function projectPlace(start: string): ProjectPlace {
  const file = nearest(start, PROJECT_FILES) ?? join(start, "Pulumi.yaml");
  const folder = dirname(file);
  const git = nearest(folder, [".git"]);
  return { folder: git ? relative(dirname(git), folder).split(sep).join("/") : "", file: basename(file) };
}

/** The first of these names in the folder or one above it. */
function nearest(folder: string, names: readonly string[]): string | undefined {
  const found = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  return found ?? (dirname(folder) === folder ? undefined : nearest(dirname(folder), names));
}

/** A position in the repository, unless it is outside of it or in a package. */
export function positionFrom(text: string | undefined, folder: string): Position | undefined {
  const [, path = "", line, column] =
    /^project:\/\/(\/[^?#]+)#([1-9]\d{0,6})(?:,([1-9]\d{0,6}))?$/.exec(text ?? "") ?? [];
  const file = posix.join(folder, `.${decoded(path)}`);
  if (path === "" || file.startsWith("..") || file.split("/").includes("node_modules")) return undefined;
  return { file, line: Number(line), column: column === undefined ? undefined : Number(column) };
}
