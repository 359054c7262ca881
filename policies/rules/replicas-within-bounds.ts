import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { checkBounds, minAtMostMax, specificationOf } from "../policy/bounds";
import { createPolicy } from "../policy/policy";
import { withStacks } from "../policy/settings";

const { schema: replicas } = scalingFields().numReplicas;

const checkSpecification = specificationOf(["numReplicas"]);

export const replicasWithinBounds = createPolicy({
  name: "replicas-within-bounds",
  level: "mandatory",
  description: "The number of replicas is within the bounds of the API specification and of the settings.",
  reason: "Each replica costs its memory, and a service with too few replicas stops when one of them fails.",
  settings: withStacks({
    min: replicas.optional().describe("The minimum number of replicas of a service."),
    max: replicas.optional().describe("The maximum number of replicas of a service."),
    organizationTier: z
      .enum(["BASIC", "SCALE", "ENTERPRISE"])
      .optional()
      .describe(
        "The organization's tier; default SCALE. In SCALE and ENTERPRISE the first service of a warehouse has at least 2 replicas.",
      ),
  }),
  settingsProblem: minAtMostMax("min", "max"),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, settings, context) {
    const { organizationTier = "SCALE" } = settings.values;
    checkSpecification(context, resource, { organizationTier });
    const setting = (["max", "min"] as const).find((name) => settings.values[name] !== undefined);
    if (setting === undefined) return;
    const value = context.require(resource, "numReplicas", `${settings.origin(setting)} limits it`);
    checkBounds(context, resource, {
      label: "numReplicas",
      paths: ["numReplicas"],
      value,
      settings,
      min: "min",
      max: "max",
    });
  },
  evaluatesOutputs: true,
  good: { resources: [{ type: "Service", name: "analytics", args: { numReplicas: 3 } }] },
  bad: {
    settings: { max: 5 },
    resources: [
      { type: "Service", name: "analytics", args: { numReplicas: 1 } },
      { type: "Service", name: "reports", args: { numReplicas: 8 } },
      { type: "Service", name: "trial", args: {} },
    ],
  },
});
