import { coded } from "../errors";
import * as pulumi from "./pulumi";
import { programError } from "./pulumi-internals";

/** True if a value can be arguments. Spreading an Output or a list would yield none of them. */
export function isArguments(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPending(value);
}

/** Throws unless a value can be the arguments of a resource. */
export function assertArguments(resource: string, args: unknown): asserts args is object {
  if (isArguments(args)) return;
  throw programError(
    coded(
      "CDB1012",
      `The arguments of ${resource} must be an object, whose values may be Outputs or Promises; got ${describeType(args)}.`,
    ),
  );
}

/** A value that is not there yet. */
export function isPending(value: unknown): value is pulumi.Output<unknown> | Promise<unknown> {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** True if an argument is set; null counts as omitted. */
export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

/** The type of a value, for a message. The value itself may be a secret. */
export function describeType(value: unknown): string {
  if (pulumi.Output.isInstance(value)) return "an Output";
  if (value instanceof Promise) return "a Promise";
  if (!isGiven(value)) return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
