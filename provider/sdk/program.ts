import * as pulumi from "./pulumi";

const memories = new WeakMap<object, Map<string, unknown>>();

/** Identifies a run of a program: its root stack, or the process if there is none. */
export function currentProgram(): object {
  return pulumi.getStackResource() ?? globalThis;
}

/**
 * Computes a value once per key and run of a program. Programs in the same process have separate root stacks, so they
 * share nothing. With an owner, such as a provider, once per key and owner.
 */
export function memoize<Value>(key: string, make: () => Value, owner?: object): Value {
  const holder = owner ?? currentProgram();
  const memory = memories.get(holder) ?? new Map<string, unknown>();
  memories.set(holder, memory);
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key) as Value;
}
