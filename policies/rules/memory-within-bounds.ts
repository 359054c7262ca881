import { scalingFields } from "pulumi-clouddb/definitions";
import type { z } from "zod";
import { checkBounds, minAtMostMax, specificationOf } from "../policy/bounds";
import { createPolicy } from "../policy/policy";
import type { PolicyContext } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import { type Settings, withStacks } from "../policy/settings";

const { minReplicaMemoryGb, maxReplicaMemoryGb } = scalingFields();

const schema = withStacks({
  minGb: minReplicaMemoryGb.schema.optional().describe("The minimum memory of a replica, in GB."),
  maxGb: maxReplicaMemoryGb.schema.optional().describe("The maximum memory of a replica, in GB."),
});

type MemorySettings = Settings<z.output<typeof schema>>;

/** The memory of a replica, of all replicas together, and the setting that limits it. */
const MEMORY = [
  ["minReplicaMemoryGb", "minTotalMemoryGb", "minGb"],
  ["maxReplicaMemoryGb", "maxTotalMemoryGb", "maxGb"],
] as const;

const checkSpecification = specificationOf(MEMORY.map(([perReplica]) => perReplica));

const LIMITS = { unit: " GB", min: "minGb", max: "maxGb" } as const;

/** Checks the memory of a replica as its share of the memory that is declared for all of them. */
function checkShare(
  resource: PolicyResource,
  total: "minTotalMemoryGb" | "maxTotalMemoryGb",
  settings: MemorySettings,
  context: PolicyContext,
): void {
  context.read(resource, total);
  // Outputs or a ServiceScaling may show a number of replicas that the service does not declare.
  const needsOutputs = resource.inputs.numReplicas === undefined;
  if (needsOutputs !== (resource.evaluates === "outputs")) return;
  context.require(resource, "numReplicas", `${total} is divided by it`);
  const value = Number(resource.inputs[total]) / Number(resource.effective("numReplicas"));
  if (Number.isNaN(value)) return;
  const label = `${total} / numReplicas =`;
  checkBounds(context, resource, { ...LIMITS, label, paths: [total, "numReplicas"], value, settings, note: "" });
}

export const memoryWithinBounds = createPolicy({
  name: "memory-within-bounds",
  level: "mandatory",
  description: "Replica memory is within the bounds of the API specification and of the settings.",
  reason:
    "Memory determines what a service costs. A bound for each environment keeps a test service from growing as large as production.",
  settings: schema,
  settingsProblem: minAtMostMax("minGb", "maxGb"),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, settings, context) {
    const { minGb, maxGb } = settings.values;
    checkSpecification(context, resource);
    if (minGb === undefined && maxGb === undefined) return;
    for (const [perReplica, total, setting] of MEMORY) {
      const isTotalDeclared = resource.inputs[total] !== undefined;
      const isRequired = settings.values[setting] !== undefined && !isTotalDeclared;
      const value = isRequired
        ? context.require(resource, perReplica, `${settings.origin(setting)} limits it`)
        : context.read(resource, perReplica);
      checkBounds(context, resource, { ...LIMITS, label: perReplica, paths: [perReplica], value, settings });
      if (isTotalDeclared) checkShare(resource, total, settings, context);
    }
  },
  evaluatesOutputs: true,
  good: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [{ type: "Service", name: "analytics", args: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32 } }],
  },
  bad: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [
      { type: "Service", name: "analytics", args: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64 } },
      { type: "Service", name: "reports", args: { minReplicaMemoryGb: 8 } },
    ],
  },
});
