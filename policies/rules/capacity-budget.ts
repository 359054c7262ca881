import { UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { scaledServices } from "../policy/scaling";
import { withStacks } from "../policy/settings";

const bound = z.number("use a number that is more than 0").positive("use a number that is more than 0");
const count = z.int("use a whole number that is more than 0").positive("use a whole number that is more than 0");

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
    maxServices: count.optional().describe("The most services."),
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
    const terms = services.map(({ subject, known }) => {
      const term = termOf(subject.name, known);
      if (term.open !== "") findings.unchecked(subject, `it is counted only in part: ${term.open}`);
      return term;
    });
    for (const scaling of undecided) findings.unchecked(scaling, "its service is not known yet");
    const total = terms.reduce((sum, { gb }) => sum + gb, 0);
    if (total <= maxTotalGb) return;
    const sum = terms.filter(({ gb }) => gb > 0).map(({ text }) => text);
    const least = terms.some(({ open }) => open !== "") ? "at least " : "";
    findings.violation(
      undefined,
      `The services of the stack may grow to ${least}${total} GB (${sum.join(" + ")}), more than ${maxTotalGb} GB, ${origin("maxTotalGb")}; lower maxReplicaMemoryGb or numReplicas, or raise the budget.`,
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

/** What a service adds to the sum: all of it, or the part that is sure whatever the rest will be. */
function termOf(name: string, known: Readonly<Record<string, unknown>>) {
  const number = (key: string) => (typeof known[key] === "number" ? known[key] : undefined);
  const total = number("maxTotalMemoryGb");
  if (total !== undefined) return { gb: total, text: `${name} ${total}`, open: "" };
  const replicas = number("numReplicas");
  const memory = number("maxReplicaMemoryGb");
  const missing = ["maxReplicaMemoryGb", "numReplicas"].filter((key) => number(key) === undefined);
  const open = missing.map((key) => `${key} is ${known[key] === UNKNOWN ? "not known yet" : "not declared"}`);
  // A service has one replica at least, and a replica its least memory.
  const least = memory ?? number("minReplicaMemoryGb") ?? 0;
  return { gb: least * (replicas ?? 1), text: `${name} ${least} × ${replicas ?? 1}`, open: open.join(", ") };
}
