import type { z } from "zod";

/** Stands in a result for a member of another type than documented: what it says is not known. */
export const INVALID = Symbol("invalid");

type Path = readonly PropertyKey[];

/**
 * A response as the specification shows it. Other members are left out, at any depth. A member of another type is
 * replaced by `INVALID`, with as little around it as the rest allows; where the whole depends on it, its path is
 * returned instead.
 */
export function parseDocumented<Result>(
  schema: z.ZodType<Result>,
  response: unknown,
): { readonly result: Result } | { readonly invalid: Path } {
  const rest = structuredClone(response);
  const removedPaths: Path[] = [];
  for (;;) {
    const parsed = schema.safeParse(rest);
    if (parsed.success) {
      for (const path of removedPaths) markInvalid(parsed.data, path);
      return { result: parsed.data };
    }
    const removedNow: Path[] = [];
    for (const { path } of parsed.error.issues) {
      // It may have been removed together with a parent.
      if (removedNow.some((removed) => isWithin(path, removed))) continue;
      const removable = removablePath(rest, path);
      if (removable.length === 0) return { invalid: path };
      remove(rest, removable);
      removedNow.push(removable);
    }
    removedPaths.push(...removedNow);
  }
}

function isWithin(path: Path, outer: Path): boolean {
  return outer.every((name, index) => path[index] === name);
}

/** The member to do without for a schema to fit: the one at fault, or the nearest around it that can be missing. */
function removablePath(response: unknown, path: Path): Path {
  for (let length = path.length; length > 0; length -= 1) {
    const candidate = path.slice(0, length);
    if (typeof candidate.at(-1) === "string" && memberAt(response, candidate) !== undefined) return candidate;
  }
  return [];
}

function memberAt(value: unknown, path: Path): unknown {
  let inner = value;
  for (const name of path) inner = (inner as Record<PropertyKey, unknown> | undefined)?.[name];
  return inner;
}

function remove(response: unknown, path: Path): void {
  const parent = memberAt(response, path.slice(0, -1)) as Record<PropertyKey, unknown>;
  delete parent[path.at(-1) ?? ""];
}

/** Marks a member that was removed, or the nearest one around it that has gone with it. */
function markInvalid(result: unknown, path: Path): void {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = memberAt(result, path.slice(0, length - 1));
    if (typeof parent !== "object" || parent === null) continue;
    const members = parent as Record<PropertyKey, unknown>;
    members[path[length - 1] ?? ""] ??= INVALID;
    return;
  }
}
