import { resources } from "../resources";

/*
 * The names under which programs of every language, and states, know what the plugin has: a permanent contract.
 */

type Resource = (typeof resources)[keyof typeof resources];

export const PACKAGE = "clouddb";

export function token(name: string): string {
  return `${PACKAGE}:index:${name}`;
}

/** The name behind a token of this package. */
export function nameIn(given: string): string | undefined {
  const [name] = given.startsWith(token("")) ? [given.slice(token("").length)] : [];
  return name;
}

export function resourceOf(type: string): Resource["type"] | undefined {
  const name = nameIn(type);
  return name !== undefined && Object.hasOwn(resources, name)
    ? resources[name as keyof typeof resources].type
    : undefined;
}
