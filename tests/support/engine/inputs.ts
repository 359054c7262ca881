import { isDeepStrictEqual } from "node:util";
import type { Properties } from "../adapters/handlers";

/** The engine's own work on inputs. */

/** True if the engine finds a difference where a diff leaves that open. Null counts as absent. */
export function differ(one: Properties, other: Properties): boolean {
  return !isDeepStrictEqual(withoutNull(one), withoutNull(other));
}

function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== "object" || value === null) return value;
  const present = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return Object.fromEntries(present.map(([name, item]) => [name, withoutNull(item)]));
}

/**
 * The program's arguments with the stored inputs in the places of `ignoreChanges`. A place that one
 * of them lacks stays as declared, except at the end of a path: there the argument is added or
 * removed.
 */
export function withIgnored(
  args: Properties,
  stored: Properties,
  ignoreChanges: readonly string[] = [],
): Properties {
  const result = structuredClone(args);
  for (const path of ignoreChanges) reset(path.match(/[^.[\]"]+/g) ?? [], stored, result);
  return result;
}

function reset([key = "", ...rest]: readonly string[], from: unknown, to: unknown): void {
  if (!isContainer(from) || !isContainer(to)) return;
  const isList = Array.isArray(to);
  if (isList !== Array.isArray(from)) return;
  if (key === "*") {
    for (const name of new Set([...Object.keys(from), ...(isList ? [] : Object.keys(to))]))
      reset([name, ...rest], from, to);
  } else if (rest.length > 0) reset(rest, from[key], to[key]);
  else if (isList) {
    if (key in from && key in to) to[key] = from[key];
  } else if (from[key] === undefined) delete to[key];
  else to[key] = from[key];
}

const isContainer = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null;
