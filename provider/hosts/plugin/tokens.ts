import type { Resource } from "../../core/resource";
import { nativeType } from "../../names";
import { resources } from "../../resources";

/** The name behind a token of this package. */
export function nameIn(token: string): string | undefined {
  const start = nativeType("");
  return token.startsWith(start) ? token.slice(start.length) : undefined;
}

export function resourceOf(type: string): Resource | undefined {
  const name = nameIn(type);
  return name !== undefined && Object.hasOwn(resources, name)
    ? resources[name as keyof typeof resources].definition
    : undefined;
}
