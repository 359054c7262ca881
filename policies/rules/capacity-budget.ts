import { UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { scaledServices } from "../policy/scaling";
import { withStacks } from "../policy/settings";
import type { Subject } from "../policy/subject";

const bound = z.number("use a number that is more than 0").positive("use a number that is more than 0");
const count = z.int("use a whole number that is more than 0").positive("use a whole number that is more than 0");

const TERMS = ["maxReplicaMemoryGb", "numReplicas"];
const SIZES = ["minReplicaMemoryGb", "maxReplicaMemoryGb"];

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
  kinds: ["Service"],
  // The sum is known at the end, when all services exist: what it is made of is looked at before.
  judge(subject, { values, origin }, findings) {
    // The memory of all replicas says it all, as long as no other size is declared that may be larger.
    const isTotal = !subject.isUndeclared("maxTotalMemoryGb") && SIZES.every(subject.isUndeclared);
    if (values.maxTotalGb === undefined || isTotal) return;
    for (const name of TERMS.filter(subject.isUndeclared)) {
      findings.demand(subject, name, `${origin("maxTotalGb")} adds it up; declare it`);
    }
  },
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
    const terms = services.map(({ subject, declared, known }) => {
      const term = termOf(subject, declared, known);
      // `judge` has said what a new service has to declare.
      if (term.open !== "" && !(subject.isCreated && term.isUndeclared))
        findings.unchecked(subject, `it is counted only in part: ${term.open}`);
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
      { kind: "Service", name: "trial", args: { numReplicas: 1 } },
    ],
  },
});

type Values = Readonly<Record<string, unknown>>;

/** What a service adds to the sum: all of it, or the part that is sure whatever the rest will be. */
function termOf({ name }: Subject, declared: Values, known: Values) {
  const number = (values: Values, key: string) => (typeof values[key] === "number" ? values[key] : undefined);
  const replicas = number(known, "numReplicas");
  const memory = number(known, "maxReplicaMemoryGb");
  const missing = TERMS.filter((key) => number(known, key) === undefined);
  // An output may be older than what a ServiceScaling changes: it counts where there is nothing better.
  const total = number(missing.length > 0 ? known : declared, "maxTotalMemoryGb");
  // A service has one replica at least, and a replica its least memory.
  const least = memory ?? number(known, "minReplicaMemoryGb") ?? 0;
  const gb = least * (replicas ?? 1);
  if (total !== undefined && total >= gb) return { gb: total, text: `${name} ${total}`, open: "", isUndeclared: false };
  const open = missing.map((key) => `${key} is ${known[key] === UNKNOWN ? "not known yet" : "not declared"}`);
  const isUndeclared = missing.every((key) => known[key] === undefined);
  return { gb, text: `${name} ${least} × ${replicas ?? 1}`, open: open.join(", "), isUndeclared };
}
