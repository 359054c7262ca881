import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { PRODUCTION, productionStacks } from "../policy/production";
import { scaledServices } from "../policy/scaling";
import { matches } from "../policy/settings";

const { numReplicas } = scalingFields();

export const productionIsReplicated = createPolicy({
  name: "production-is-replicated",
  level: "mandatory",
  description: "Services of production stacks have replicas enough, and do not scale to zero.",
  reason: "One replica is one failure away from an outage, and a service that idles lets the first query wait.",
  settings: z.strictObject({
    stacks: productionStacks,
    minReplicas: numReplicas.schema.default(2).describe("The fewest replicas; 2 is the default."),
    allowIdle: z.boolean("use true or false").default(false).describe("Whether they may scale to zero."),
  }),
  kinds: ["Service", "ServiceScaling"],
  judge(subject, { values, origin }, findings) {
    if (!matches(values.stacks, subject.stack)) return;
    const replicas = findings.read(subject, "numReplicas");
    if (typeof replicas === "number" && replicas < values.minReplicas) {
      findings.violation(
        subject,
        `numReplicas ${replicas} is less than ${values.minReplicas}, ${origin("minReplicas")} for production; raise it.`,
      );
    }
    if (!values.allowIdle && findings.read(subject, "idleScaling") === true) {
      findings.violation(subject, "idleScaling true lets a production service scale to zero; set it to false.");
    }
  },
  // What no resource declares is the API's choice, and only the whole stack tells what nobody declares.
  judgeStack(subjects, { values, origin }, findings) {
    const { services, undecided } = scaledServices(subjects);
    for (const { subject, declared, known } of services) {
      const isCreated = subject.kind === "Service" && subject.inputs.existingServiceId === undefined;
      if (!isCreated || !matches(values.stacks, subject.stack)) continue;
      if (declared.numReplicas === undefined && values.minReplicas > 1) {
        const replicas = known.numReplicas;
        if (typeof replicas !== "number") findings.unchecked(subject, "numReplicas is not declared");
        else if (replicas < values.minReplicas) {
          findings.violation(
            subject,
            `it has ${replicas} ${replicas === 1 ? "replica" : "replicas"}, less than ${values.minReplicas}, ${origin("minReplicas")} for production; declare numReplicas.`,
          );
        }
      }
      if (values.allowIdle || declared.idleScaling !== undefined) continue;
      if (undecided.length > 0)
        findings.unchecked(subject, "idleScaling is not declared, and a ServiceScaling may do so");
      else {
        findings.violation(
          subject,
          "idleScaling is not declared, and a service scales to zero by default; set it to false.",
        );
      }
    }
  },
  good: {
    stack: PRODUCTION,
    resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 3, idleScaling: false } }],
  },
  bad: {
    stack: PRODUCTION,
    settings: { minReplicas: 3 },
    resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 2, idleScaling: true } }],
  },
});
