import { isDeepStrictEqual } from "node:util";
import { kindOf } from "../kinds";
import type { Metadata } from "./events";
import { isDefaultProvider, withoutInternals } from "./steps";

/** What has changed outside of the program, as the engine's look at each resource shows it. */

/** Whether the engine has looked at what is there, whatever it found. */
export function isLook({ op, logical }: Metadata): boolean {
  return !logical && ["refresh", "same", "update", "delete"].includes(op);
}

/** A preview that looks first says `refresh`, whatever it found; `pulumi refresh` says what that comes to. */
export function isDrift(metadata: Metadata): boolean {
  const { op, logical, diffs, detailedDiff } = metadata;
  if (logical || isDefaultProvider(metadata) || metadata.type === "pulumi:pulumi:Stack") return false;
  if (op !== "refresh") return op === "update" || op === "delete";
  const isNamed = (diffs ?? []).length > 0 || Object.keys(detailedDiff ?? {}).length > 0;
  return !metadata.new || isNamed || hasOtherOutputs(metadata);
}

/** Not every provider names what differs. Ours does, and leaves out what the server may change by itself. */
function hasOtherOutputs({ type, old, new: now }: Metadata): boolean {
  if (kindOf(type) || !old) return false;
  const [before, after] = [old, now].map((state) => withoutInternals(state?.outputs ?? {}));
  return old.id !== now?.id || !isDeepStrictEqual(before, after);
}
