import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { matchesStack } from "../policy/patterns";
import { createPolicy } from "../policy/policy";
import { shown } from "../policy/policy-resource";
import { describeUnclassified, otherStacks, PRODUCTION_STACK, productionStacks } from "../policy/production-stacks";

const { numReplicas } = scalingFields();

export const productionIsReplicated = createPolicy({
  name: "production-is-replicated",
  level: "mandatory",
  description: "The services of production stacks have enough replicas and do not scale to zero.",
  reason: "The failure of a single replica is an outage, and a service that has scaled to zero delays the next query.",
  settings: z.strictObject({
    stacks: productionStacks,
    otherStacks,
    minReplicas: numReplicas.schema.default(2).describe("The minimum number of replicas; default 2."),
    allowIdle: z.boolean("use true or false").default(false).describe("Whether they may scale to zero; default false."),
  }),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, { values, origin }, context) {
    if (!matchesStack(values.stacks, resource.stack)) return;
    if (values.minReplicas > 1) {
      const reason = `production needs ${values.minReplicas} or more, ${origin("minReplicas")}`;
      const replicas = context.require(resource, "numReplicas", reason);
      if (typeof replicas === "number" && replicas < values.minReplicas) {
        context.reportViolation(
          resource,
          `numReplicas ${shown(resource, "numReplicas", replicas)} is less than ${values.minReplicas}, ${origin("minReplicas")} for production; raise it.`,
        );
      }
    }
    if (values.allowIdle) return;
    const reason = "services scale to zero by default, and production must not";
    const idleScaling = context.require(resource, "idleScaling", reason);
    if (idleScaling === true) {
      const text = `idleScaling ${shown(resource, "idleScaling", idleScaling)}`;
      context.reportViolation(resource, `${text} lets a production service scale to zero; set it to false.`);
    }
  },
  evaluatesOutputs: true,
  evaluateStack([resource], { values }, context) {
    const text = resource && describeUnclassified(resource.stack, values);
    if (text !== undefined) context.reportUnchecked(undefined, text);
  },
  good: {
    stack: PRODUCTION_STACK,
    resources: [{ type: "Service", name: "analytics", args: { numReplicas: 3, idleScaling: false } }],
  },
  bad: {
    stack: PRODUCTION_STACK,
    settings: { minReplicas: 3 },
    resources: [
      { type: "Service", name: "analytics", args: { numReplicas: 2, idleScaling: true } },
      { type: "Service", name: "reports", args: { idleScaling: false } },
    ],
  },
});
