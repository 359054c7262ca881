/*
 * The names under which states know the resources, made from their names in programs. What a release has stored once
 * leads to it forever: a permanent contract.
 */

export const RUNTIME = "pulumi-clouddb/runtime";

/** Pulumi's package of dynamic providers, and that of the native plugin. */
export const DYNAMIC_PACKAGE = "pulumi-nodejs";
export const NATIVE_PACKAGE = "clouddb";

/** The type of a dynamic resource. */
export function dynamicType(name: string): string {
  return `${DYNAMIC_PACKAGE}:dynamic/clouddb:${name}`;
}

/** The type of a native resource, and the token of a function, in every language. */
export function nativeType(name: string): string {
  return `${NATIVE_PACKAGE}:index:${name}`;
}

/** The name of its export in the runtime. */
export function runtimeExport(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The stored text that leads from a state back to this package. */
export function entryText(name: string): string {
  return `exports.handler=()=>require("${RUNTIME}").${runtimeExport(name)}`;
}
