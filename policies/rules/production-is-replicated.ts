import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { otherStacks, PRODUCTION, productionStacks, unclassified } from "../policy/production";
import { matchesStack, type Settings } from "../policy/settings";
import type { Subject } from "../policy/subject";

const { numReplicas } = scalingFields();

const schema = z.strictObject({
  stacks: productionStacks,
  otherStacks,
  minReplicas: numReplicas.schema.default(2).describe("The fewest replicas; 2 is the default."),
  allowIdle: z.boolean("use true or false").default(false).describe("Whether they may scale to zero."),
});

function judge(subject: Subject, { values, origin }: Settings<z.output<typeof schema>>, findings: Findings): void {
  if (!matchesStack(values.stacks, subject.stack)) return;
  if (values.minReplicas > 1) {
    const reason = `production needs ${values.minReplicas} or more, ${origin("minReplicas")}; declare it`;
    const replicas = findings.demand(subject, "numReplicas", reason);
    if (typeof replicas === "number" && replicas < values.minReplicas) {
      findings.violation(
        subject,
        `numReplicas ${replicas} is less than ${values.minReplicas}, ${origin("minReplicas")} for production; raise it.`,
      );
    }
  }
  if (values.allowIdle) return;
  if (findings.demand(subject, "idleScaling", "a service scales to zero by default; set it to false") === true) {
    findings.violation(subject, "idleScaling true lets a production service scale to zero; set it to false.");
  }
}

export const productionIsReplicated = createPolicy({
  name: "production-is-replicated",
  level: "mandatory",
  description: "Services of production stacks have replicas enough, and do not scale to zero.",
  reason: "One replica is one failure away from an outage, and a service that idles lets the first query wait.",
  settings: schema,
  kinds: ["Service", "ServiceScaling"],
  judge,
  judgeUndeclared: judge,
  judgeStack([subject], { values }, findings) {
    const text = subject && unclassified(subject.stack, values);
    if (text !== undefined) findings.unchecked(undefined, text);
  },
  good: {
    stack: PRODUCTION,
    resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 3, idleScaling: false } }],
  },
  bad: {
    stack: PRODUCTION,
    settings: { minReplicas: 3 },
    resources: [
      { kind: "Service", name: "analytics", args: { numReplicas: 2, idleScaling: true } },
      { kind: "Service", name: "reports", args: { idleScaling: false } },
    ],
  },
});
