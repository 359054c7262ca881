import type { z } from "zod";

/** Stands in a result for a member of another type than documented: what it says is not known. */
export const INVALID = Symbol("unusable");

type Path = readonly PropertyKey[];

/**
 * An answer as the specification shows it. Other members are left out, at any depth. A member of another type is
 * replaced by `UNUSABLE`, with as little around it as the rest allows; the place of one that the whole depends on is
 * given back instead.
 */
export function parseDocumented<Result>(
  schema: z.ZodType<Result>,
  answer: unknown,
): { readonly result: Result } | { readonly unusable: Path } {
  const rest = structuredClone(answer);
  const places: Path[] = [];
  for (;;) {
    const parsed = schema.safeParse(rest);
    if (parsed.success) {
      for (const place of places) mark(parsed.data, place);
      return { result: parsed.data };
    }
    const gone: Path[] = [];
    for (const { path } of parsed.error.issues) {
      // What stood there may have gone with what was around it.
      if (gone.some((place) => place.every((name, index) => path[index] === name))) continue;
      const place = removable(rest, path);
      if (place.length === 0) return { unusable: path };
      takeOut(rest, place);
      gone.push(place);
    }
    places.push(...gone);
  }
}

/** The member to do without for a schema to fit: the one at fault, or the nearest around it that can be missing. */
function removable(answer: unknown, path: Path): Path {
  for (let length = path.length; length > 0; length -= 1) {
    const place = path.slice(0, length);
    if (typeof place.at(-1) === "string" && at(answer, place) !== undefined) return place;
  }
  return [];
}

function at(value: unknown, path: Path): unknown {
  let inner = value;
  for (const name of path) inner = (inner as Record<PropertyKey, unknown> | undefined)?.[name];
  return inner;
}

function takeOut(answer: unknown, path: Path): void {
  const parent = at(answer, path.slice(0, -1)) as Record<PropertyKey, unknown>;
  delete parent[path.at(-1) ?? ""];
}

/** Marks a member that was taken out, or what has gone with it. */
function mark(result: unknown, path: Path): void {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = at(result, path.slice(0, length - 1));
    if (typeof parent !== "object" || parent === null) continue;
    const members = parent as Record<PropertyKey, unknown>;
    members[path[length - 1] ?? ""] ??= INVALID;
    return;
  }
}
