import * as pulumi from "@pulumi/pulumi";

const caches = new WeakMap<object, Map<string, unknown>>();

/** Identifies a run of a program: its root stack, or the process if there is none. */
export function currentProgram(): object {
  return pulumi.runtime.getStackResource() ?? globalThis;
}

/**
 * Computes a value once per key and run of a program. Programs in the same process have separate root stacks, so they
 * share nothing. With an owner, such as a provider, once per key and owner.
 */
export function memoize<Value>(key: string, make: () => Value, owner?: object): Value {
  const scope = owner ?? currentProgram();
  const cache = caches.get(scope) ?? new Map<string, unknown>();
  caches.set(scope, cache);
  if (!cache.has(key)) cache.set(key, make());
  return cache.get(key) as Value;
}
