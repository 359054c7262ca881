import { scalingFields } from "pulumi-clouddb/definitions";
import { matchesStack } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { shown } from "../policy/policy-resource";
import { productionStacks } from "../policy/production-stacks";

const { idleTimeoutMinutes } = scalingFields();

export const idleSavesMoney = createPolicy({
  name: "idle-saves-money",
  level: "advisory",
  description: "Services outside production scale to zero while nobody uses them.",
  reason: "A service that nobody uses costs as much as a busy one until it scales to zero.",
  settings: z.strictObject({
    stacks: productionStacks,
    maxIdleTimeoutMinutes: idleTimeoutMinutes.schema
      .default(60)
      .describe("The maximum idle timeout, in minutes; default 60."),
  }),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, { values, origin }, context) {
    if (matchesStack(values.stacks, resource.stack)) return;
    const idleScaling = context.read(resource, "idleScaling");
    if (idleScaling === false) {
      const text = `idleScaling ${shown(resource, "idleScaling", idleScaling)}`;
      context.reportViolation(
        resource,
        `${text} keeps it running while nobody uses it; set it to true outside production.`,
      );
    }
    const timeout = context.read(resource, "idleTimeoutMinutes");
    if (typeof timeout === "number" && timeout > values.maxIdleTimeoutMinutes) {
      context.reportViolation(
        resource,
        `idleTimeoutMinutes ${shown(resource, "idleTimeoutMinutes", timeout)} is more than ${values.maxIdleTimeoutMinutes}, ${origin("maxIdleTimeoutMinutes")}; lower it.`,
      );
    }
  },
  evaluatesOutputs: true,
  good: { stack: "dev", resources: [{ type: "Service", name: "analytics", args: { idleTimeoutMinutes: 15 } }] },
  bad: {
    stack: "dev",
    resources: [
      { type: "Service", name: "analytics", args: { idleScaling: false } },
      { type: "Service", name: "reports", args: { idleTimeoutMinutes: 240 } },
    ],
  },
});
