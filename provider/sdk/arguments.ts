import { coded, joinProblems } from "../errors";
import type { Properties } from "../fields";
import { unknownArguments } from "../mistakes";
import { isReferenceName } from "../names";
import * as pulumi from "./pulumi";
import { programError, valueWithUnknowns } from "./pulumi-internals";

type Pending = pulumi.Output<unknown> | Promise<unknown>;

/** True if a value can be used as arguments. Spreading an Output or a list would yield nothing. */
export function isArguments(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isPending(value);
}

/** Throws unless a value can be the arguments of a resource. */
export function assertArguments(resource: string, args: unknown): asserts args is object {
  if (isArguments(args)) return;
  throw programError(
    coded(
      "CDB1012",
      `The arguments of ${resource} must be an object,`,
      `whose values may be Outputs or Promises; got ${describeType(args)}.`,
    ),
  );
}

/** Throws if a program passes unknown arguments, which would be ignored. */
export function assertKnownArguments(owner: string, args: object, known: readonly string[]): void {
  const names = Object.entries(args).flatMap(([name, value]) => (isGiven(value) ? [name] : []));
  const problem = joinProblems(unknownArguments(owner, names, known));
  if (problem !== undefined) throw programError(problem);
}

/** True for a value that may be unknown. */
export function isPending(value: unknown): value is Pending {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** True if an argument is set; null counts as omitted. */
export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== undefined && value !== null;
}

/** The type of a value for a message, since the value may be secret. */
export function describeType(value: unknown): string {
  if (pulumi.Output.isInstance(value)) return "an Output";
  if (value instanceof Promise) return "a Promise";
  if (!isGiven(value)) return String(value);
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** The arguments with a secret value at a path. */
export function markSecret(args: Properties, [name = "", ...rest]: readonly string[]): Properties {
  const value = args[name];
  return isGiven(value) ? { ...args, [name]: markedValue(value, rest) } : args;
}

/**
 * Marks texts instead of objects, since Pulumi's CLI 3.276 loses the mark of an object that a
 * transform replaces.
 */
function markedValue(value: unknown, path: readonly string[]): unknown {
  if (isPending(value)) {
    // Another `pulumi.output` would merge the inner marks into one for the whole value.
    const pending: pulumi.Output<unknown> = value instanceof Promise ? pulumi.output(value) : value;
    const mark = (known: unknown) => (isGiven(known) ? markedValue(known, path) : known);
    // Pulumi's SDK shows a nested mark to programs as an object.
    return pulumi
      .output(pulumi.isSecret(pending))
      .apply((isSecret) => (isSecret ? pending : pending.apply(mark)));
  }
  if (path.length === 0) return isArguments(value) ? markedMembers(value) : pulumi.secret(value);
  return isArguments(value) ? markSecret({ ...value }, path) : pulumi.secret(value);
}

/** Marks an object's members as secret, except the name of a variable. */
function markedMembers(value: object): Properties {
  const given = Object.entries(value).filter(([, member]) => isGiven(member));
  return Object.fromEntries(
    given.map(([name, member]) => [name, isReferenceName(name) ? member : pulumi.secret(member)]),
  );
}

/**
 * The paths of secrets that the program marks, such as `source.kafka.iamRole`; undefined if no
 * argument is an Output.
 */
export function secretPlaces(args: object): Promise<string[]> | undefined {
  const pending = pendingIn(args, "");
  return pending.length === 0 ? undefined : joined(pending);
}

async function joined(places: readonly Promise<string[]>[]): Promise<string[]> {
  return (await Promise.all(places)).flat();
}

/** The paths of secrets in each pending value. */
function pendingIn(value: unknown, place: string): Promise<string[]>[] {
  if (isPending(value)) return [placesBehind(value, place)];
  if (Array.isArray(value)) return value.flatMap((entry) => pendingIn(entry, `${place}[]`));
  if (typeof value !== "object" || value === null || pulumi.Resource.isInstance(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    pendingIn(inner, place === "" ? name : `${place}.${name}`),
  );
}

async function placesBehind(value: Pending, place: string): Promise<string[]> {
  try {
    if (!pulumi.Output.isInstance(value)) return await joined(pendingIn(await value, place));
    // The resolved value may contain Outputs.
    return (await pulumi.isSecret(value))
      ? [place]
      : await joined(pendingIn(await valueWithUnknowns(value), place));
  } catch {
    // The argument fails the registration, which reports the error.
    return [];
  }
}
