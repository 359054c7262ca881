import { isUnknown } from "pulumi-clouddb-facts";
import type { Properties, State } from "../preview";

/** The size limits of a service; unknown ones are undefined. */
export interface Size {
  /** The maximum memory of a replica. */
  readonly memoryGb: number | undefined;
  readonly replicas: number | undefined;
  readonly minMemoryGb: number | undefined;
  readonly mayScaleToZero: boolean | undefined;
  readonly provider: string | undefined;
  readonly region: string | undefined;
}

/** The argument that declares each of them, and its type. */
const ARGUMENTS = {
  memoryGb: ["maxReplicaMemoryGb", "number"],
  replicas: ["numReplicas", "number"],
  minMemoryGb: ["minReplicaMemoryGb", "number"],
  mayScaleToZero: ["idleScaling", "boolean"],
  provider: ["provider", "string"],
  region: ["region", "string"],
} as const satisfies Record<keyof Size, readonly [argument: string, type: string]>;

/** The size that properties declare; what they do not declare is as before. */
export function readSize(properties: Properties, before: Partial<Size>): Size {
  const read = ([name, [argument, type]]: [string, readonly [string, string]]) => {
    const value = properties[argument] ?? undefined;
    if (value === undefined) return [name, before[name as keyof Size]];
    return [name, typeof value === type && !isUnknown(value) ? value : undefined];
  };
  return Object.fromEntries(Object.entries(ARGUMENTS).map(read));
}

export function sizeBefore({ inputs, outputs }: State): Size {
  return readSize(outputs, readSize(inputs, {}));
}

/** The arguments whose values are not known. */
export function unknownArguments(size: Size): string[] {
  return Object.entries(ARGUMENTS).flatMap(([name, [argument]]) =>
    size[name as keyof Size] === undefined ? [argument] : [],
  );
}

/** The maximum memory of all replicas together. */
export function capacityGb(size: Size | undefined): number | undefined {
  return ofAllReplicas(size?.memoryGb, size);
}

export function minCapacityGb(size: Size): number | undefined {
  return ofAllReplicas(size.minMemoryGb, size);
}

function ofAllReplicas(memoryGb: number | undefined, size: Size | undefined): number | undefined {
  return memoryGb === undefined || size?.replicas === undefined ? undefined : memoryGb * size.replicas;
}
