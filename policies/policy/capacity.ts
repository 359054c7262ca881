import type { Properties } from "pulumi-clouddb/definitions";
import { capacityGb, UNKNOWN } from "pulumi-clouddb-facts";
import { describeMissing, type PolicyContext } from "./policy-context";
import type { ScaledService } from "./scaling";
import { SECRET } from "./secrets";

const FACTORS = ["maxReplicaMemoryGb", "numReplicas"];
const REPLICA_SIZES = ["minReplicaMemoryGb", "maxReplicaMemoryGb"];

/** A service's share of the sum: its full capacity, or the part that is certain. */
export interface Capacity {
  readonly gb: number;
  readonly text: string;
  readonly isSecret: boolean;
  /** Arguments that a preview cannot know. */
  readonly unknown: readonly string[];
  /** Arguments that are neither declared nor in an output. */
  readonly missing: readonly string[];
}

export function capacityOf({ resource: { name }, declared, known, isSecret: isSecretAt }: ScaledService): Capacity {
  const number = (values: Properties, key: string) => (typeof values[key] === "number" ? values[key] : undefined);
  const open = FACTORS.filter((key) => number(known, key) === undefined);
  // A service has at least one replica, and a replica at least its minimum memory.
  const memoryGb = number(known, "maxReplicaMemoryGb") ?? number(known, "minReplicaMemoryGb") ?? 0;
  const replicas = number(known, "numReplicas") ?? 1;
  // The output may be older than a change by a ServiceScaling: it is only the last resort.
  const totalGb = number(open.length > 0 ? known : declared, "maxTotalMemoryGb");
  const gb = capacityGb({ memoryGb, replicas, totalGb }) ?? 0;
  // The memory of all replicas is the whole, unless a replica's size that may add up to more is declared too.
  const isWhole = open.length === 0 || REPLICA_SIZES.every((key) => declared[key] === undefined);
  const isTotalUnknown = isWhole && known.maxTotalMemoryGb === UNKNOWN;
  const uncertain = isTotalUnknown ? ["maxTotalMemoryGb"] : isWhole && totalGb === gb ? [] : open;
  const isSecret = [...REPLICA_SIZES, "numReplicas", "maxTotalMemoryGb"].some(isSecretAt);
  const size = totalGb === gb ? `${gb}` : `${memoryGb} × ${replicas}`;
  return {
    gb,
    text: `${name} ${isSecret ? SECRET : size}`,
    isSecret,
    unknown: uncertain.filter((key) => known[key] === UNKNOWN),
    missing: uncertain.filter((key) => known[key] === undefined),
  };
}

/** Reports the unknown parts of a capacity; `reason` completes "declare it, because …". */
export function reportIncomplete(
  context: PolicyContext,
  { resource }: ScaledService,
  { unknown, missing }: Capacity,
  reason: string,
): void {
  const unchecked = unknown.map((name) => `${name} is not known yet`);
  for (const name of missing) {
    if (resource.mayBeCreated) context.reportViolation(resource, describeMissing(name, reason));
    else unchecked.push(`${name} is not declared and not known yet`);
  }
  if (unchecked.length > 0) context.reportUnchecked(resource, `only partly counted: ${unchecked.join(", ")}`);
}
