import * as facts from "pulumi-clouddb-facts";
import type { Properties, State } from "../preview";
import { isSecret } from "./values";

/** The size limits of a service; unknown ones are undefined. */
export interface Size {
  /** The maximum memory of a replica. */
  readonly memoryGb: number | undefined;
  readonly replicas: number | undefined;
  readonly minMemoryGb: number | undefined;
  /** The memory of all replicas together, by deprecated arguments. */
  readonly totalGb: number | undefined;
  readonly minTotalGb: number | undefined;
  readonly mayScaleToZero: boolean | undefined;
  readonly provider: string | undefined;
  readonly region: string | undefined;
}

/** The argument that declares each of them, and its type. */
const ARGUMENTS = {
  memoryGb: ["maxReplicaMemoryGb", "number"],
  replicas: ["numReplicas", "number"],
  minMemoryGb: ["minReplicaMemoryGb", "number"],
  totalGb: ["maxTotalMemoryGb", "number"],
  minTotalGb: ["minTotalMemoryGb", "number"],
  mayScaleToZero: ["idleScaling", "boolean"],
  provider: ["provider", "string"],
  region: ["region", "string"],
} as const satisfies Record<keyof Size, readonly [argument: string, type: string]>;

/** The memory of a replica, and of all together. */
const MEMORY = [
  ["memoryGb", "totalGb"],
  ["minMemoryGb", "minTotalGb"],
] as const;

/** The size that properties declare; undeclared values are as before. */
export function readSize(properties: Properties, before: Partial<Size>, declared = properties): Size {
  const read = ([name, [argument, type]]: [string, readonly [string, string]]) => {
    const value = properties[argument] ?? undefined;
    if (value === undefined) return [name, before[name as keyof Size]];
    return [name, typeof value === type && !facts.isUnknown(value) ? value : undefined];
  };
  const size = Object.fromEntries(Object.entries(ARGUMENTS).map(read));
  const isDeclared = (name: keyof Size) => (declared[ARGUMENTS[name][0]] ?? undefined) !== undefined;
  for (const [bound, total] of MEMORY) {
    const isKnown = size[bound] !== undefined && size.replicas !== undefined;
    const isOpen = [bound, total].some((name) => isDeclared(name) && size[name] === undefined);
    if (isOpen) size[bound] = size[total] = undefined;
    // Undeclared, it may be as old as the service: it counts only if nothing better is known.
    else if (isKnown && !isDeclared(total)) size[total] = undefined;
  }
  return size;
}

/** True if a declared value is not known yet, or is a secret: it may be any value. */
export function hasUnknownSize(properties: Properties): boolean {
  return Object.values(ARGUMENTS).some(([argument, type]) => {
    const value = properties[argument] ?? undefined;
    return value !== undefined && (typeof value !== type || facts.isUnknown(value));
  });
}

/** True if the program marks a part of the size as secret. */
export function hasSecretSize(properties: Properties): boolean {
  return (["replicas", ...MEMORY.flat()] as const).some((name) => isSecret(properties[ARGUMENTS[name][0]]));
}

/** The size before a change, with the arguments of the ServiceScaling of the service. */
export function sizeBefore({ inputs, outputs }: State, scaling: Properties): Size {
  return readSize({ ...outputs, ...scaling }, readSize(inputs, {}), { ...inputs, ...scaling });
}

/** The arguments whose values are not known. */
export function unknownArguments(size: Size): string[] {
  const optional: string[] = MEMORY.flatMap(([bound, total]) => [total, ...(size[total] === undefined ? [] : [bound])]);
  // Without bounds, known totals say all.
  if (MEMORY.every(([bound, total]) => size[bound] === undefined && size[total] !== undefined))
    optional.push("replicas");
  return Object.entries(ARGUMENTS).flatMap(([name, [argument]]) =>
    size[name as keyof Size] === undefined && !optional.includes(name) ? [argument] : [],
  );
}

/** The maximum memory of all replicas together. */
export function capacityGb(size: Size | undefined): number | undefined {
  return size && facts.capacityGb(size);
}

export function minCapacityGb({ minMemoryGb, minTotalGb, replicas }: Size): number | undefined {
  return facts.capacityGb({ memoryGb: minMemoryGb, totalGb: minTotalGb, replicas });
}
