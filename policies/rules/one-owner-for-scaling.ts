import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { describeResource } from "../policy/policy-context";
import { groupByService, scalingOf } from "../policy/scaling";

export const oneOwnerForScaling = createPolicy({
  name: "one-owner-for-scaling",
  level: "mandatory",
  description: "One resource manages the scaling of a service: the Service itself or one ServiceScaling.",
  reason: "Two resources that manage the same settings undo each other's changes in every `up`.",
  settings: z.strictObject({}),
  resourceTypes: [],
  evaluateStack(stackResources, _settings, context) {
    const { services, unresolved } = groupByService(stackResources);
    const hasOutside = services.some(({ resource }) => resource.type === "ServiceScaling");
    for (const { resource, scalings } of services) {
      // An adopted service may be the one that a ServiceScaling names by its id.
      if (hasOutside) context.read(resource, "existingServiceId");
      const own = resource.type === "Service" ? Object.keys(scalingOf(resource.inputs)) : [];
      const others = scalings.filter((scaling) => scaling.urn !== resource.urn).map(describeResource);
      const isShared = resource.type === "Service" && own.length === 0 ? others.length > 1 : others.length > 0;
      if (!isShared) continue;
      const owners = own.length > 0 ? [`its own ${own.join(", ")}`, ...others] : others;
      const problem =
        resource.type === "ServiceScaling"
          ? `${owners.join(" and ")} also scales the same service`
          : `it is scaled by ${owners.join(" and ")}`;
      context.reportViolation(resource, `${problem}; keep one of them.`);
    }
    for (const scaling of unresolved) context.reportUnchecked(scaling, "serviceId is not known yet");
  },
  good: {
    resources: [
      { type: "Service", name: "analytics", args: { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" } },
      {
        type: "ServiceScaling",
        name: "size",
        args: { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 },
      },
    ],
  },
  bad: {
    resources: [
      {
        type: "Service",
        name: "analytics",
        args: { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 2 },
      },
      {
        type: "ServiceScaling",
        name: "size",
        args: { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 },
      },
    ],
  },
});
