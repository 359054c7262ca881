/*
 * The names under which states know the resources, made from their names in programs. What a release has stored once
 * leads to it forever: a permanent contract.
 */

export const RUNTIME = "pulumi-clouddb/runtime";

/** The type of a resource in states. */
export function typeToken(name: string): string {
  return `pulumi-nodejs:dynamic/clouddb:${name}`;
}

/** What the runtime exports for it. */
export function runtimeExport(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The stored text that leads from a state back to this package. */
export function entryText(name: string): string {
  return `exports.handler=()=>require("${RUNTIME}").${runtimeExport(name)}`;
}
