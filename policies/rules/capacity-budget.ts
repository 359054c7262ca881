import { type Properties, UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { describeMissing, type PolicyContext } from "../policy/policy-context";
import { groupByService, type ScaledService } from "../policy/scaling";
import { withStacks } from "../policy/settings";

const bound = z.number("use a number greater than 0").positive("use a number greater than 0");
const count = z.int("use an integer greater than 0").positive("use an integer greater than 0");

const FACTORS = ["maxReplicaMemoryGb", "numReplicas"];
const REPLICA_SIZES = ["minReplicaMemoryGb", "maxReplicaMemoryGb"];

export const capacityBudget = createPolicy({
  name: "capacity-budget",
  level: "mandatory",
  description: "The services of a stack together stay within a budget for their memory and number.",
  reason: "Every service can be within its own bounds while all of them together exceed the budget.",
  settings: withStacks({
    maxTotalGb: bound
      .optional()
      .describe(
        "The maximum memory of all services together when scaled up, in GB: the sum of maxReplicaMemoryGb × numReplicas.",
      ),
    maxServices: count.optional().describe("The maximum number of services."),
  }),
  resourceTypes: ["Service"],
  evaluateStack(stackResources, { values, origin }, context) {
    const { maxTotalGb, maxServices } = values;
    const { services, unresolved } = groupByService(stackResources);
    const inStack = services.filter(({ resource }) => resource.type === "Service");
    if (maxServices !== undefined && inStack.length > maxServices) {
      context.reportViolation(
        undefined,
        `The stack has ${inStack.length} services (${inStack.map(({ resource }) => resource.name).join(", ")}), more than ${maxServices}, ${origin("maxServices")}; remove services or raise the budget.`,
      );
    }
    if (maxTotalGb === undefined) return;
    const capacities = services.map((service) => {
      const capacity = capacityOf(service);
      reportIncomplete(context, service, capacity, `${origin("maxTotalGb")} limits the sum`);
      return capacity;
    });
    for (const scaling of unresolved) context.reportUnchecked(scaling, "its service is not known yet");
    const total = capacities.reduce((sum, { gb }) => sum + gb, 0);
    if (total <= maxTotalGb) return;
    const terms = capacities.filter(({ gb }) => gb > 0).map(({ text }) => text);
    const atLeast = capacities.some(({ unknown, missing }) => unknown.length + missing.length > 0) ? "at least " : "";
    context.reportViolation(
      undefined,
      `The services of the stack can scale up to ${atLeast}${total} GB (${terms.join(" + ")}), more than ${maxTotalGb} GB, ${origin("maxTotalGb")}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.`,
    );
  },
  good: {
    settings: { maxTotalGb: 256 },
    resources: [{ type: "Service", name: "analytics", args: { maxReplicaMemoryGb: 64, numReplicas: 3 } }],
  },
  bad: {
    settings: { maxTotalGb: 256, maxServices: 1 },
    resources: [
      { type: "Service", name: "analytics", args: { maxReplicaMemoryGb: 64, numReplicas: 3 } },
      { type: "Service", name: "reports", args: { maxReplicaMemoryGb: 32, numReplicas: 3 } },
      { type: "Service", name: "trial", args: { numReplicas: 1 } },
    ],
  },
});

/** What a service adds to the sum: its full capacity, or the part that is certain. */
interface Capacity {
  readonly gb: number;
  readonly text: string;
  /** Arguments that a preview cannot know. */
  readonly unknown: readonly string[];
  /** Arguments that are neither declared nor in an output. */
  readonly missing: readonly string[];
}

function capacityOf({ resource: { name }, declared, known }: ScaledService): Capacity {
  const number = (values: Properties, key: string) => (typeof values[key] === "number" ? values[key] : undefined);
  const open = FACTORS.filter((key) => number(known, key) === undefined);
  // A service has at least one replica, and a replica at least its minimum memory.
  const memory = number(known, "maxReplicaMemoryGb") ?? number(known, "minReplicaMemoryGb") ?? 0;
  const replicas = number(known, "numReplicas") ?? 1;
  const gb = memory * replicas;
  // The output may be older than what a ServiceScaling changes: it counts only if nothing better is known.
  const total = number(open.length > 0 ? known : declared, "maxTotalMemoryGb");
  // The memory of all replicas is the whole, unless a replica's size that may add up to more is declared too.
  const isWhole = open.length === 0 || REPLICA_SIZES.every((key) => declared[key] === undefined);
  if (total !== undefined && total >= gb && isWhole)
    return { gb: total, text: `${name} ${total}`, unknown: [], missing: [] };
  const isTotalUnknown = isWhole && known.maxTotalMemoryGb === UNKNOWN;
  return {
    gb: Math.max(gb, total ?? 0),
    text: total !== undefined && total > gb ? `${name} ${total}` : `${name} ${memory} × ${replicas}`,
    unknown: isTotalUnknown ? ["maxTotalMemoryGb"] : open.filter((key) => known[key] === UNKNOWN),
    missing: isTotalUnknown ? [] : open.filter((key) => known[key] === undefined),
  };
}

function reportIncomplete(
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
