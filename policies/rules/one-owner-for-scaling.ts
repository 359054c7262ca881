import { z } from "zod";
import { named } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { scaledServices, scalingOf } from "../policy/scaling";

export const oneOwnerForScaling = createPolicy({
  name: "one-owner-for-scaling",
  level: "mandatory",
  description: "The scaling of a service is managed by one resource: the Service itself, or one ServiceScaling.",
  reason: "Two resources for one thing undo each other's changes at every `up`.",
  settings: z.strictObject({}),
  kinds: [],
  judgeStack(subjects, _settings, findings) {
    const { services, undecided } = scaledServices(subjects);
    const hasOutside = services.some(({ subject }) => subject.kind === "ServiceScaling");
    for (const { subject, scalings } of services) {
      // A service that is taken over may be the one that a scaling names by its id.
      if (hasOutside) findings.read(subject, "existingServiceId");
      const itself = subject.kind === "Service" ? Object.keys(scalingOf(subject.inputs)) : [];
      const others = scalings.filter((scaling) => scaling.urn !== subject.urn).map(named);
      const isShared = subject.kind === "Service" && itself.length === 0 ? others.length > 1 : others.length > 0;
      if (!isShared) continue;
      const owners = itself.length > 0 ? [`its own ${itself.join(", ")}`, ...others] : others;
      const too =
        subject.kind === "ServiceScaling"
          ? `the same service is scaled by ${owners.join(" and ")}, too`
          : `it is scaled by ${owners.join(" and ")}`;
      findings.violation(subject, `${too}; keep one of them.`);
    }
    for (const scaling of undecided) findings.unchecked(scaling, "serviceId is not known yet");
  },
  good: {
    resources: [
      { kind: "Service", name: "analytics", args: { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" } },
      {
        kind: "ServiceScaling",
        name: "size",
        args: { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 },
      },
    ],
  },
  bad: {
    resources: [
      {
        kind: "Service",
        name: "analytics",
        args: { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 2 },
      },
      {
        kind: "ServiceScaling",
        name: "size",
        args: { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", numReplicas: 3 },
      },
    ],
  },
});
