import { ORGANIZATION_TIERS, scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { type BoundedValue, checkBounds, checkSpecification, minAtMostMax } from "../core/bounds";
import { createPolicy, type PolicyContext } from "../core/policy";
import { describeResource, type PolicyResource } from "../core/resource";
import { withStacks } from "../core/settings";
import { groupByService, scalingOf } from "../core/stack";
import { scaling, service } from "../testing/program";

const { minReplicaMemoryGb, maxReplicaMemoryGb, numReplicas } = scalingFields();

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";

/** The memory of a replica and of all replicas, with the setting that limits it. */
const MEMORY = [
  ["minReplicaMemoryGb", "minTotalMemoryGb", "minGb"],
  ["maxReplicaMemoryGb", "maxTotalMemoryGb", "maxGb"],
] as const;

type MemoryBounds = Pick<BoundedValue, "min" | "max" | "unit">;

/** Checks a replica's share of the total memory. */
function checkShare(
  resource: PolicyResource,
  total: string,
  bounds: MemoryBounds,
  context: PolicyContext,
): void {
  context.read(resource, total);
  // An undeclared number of replicas may be in outputs or in a ServiceScaling.
  const needsOutputs = resource.inputs.numReplicas === undefined;
  if (needsOutputs !== (resource.evaluates === "outputs")) return;
  context.require(resource, "numReplicas", `${total} is divided by it`);
  const value = Number(resource.inputs[total]) / Number(resource.effective("numReplicas"));
  checkBounds(context, resource, { ...bounds, paths: [total, "numReplicas"], value });
}

export const memoryWithinBounds = createPolicy({
  name: "memory-within-bounds",
  level: "mandatory",
  severity: "medium",
  description: "Replica memory is within the bounds of the API specification and of the settings.",
  reason:
    "Memory determines what a service costs. A bound for each environment keeps a test service from growing as large as production.",
  settings: withStacks({
    minGb: minReplicaMemoryGb.schema.optional().describe("The minimum memory of a replica, in GB."),
    maxGb: maxReplicaMemoryGb.schema.optional().describe("The maximum memory of a replica, in GB."),
  }),
  settingsProblem: minAtMostMax("minGb", "maxGb"),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, { values, origin, bound }, context) {
    checkSpecification(context, resource, ["minReplicaMemoryGb", "maxReplicaMemoryGb"]);
    if (values.minGb === undefined && values.maxGb === undefined) return;
    const bounds = { min: bound("minGb"), max: bound("maxGb"), unit: " GB" };
    for (const [perReplica, total, setting] of MEMORY) {
      const isTotalDeclared = resource.inputs[total] !== undefined;
      const isRequired = values[setting] !== undefined && !isTotalDeclared;
      const value = isRequired
        ? context.require(resource, perReplica, `${origin(setting)} limits it`)
        : context.read(resource, perReplica);
      checkBounds(context, resource, { ...bounds, paths: [perReplica], value });
      if (isTotalDeclared) checkShare(resource, total, bounds, context);
    }
  },
  evaluatesOutputs: true,
  good: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [service({ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32 })],
  },
  bad: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [
      service({ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64 }),
      service({ minReplicaMemoryGb: 8 }, "reports"),
    ],
  },
});

export const replicasWithinBounds = createPolicy({
  name: "replicas-within-bounds",
  level: "mandatory",
  severity: "medium",
  description:
    "The number of replicas is within the bounds of the API specification and of the settings.",
  reason:
    "Each replica costs its memory, and a service with too few replicas stops when one of them fails.",
  settings: withStacks({
    min: numReplicas.schema.optional().describe("The minimum number of replicas of a service."),
    max: numReplicas.schema.optional().describe("The maximum number of replicas of a service."),
    organizationTier: z
      .enum(ORGANIZATION_TIERS)
      .optional()
      .describe(
        "The organization's tier; default SCALE. In SCALE and ENTERPRISE the first service of a warehouse has at least 2 replicas.",
      ),
  }),
  settingsProblem: minAtMostMax("min", "max"),
  resourceTypes: ["Service", "ServiceScaling"],
  evaluate(resource, { values, origin, bound }, context) {
    const path = "numReplicas";
    checkSpecification(context, resource, [path], {
      organizationTier: values.organizationTier ?? "SCALE",
    });
    const setting = (["max", "min"] as const).find((name) => values[name] !== undefined);
    if (setting === undefined) return;
    const value = context.require(resource, path, `${origin(setting)} limits it`);
    checkBounds(context, resource, { paths: [path], value, min: bound("min"), max: bound("max") });
  },
  evaluatesOutputs: true,
  good: { resources: [service({ numReplicas: 3 })] },
  bad: {
    settings: { max: 5 },
    resources: [
      service({ numReplicas: 1 }),
      service({ numReplicas: 8 }, "reports"),
      service({}, "trial"),
    ],
  },
});

export const oneOwnerForScaling = createPolicy({
  name: "one-owner-for-scaling",
  level: "mandatory",
  severity: "medium",
  description:
    "One resource manages the scaling of a service: the Service itself or one ServiceScaling.",
  reason: "Two resources that manage the same settings undo each other's changes in every `up`.",
  settings: z.strictObject({}),
  resourceTypes: [],
  evaluateStack(stackResources, _settings, context) {
    const { services, unresolved } = groupByService(stackResources);
    const hasOutside = services.some(({ resource }) => resource.type === "ServiceScaling");
    for (const { resource, scalings } of services) {
      // A ServiceScaling may use the id of an adopted service.
      if (hasOutside) context.read(resource, "existingServiceId");
      const own = resource.type === "Service" ? Object.keys(scalingOf(resource.inputs)) : [];
      const others = scalings
        .filter((scaling) => scaling.urn !== resource.urn)
        .map(describeResource);
      const isShared =
        resource.type === "Service" && own.length === 0 ? others.length > 1 : others.length > 0;
      if (!isShared) continue;
      const owners = [...(own.length > 0 ? [`its own ${own.join(", ")}`] : []), ...others].join(
        " and ",
      );
      const problem =
        resource.type === "ServiceScaling"
          ? `${owners} also scales the same service`
          : `it is scaled by ${owners}`;
      context.reportViolation(resource, `${problem}; keep one of them.`);
    }
    for (const scaling of unresolved)
      context.reportUnchecked(scaling, "serviceId is not known yet");
  },
  good: {
    resources: [service({ existingServiceId: ID }), scaling({ serviceId: ID, numReplicas: 3 })],
  },
  bad: {
    resources: [
      service({ existingServiceId: ID, numReplicas: 2 }),
      scaling({ serviceId: ID, numReplicas: 3 }),
    ],
  },
});
