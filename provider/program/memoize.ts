import * as pulumi from "@pulumi/pulumi";

const memories = new WeakMap<object, Map<string, unknown>>();

/** What stands for one run of a program: its root stack, or the process where there is none. */
export function currentProgram(): object {
  return pulumi.runtime.getStackResource() ?? globalThis;
}

/**
 * Something that one run of a program remembers under a key. Programs that run in one process, one after the other
 * or side by side, have a root stack each, and so a memory each. A provider has one of its own.
 */
export function memoize<Value>(key: string, make: () => Value, owner?: object): Value {
  const holder = owner ?? currentProgram();
  const memory = memories.get(holder) ?? new Map<string, unknown>();
  memories.set(holder, memory);
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key) as Value;
}
