import { isPending } from "./arguments";
import * as pulumi from "./pulumi";

/**
 * The places of the secrets among arguments, such as `source.kafka.iamRole`. Nothing where no value comes later: a
 * secret is an Output.
 */
export function secretPlaces(args: object): Promise<string[]> | undefined {
  const pending = pendingIn(args, "");
  return pending.length === 0 ? undefined : joined(pending);
}

async function joined(places: readonly Promise<string[]>[]): Promise<string[]> {
  return (await Promise.all(places)).flat();
}

/** The places that each value that comes later brings. */
function pendingIn(value: unknown, place: string): Promise<string[]>[] {
  if (isPending(value)) return [placesBehind(value, place)];
  if (Array.isArray(value)) return value.flatMap((entry) => pendingIn(entry, `${place}[]`));
  if (typeof value !== "object" || value === null || pulumi.Resource.isInstance(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => pendingIn(inner, place === "" ? name : `${place}.${name}`));
}

async function placesBehind(value: pulumi.Output<unknown> | Promise<unknown>, place: string): Promise<string[]> {
  try {
    if (pulumi.Output.isInstance(value)) return (await pulumi.isSecret(value)) ? [place] : [];
    return await joined(pendingIn(await value, place));
  } catch {
    // The registration fails with the argument, and reports its error.
    return [];
  }
}
