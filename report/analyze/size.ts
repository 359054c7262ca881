import * as facts from "pulumi-clouddb-facts";
import type { Size } from "../json-report";
import type { Properties, State } from "../preview";
import { isSecret } from "./values";

/** The argument that declares each size limit. */
const ARGUMENTS = {
  memoryGb: "maxReplicaMemoryGb",
  replicas: "numReplicas",
  totalGb: "maxTotalMemoryGb",
} as const satisfies Record<keyof Size, string>;

/** The size that properties declare; undeclared values are as before. */
export function readSize(properties: Properties, before: Partial<Size>, declared = properties): Size {
  const read = (name: keyof Size) => {
    const value = properties[ARGUMENTS[name]] ?? undefined;
    return value === undefined ? before[name] : typeof value === "number" ? value : undefined;
  };
  const size = { memoryGb: read("memoryGb"), replicas: read("replicas"), totalGb: read("totalGb") };
  const isDeclared = (name: keyof Size) => (declared[ARGUMENTS[name]] ?? undefined) !== undefined;
  const isOpen = (["memoryGb", "totalGb"] as const).some((name) => isDeclared(name) && size[name] === undefined);
  if (isOpen) return { ...size, memoryGb: undefined, totalGb: undefined };
  // Undeclared, it may be as old as the service: it counts only if nothing better is known.
  const isKnown = size.memoryGb !== undefined && size.replicas !== undefined;
  return isKnown && !isDeclared("totalGb") ? { ...size, totalGb: undefined } : size;
}

/** True if a declared value is not known yet, or is a secret: it may be any value. */
export function hasUnknownSize(properties: Properties): boolean {
  return Object.values(ARGUMENTS).some((argument) => {
    const value = properties[argument] ?? undefined;
    return value !== undefined && typeof value !== "number";
  });
}

/** True if the program marks a part of the size as secret. */
export function hasSecretSize(properties: Properties): boolean {
  return Object.values(ARGUMENTS).some((argument) => isSecret(properties[argument]));
}

/** The size before a change, with the arguments of the ServiceScaling of the service. */
export function sizeBefore({ inputs, outputs }: State, scaling: Properties): Size {
  return readSize({ ...outputs, ...scaling }, readSize(inputs, {}), { ...inputs, ...scaling });
}

/** The maximum memory of all replicas together. */
export function capacityGb(size: Size | undefined): number | undefined {
  return size && facts.capacityGb(size);
}
