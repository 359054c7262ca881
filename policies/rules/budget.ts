import type { Properties } from "pulumi-clouddb/definitions";
import { capacityGb, maxMonthlyCost as costOf, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy, describeUndeclared, type PolicyContext } from "../core/policy";
import { SECRET } from "../core/resource";
import { variantsOf, withStacks } from "../core/settings";
import { groupByService, type ScaledService } from "../core/stack";
import { service } from "../testing/program";

const REPLICA_SIZES = ["minReplicaMemoryGb", "maxReplicaMemoryGb"];

/**
 * A service's share of the budget: its full capacity, or the certain part. `open` are the arguments
 * that decide the rest.
 */
function capacityOf({ resource: { name }, declared, known, isSecret: isSecretAt }: ScaledService) {
  const number = (values: Properties, key: string) =>
    typeof values[key] === "number" ? values[key] : undefined;
  const open = ["maxReplicaMemoryGb", "numReplicas"].filter(
    (key) => number(known, key) === undefined,
  );
  // A service has at least one replica, and a replica has at least its minimum memory.
  const memoryGb = number(known, "maxReplicaMemoryGb") ?? number(known, "minReplicaMemoryGb") ?? 0;
  const replicas = number(known, "numReplicas") ?? 1;
  // The output of a service may be outdated by a ServiceScaling, so it is used last.
  const totalGb = number(open.length > 0 ? known : declared, "maxTotalMemoryGb");
  const gb = capacityGb({ memoryGb, replicas, totalGb }) ?? 0;
  // A declared total is the capacity, unless declared replica sizes add up to more.
  const isWhole = open.length === 0 || REPLICA_SIZES.every((key) => declared[key] === undefined);
  const isTotalUnknown = isWhole && known.maxTotalMemoryGb === UNKNOWN;
  const isSecret = [...REPLICA_SIZES, "numReplicas", "maxTotalMemoryGb"].some(isSecretAt);
  const size = totalGb === gb ? `${gb}` : `${memoryGb} × ${replicas}`;
  return {
    gb,
    text: `${name} ${isSecret ? SECRET : size}`,
    isSecret,
    open: isTotalUnknown ? ["maxTotalMemoryGb"] : isWhole && totalGb === gb ? [] : open,
  };
}

/** Reports the undecided part of a capacity. `reason` completes "declare it, because …". */
function reportOpen(
  context: PolicyContext,
  { resource, known }: ScaledService,
  open: readonly string[],
  reason: string,
) {
  const unchecked = open.flatMap((name) => {
    if (known[name] === UNKNOWN) return [`${name} is not known yet`];
    if (!resource.mayBeCreated) return [`${name} is not declared and not known yet`];
    context.reportViolation(resource, describeUndeclared(name, reason));
    return [];
  });
  if (unchecked.length > 0)
    context.reportUnchecked(resource, `only partly counted: ${unchecked.join(", ")}`);
}

const bound = z.number("use a number greater than 0").positive("use a number greater than 0");
const count = z.int("use an integer greater than 0").positive("use an integer greater than 0");

export const capacityBudget = createPolicy({
  name: "capacity-budget",
  level: "mandatory",
  severity: "medium",
  description: "The services of a stack together stay within a budget for their memory and number.",
  reason:
    "Every service can be within its own bounds while all of them together exceed the budget.",
  settings: withStacks({
    maxTotalGb: bound
      .optional()
      .describe(
        "The maximum memory of all services together when scaled up, in GB: the sum of maxReplicaMemoryGb × numReplicas.",
      ),
    pricePerGbHour: bound
      .optional()
      .describe("The price of 1 GB of memory for an hour, in any currency."),
    maxMonthlyCost: bound
      .optional()
      .describe(
        "The maximum cost per month of all services together when scaled up: the same sum × pricePerGbHour × 730 hours.",
      ),
    maxServices: count.optional().describe("The maximum number of services."),
  }),
  settingsProblem: (values) =>
    variantsOf(values).some(
      (item) => item.maxMonthlyCost !== undefined && item.pricePerGbHour === undefined,
    )
      ? "maxMonthlyCost needs pricePerGbHour"
      : undefined,
  resourceTypes: ["Service"],
  evaluateStack(stackResources, { values, origin }, context) {
    const { maxTotalGb, maxServices, maxMonthlyCost, pricePerGbHour = 0 } = values;
    const { services, unresolved } = groupByService(stackResources);
    const names = services.flatMap(({ resource: { type, name } }) =>
      type === "Service" ? [name] : [],
    );
    if (maxServices !== undefined && names.length > maxServices) {
      const services = `${names.length} services (${names.join(", ")})`;
      context.reportViolation(
        undefined,
        `The stack has ${services}, more than ${maxServices}, ${origin("maxServices")}; remove services or raise the budget.`,
      );
    }
    if (maxTotalGb === undefined && maxMonthlyCost === undefined) return;
    const limit = origin(maxTotalGb === undefined ? "maxMonthlyCost" : "maxTotalGb");
    const capacities = services.map((item) => {
      const capacity = capacityOf(item);
      reportOpen(context, item, capacity.open, `${limit} limits the sum`);
      return capacity;
    });
    for (const scaling of unresolved)
      context.reportUnchecked(scaling, "its service is not known yet");
    const total = capacities.reduce((sum, { gb }) => sum + gb, 0);
    const isSecret = capacities.some((capacity) => capacity.isSecret);
    const isComplete = capacities.every(({ open }) => open.length === 0);
    const terms = capacities.flatMap(({ gb, text }) => (gb > 0 ? [text] : [])).join(" + ");
    const report = (
      verb: string,
      amount: number,
      unit: string,
      key: "maxTotalGb" | "maxMonthlyCost",
    ) => {
      const max = values[key];
      if (max === undefined || amount <= max) return;
      const sum = `${isComplete ? "" : "at least "}${isSecret ? SECRET : round(amount)}${unit}`;
      context.reportViolation(
        undefined,
        `The services of the stack can ${verb} up to ${sum} (${terms}), more than ${max}${unit}, ${origin(key)}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.`,
      );
    };
    report("scale", total, " GB", "maxTotalGb");
    report("cost", round(costOf(total, pricePerGbHour)), " per month", "maxMonthlyCost");
  },
  good: {
    settings: { maxTotalGb: 256 },
    resources: [service({ maxReplicaMemoryGb: 64, numReplicas: 3 })],
  },
  bad: {
    settings: { maxTotalGb: 256, maxServices: 1 },
    resources: [
      service({ maxReplicaMemoryGb: 64, numReplicas: 4 }),
      service({ maxReplicaMemoryGb: 32, numReplicas: 4 }, "reports"),
      service({ numReplicas: 2 }, "trial"),
    ],
  },
});

/** Rounds to cents, so that 0.1 + 0.2 does not exceed 0.3. */
function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
