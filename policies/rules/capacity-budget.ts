import { maxMonthlyCost as costOf } from "pulumi-clouddb-facts";
import { z } from "zod";
import { capacityOf, reportIncomplete } from "../policy/capacity";
import { createPolicy } from "../policy/policy";
import { groupByService } from "../policy/scaling";
import { SECRET } from "../policy/secrets";
import { withStacks } from "../policy/settings";

const bound = z.number("use a number greater than 0").positive("use a number greater than 0");
const count = z.int("use an integer greater than 0").positive("use an integer greater than 0");

const schema = withStacks({
  maxTotalGb: bound
    .optional()
    .describe(
      "The maximum memory of all services together when scaled up, in GB: the sum of maxReplicaMemoryGb × numReplicas.",
    ),
  pricePerGbHour: bound.optional().describe("The price of 1 GB of memory for an hour, in any currency."),
  maxMonthlyCost: bound
    .optional()
    .describe(
      "The maximum cost per month of all services together when scaled up: the same sum × pricePerGbHour × 730 hours.",
    ),
  maxServices: count.optional().describe("The maximum number of services."),
});

type Budget = z.output<typeof schema>;

export const capacityBudget = createPolicy({
  name: "capacity-budget",
  level: "mandatory",
  description: "The services of a stack together stay within a budget for their memory and number.",
  reason: "Every service can be within its own bounds while all of them together exceed the budget.",
  settings: schema,
  settingsProblem: (values) =>
    [values, ...Object.values(values.byStack ?? {}).map((override) => ({ ...values, ...override }))].some(
      ({ maxMonthlyCost, pricePerGbHour }) => maxMonthlyCost !== undefined && pricePerGbHour === undefined,
    )
      ? "maxMonthlyCost needs pricePerGbHour"
      : undefined,
  resourceTypes: ["Service"],
  evaluateStack(stackResources, settings, context) {
    const { maxTotalGb, maxServices, maxMonthlyCost, pricePerGbHour = 0 } = settings.values;
    const { services, unresolved } = groupByService(stackResources);
    const inStack = services.filter(({ resource }) => resource.type === "Service");
    if (maxServices !== undefined && inStack.length > maxServices) {
      context.reportViolation(
        undefined,
        `The stack has ${inStack.length} services (${inStack.map(({ resource }) => resource.name).join(", ")}), more than ${maxServices}, ${settings.origin("maxServices")}; remove services or raise the budget.`,
      );
    }
    if (maxTotalGb === undefined && maxMonthlyCost === undefined) return;
    const limit = settings.origin(maxTotalGb === undefined ? "maxMonthlyCost" : "maxTotalGb");
    const counted = services.map((service) => {
      const capacity = capacityOf(service);
      reportIncomplete(context, service, capacity, `${limit} limits the sum`);
      return { ...service, capacity };
    });
    for (const scaling of unresolved) context.reportUnchecked(scaling, "its service is not known yet");
    const total = counted.reduce((sum, { capacity }) => sum + capacity.gb, 0);
    const isSecret = counted.some(({ capacity }) => capacity.isSecret);
    const isComplete = counted.every(({ capacity: { unknown, missing } }) => unknown.length + missing.length === 0);
    const terms = counted.flatMap(({ capacity: { gb, text } }) => (gb > 0 ? [text] : [])).join(" + ");
    const report = (verb: string, amount: number, [max, unit]: readonly [number, string], key: keyof Budget) => {
      if (amount <= max) return;
      const sum = `${isComplete ? "" : "at least "}${isSecret ? SECRET : round(amount)}${unit}`;
      context.reportViolation(
        undefined,
        `The services of the stack can ${verb} up to ${sum} (${terms}), more than ${max}${unit}, ${settings.origin(key)}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.`,
      );
    };
    if (maxTotalGb !== undefined) report("scale", total, [maxTotalGb, " GB"], "maxTotalGb");
    if (maxMonthlyCost !== undefined)
      report("cost", round(costOf(total, pricePerGbHour)), [maxMonthlyCost, " per month"], "maxMonthlyCost");
  },
  good: {
    settings: { maxTotalGb: 256 },
    resources: [{ type: "Service", name: "analytics", args: { maxReplicaMemoryGb: 64, numReplicas: 3 } }],
  },
  bad: {
    settings: { maxTotalGb: 256, maxServices: 1 },
    resources: [
      { type: "Service", name: "analytics", args: { maxReplicaMemoryGb: 64, numReplicas: 4 } },
      { type: "Service", name: "reports", args: { maxReplicaMemoryGb: 32, numReplicas: 4 } },
      { type: "Service", name: "trial", args: { numReplicas: 2 } },
    ],
  },
});

/** To cents: 0.1 + 0.2 must not exceed 0.3. */
function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}
