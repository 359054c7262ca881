import { isDeepStrictEqual } from "node:util";
import { resourceTypeOf } from "pulumi-clouddb-facts";
import { type EngineStep, isDefaultProvider, withoutInternals } from "./steps";

/** Changes outside of Pulumi, as the engine's refresh of each resource shows them. */

/** A resource as the engine refreshed it. */
interface RefreshStep extends EngineStep {
  readonly diffs?: readonly string[] | null;
  /** Set for the program's own steps. */
  readonly logical?: boolean;
}

/** True if the engine refreshed a resource, with or without drift. */
export function isRefreshStep({ op, logical }: RefreshStep): boolean {
  return !logical && ["refresh", "same", "update", "delete"].includes(op);
}

/** A preview always says `refresh`; `pulumi refresh` says `update` or `delete`. */
export function isDrift(look: RefreshStep): boolean {
  const { op, logical, diffs, detailedDiff } = look;
  if (logical || isDefaultProvider(look) || look.type === "pulumi:pulumi:Stack") return false;
  if (op !== "refresh") return op === "update" || op === "delete";
  const isNamed = (diffs ?? []).length > 0 || Object.keys(detailedDiff ?? {}).length > 0;
  return !look.new || isNamed || hasOtherOutputs(look);
}

/** Not every provider lists differences. Ours does, and omits fields that only the server changes. */
function hasOtherOutputs({ type, old, new: now }: RefreshStep): boolean {
  if (resourceTypeOf(type) || !old) return false;
  const [before, after] = [old, now].map((state) => withoutInternals(state?.outputs ?? {}));
  return old.id !== now?.id || !isDeepStrictEqual(before, after);
}
