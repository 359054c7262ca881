import { scalingFields } from "pulumi-clouddb/definitions";
import { againstSettings, againstSpecification, inOrder } from "../policy/bounds";
import { createPolicy } from "../policy/policy";
import { withStacks } from "../policy/settings";

const { minReplicaMemoryGb, maxReplicaMemoryGb } = scalingFields();
const MEMORY = ["minReplicaMemoryGb", "maxReplicaMemoryGb"];

export const memoryWithinBounds = createPolicy({
  name: "memory-within-bounds",
  level: "mandatory",
  description: "The memory of replicas is within the specification's bounds and those of the settings.",
  reason:
    "Memory is what a service costs. A bound for each environment keeps a test from being as large as production.",
  settings: withStacks({
    minGb: minReplicaMemoryGb.schema.optional().describe("The least memory of a replica, in GB."),
    maxGb: maxReplicaMemoryGb.schema.optional().describe("The most memory of a replica, in GB."),
  }),
  needs: inOrder("minGb", "maxGb"),
  kinds: ["Service", "ServiceScaling"],
  judge(subject, settings, findings) {
    againstSpecification(subject, MEMORY, findings);
    for (const name of MEMORY) againstSettings(subject, name, settings, ["minGb", "maxGb"], findings, " GB");
  },
  good: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [{ kind: "Service", name: "analytics", args: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32 } }],
  },
  bad: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [{ kind: "Service", name: "analytics", args: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64 } }],
  },
});
