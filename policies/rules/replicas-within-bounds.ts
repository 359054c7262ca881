import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { againstSettings, againstSpecification, inOrder } from "../policy/bounds";
import { createPolicy } from "../policy/policy";
import { withStacks } from "../policy/settings";

const { schema } = scalingFields().numReplicas;

export const replicasWithinBounds = createPolicy({
  name: "replicas-within-bounds",
  level: "mandatory",
  description: "The number of replicas is within the specification's bounds and those of the settings.",
  reason: "Each replica costs the memory of one, and a service with too few of them stands still when one fails.",
  settings: withStacks({
    min: schema.optional().describe("The fewest replicas of a service."),
    max: schema.optional().describe("The most replicas of a service."),
    organizationTier: z
      .enum(["BASIC", "SCALE", "ENTERPRISE"])
      .optional()
      .describe(
        "The organization's tier. In SCALE, the default, and ENTERPRISE a warehouse's first service has 2 replicas or more.",
      ),
  }),
  needs: inOrder("min", "max"),
  kinds: ["Service", "ServiceScaling"],
  judge(subject, settings, findings) {
    const { organizationTier = "SCALE" } = settings.values;
    againstSpecification(subject, ["numReplicas"], findings, { organizationTier });
    againstSettings(subject, "numReplicas", settings, ["min", "max"], findings);
  },
  good: { resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 3 } }] },
  bad: {
    settings: { max: 5 },
    resources: [
      { kind: "Service", name: "analytics", args: { numReplicas: 1 } },
      { kind: "Service", name: "reports", args: { numReplicas: 8 } },
    ],
  },
});
