import * as pulumi from "@pulumi/pulumi";

const memories = new WeakMap<object, Map<string, unknown>>();
/** Where there is no stack, as in a user's own unit tests. */
const nobody = {};

/**
 * Something that one run of a program remembers under a key. Programs that run in one process, one after the other
 * or side by side, have a root stack each, and so a memory each. A provider has one of its own.
 */
export function remembered<Value>(key: string, make: () => Value, owner?: object): Value {
  const mind = owner ?? pulumi.runtime.getStackResource() ?? nobody;
  const memory = memories.get(mind) ?? new Map<string, unknown>();
  memories.set(mind, memory);
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key) as Value;
}
