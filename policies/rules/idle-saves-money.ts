import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { matchesStack } from "../policy/patterns";
import { createPolicy } from "../policy/policy";
import { shown } from "../policy/policy-resource";
import { productionStacks } from "../policy/production-stacks";

const { idleTimeoutMinutes } = scalingFields();

const DEFAULT_MINUTES = 60;

export const idleSavesMoney = createPolicy({
  name: "idle-saves-money",
  level: "advisory",
  description: "Services outside production scale to zero while nobody uses them.",
  reason: "A service that nobody uses costs as much as a busy one until it scales to zero.",
  settings: z.strictObject({
    stacks: productionStacks,
    maxIdleTimeoutMinutes: idleTimeoutMinutes.schema
      .optional()
      .describe(
        `The maximum idle timeout, in minutes; default ${DEFAULT_MINUTES}. Where it is set, new services must declare idleTimeoutMinutes.`,
      ),
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
    const { maxIdleTimeoutMinutes: bound = DEFAULT_MINUTES } = values;
    const timeout =
      values.maxIdleTimeoutMinutes === undefined
        ? context.read(resource, "idleTimeoutMinutes")
        : context.require(resource, "idleTimeoutMinutes", `${origin("maxIdleTimeoutMinutes")} limits it`);
    if (typeof timeout === "number" && timeout > bound) {
      context.reportViolation(
        resource,
        `idleTimeoutMinutes ${shown(resource, "idleTimeoutMinutes", timeout)} is more than ${bound}, ${origin("maxIdleTimeoutMinutes")}; lower it.`,
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
