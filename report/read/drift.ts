import { isDeepStrictEqual } from "node:util";
import { kindOf } from "../kinds";
import { isDefaultProvider, type Step, withoutInternals } from "./steps";

/** What has changed outside of the program, as the engine's look at each resource shows it. */

/** A resource as the engine has looked at it. */
interface Look extends Step {
  readonly diffs?: readonly string[] | null;
  /** Set for the steps of the program, which are no looks. */
  readonly logical?: boolean;
}

/** Whether the engine has looked at what is there, whatever it found. */
export function isLook({ op, logical }: Look): boolean {
  return !logical && ["refresh", "same", "update", "delete"].includes(op);
}

/** A preview that looks first says `refresh`, whatever it found; `pulumi refresh` says what that comes to. */
export function isDrift(look: Look): boolean {
  const { op, logical, diffs, detailedDiff } = look;
  if (logical || isDefaultProvider(look) || look.type === "pulumi:pulumi:Stack") return false;
  if (op !== "refresh") return op === "update" || op === "delete";
  const isNamed = (diffs ?? []).length > 0 || Object.keys(detailedDiff ?? {}).length > 0;
  return !look.new || isNamed || hasOtherOutputs(look);
}

/** Not every provider names what differs. Ours does, and leaves out what the server may change by itself. */
function hasOtherOutputs({ type, old, new: now }: Look): boolean {
  if (kindOf(type) || !old) return false;
  const [before, after] = [old, now].map((state) => withoutInternals(state?.outputs ?? {}));
  return old.id !== now?.id || !isDeepStrictEqual(before, after);
}
