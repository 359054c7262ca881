import { UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { scaledServices } from "../policy/scaling";
import { withStacks } from "../policy/settings";

const bound = z.number("use a number that is more than 0").positive("use a number that is more than 0");

export const capacityBudget = createPolicy({
  name: "capacity-budget",
  level: "mandatory",
  description: "All services of a stack together stay within a budget of memory and of number.",
  reason: "Each service may be within its own bounds while all of them together cost more than was agreed.",
  settings: withStacks({
    maxTotalGb: bound
      .optional()
      .describe(
        "The most memory of all services together when scaled up, in GB: maxReplicaMemoryGb × numReplicas, added up.",
      ),
    maxServices: bound.optional().describe("The most services."),
  }),
  kinds: [],
  judgeStack(subjects, { values, origin }, findings) {
    const { maxTotalGb, maxServices } = values;
    const { services, undecided } = scaledServices(subjects);
    const inStack = services.filter(({ subject }) => subject.kind === "Service");
    if (maxServices !== undefined && inStack.length > maxServices) {
      findings.violation(
        undefined,
        `The stack has ${inStack.length} services (${inStack.map(({ subject }) => subject.name).join(", ")}), more than ${maxServices}, ${origin("maxServices")}; take some out, or raise the budget.`,
      );
    }
    if (maxTotalGb === undefined) return;
    const terms = services.map(({ subject, known: { maxReplicaMemoryGb: memory, numReplicas: replicas } }) => {
      const isCounted = typeof memory === "number" && typeof replicas === "number";
      if (!isCounted) findings.unchecked(subject, missing({ maxReplicaMemoryGb: memory, numReplicas: replicas }));
      return { name: subject.name, memory, replicas, gb: isCounted ? memory * replicas : undefined };
    });
    for (const scaling of undecided) findings.unchecked(scaling, "its service is not known yet");
    const counted = terms.filter(({ gb }) => gb !== undefined);
    const total = counted.reduce((sum, { gb = 0 }) => sum + gb, 0);
    if (total <= maxTotalGb) return;
    const sum = counted.map(({ name, memory, replicas }) => `${name} ${memory} × ${replicas}`).join(" + ");
    const rest = terms.filter(({ gb }) => gb === undefined).map(({ name }) => name);
    const without = rest.length > 0 ? ` Not counted: ${rest.join(", ")}.` : "";
    findings.violation(
      undefined,
      `The services of the stack may grow to ${total} GB (${sum}), more than ${maxTotalGb} GB, ${origin("maxTotalGb")}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.${without}`,
    );
  },
  good: {
    settings: { maxTotalGb: 256 },
    resources: [{ kind: "Service", name: "analytics", args: { maxReplicaMemoryGb: 64, numReplicas: 3 } }],
  },
  bad: {
    settings: { maxTotalGb: 256, maxServices: 1 },
    resources: [
      { kind: "Service", name: "analytics", args: { maxReplicaMemoryGb: 64, numReplicas: 3 } },
      { kind: "Service", name: "reports", args: { maxReplicaMemoryGb: 32, numReplicas: 3 } },
    ],
  },
});

function missing(values: Readonly<Record<string, unknown>>): string {
  const absent = Object.entries(values).filter(([, value]) => typeof value !== "number");
  const parts = absent.map(([name, value]) => `${name} is ${value === UNKNOWN ? "not known yet" : "not declared"}`);
  return `it is not counted: ${parts.join(", ")}`;
}
