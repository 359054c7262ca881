import { z } from "zod";
import { matchesStack } from "../policy/patterns";
import { createPolicy } from "../policy/policy";
import { PRODUCTION_STACK, productionStacks } from "../policy/production-stacks";

export const productionIsProtected = createPolicy({
  name: "production-is-protected",
  level: "advisory",
  description: "The services of production stacks are protected.",
  reason: "Protection prevents a destroy, a rename or a replacement from leaving a service running unmanaged.",
  settings: z.strictObject({ stacks: productionStacks }),
  resourceTypes: ["Service"],
  evaluate(resource, { values }, context) {
    if (resource.isProtected || !matchesStack(values.stacks, resource.stack)) return;
    context.reportViolation(
      resource,
      "it is not protected; set the resource option protect: true, and remove protect: false and retainOnDelete, unless you are about to stop managing the service.",
    );
  },
  good: { stack: PRODUCTION_STACK, resources: [{ type: "Service", name: "analytics", args: {} }] },
  bad: {
    stack: PRODUCTION_STACK,
    resources: [{ type: "Service", name: "analytics", args: {}, options: { protect: false } }],
  },
});
