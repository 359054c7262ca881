import { formatMoney, sumOfAmounts } from "pulumi-clouddb-facts";
import { z } from "zod";
import { type Capacity, capacityOf, reportIncomplete } from "../policy/capacity";
import { costOf } from "../policy/cost";
import { createPolicy } from "../policy/policy";
import type { PolicyContext } from "../policy/policy-context";
import { priceList } from "../policy/price-list";
import { groupByService, type ScaledService } from "../policy/scaling";
import { SECRET } from "../policy/secrets";
import { type Settings, withStacks } from "../policy/settings";

const bound = z.number("use a number greater than 0").positive("use a number greater than 0");
const count = z.int("use an integer greater than 0").positive("use an integer greater than 0");

const schema = withStacks({
  maxTotalGb: bound
    .optional()
    .describe(
      "The maximum memory of all services together when scaled up, in GB: the sum of maxReplicaMemoryGb × numReplicas.",
    ),
  maxMonthlyCost: bound
    .optional()
    .describe(
      "The maximum cost per month of all services together when scaled up, in the currency of the price file that CLOUDDB_PRICES names (docs/cost.md).",
    ),
  maxServices: count.optional().describe("The maximum number of services."),
});

type BudgetSettings = Settings<z.output<typeof schema>>;

interface CountedService extends ScaledService {
  readonly capacity: Capacity;
}

export const capacityBudget = createPolicy({
  name: "capacity-budget",
  level: "mandatory",
  description: "The services of a stack together stay within a budget for their memory and number.",
  reason: "Every service can be within its own bounds while all of them together exceed the budget.",
  settings: schema,
  settingsProblem: problemWithPrices,
  resourceTypes: ["Service"],
  evaluateStack(stackResources, settings, context) {
    const { maxTotalGb, maxServices, maxMonthlyCost } = settings.values;
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
    if (maxTotalGb !== undefined) checkMemory(counted, maxTotalGb, settings, context);
    if (maxMonthlyCost !== undefined) checkCost(counted, maxMonthlyCost, settings, context);
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

const isComplete = ({ capacity: { unknown, missing } }: CountedService) => unknown.length + missing.length === 0;

function checkMemory(
  services: readonly CountedService[],
  maxTotalGb: number,
  { origin }: BudgetSettings,
  context: PolicyContext,
): void {
  const total = services.reduce((sum, { capacity }) => sum + capacity.gb, 0);
  if (total <= maxTotalGb) return;
  const terms = services.flatMap(({ capacity: { gb, text } }) => (gb > 0 ? [text] : []));
  const sum = services.some(({ capacity }) => capacity.isSecret) ? SECRET : total;
  const atLeast = services.every(isComplete) ? "" : "at least ";
  context.reportViolation(
    undefined,
    `The services of the stack can scale up to ${atLeast}${sum} GB (${terms.join(" + ")}), more than ${maxTotalGb} GB, ${origin("maxTotalGb")}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.`,
  );
}

function checkCost(
  services: readonly CountedService[],
  maxMonthlyCost: number,
  { origin }: BudgetSettings,
  context: PolicyContext,
): void {
  const list = priceList();
  // The check of the settings has refused them.
  if ("problem" in list) return;
  const { prices } = list;
  const reason = `${origin("maxMonthlyCost")} limits the sum`;
  const costs = services.map(({ resource, capacity }) => costOf(resource, capacity.gb, prices, context, reason));
  const total = sumOfAmounts(costs.map((cost) => cost ?? 0));
  if (total <= maxMonthlyCost) return;
  const money = (amount: number) => formatMoney(amount, prices.currency);
  const terms = services.flatMap(({ capacity: { text } }, index) => {
    const cost = costs[index] ?? 0;
    return cost > 0 ? [`${text} GB: ${money(cost)}`] : [];
  });
  const atLeast = services.every(isComplete) && !costs.includes(undefined) ? "" : "at least ";
  context.reportViolation(
    undefined,
    `The services of the stack can cost up to ${atLeast}${money(total)} per month (${terms.join(" + ")}), more than ${money(maxMonthlyCost)}, ${origin("maxMonthlyCost")}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.`,
  );
}

/** A limit for any stack needs prices. */
function problemWithPrices({ maxMonthlyCost, byStack = {} }: z.output<typeof schema>): string | undefined {
  const isSet = [maxMonthlyCost, ...Object.values(byStack).map((override) => override.maxMonthlyCost)].some(
    (limit) => limit !== undefined,
  );
  const list = priceList();
  return isSet && "problem" in list ? `maxMonthlyCost needs prices: ${list.problem}` : undefined;
}
