import { describePolicy, type Program, UNKNOWN } from "../../tests/support/policy";
import { oneOwnerForScaling } from ".";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const service = (args: object, outputs?: object) =>
  ({ type: "Service", name: "analytics", args, ...(outputs && { outputs }) }) as Program["resources"][number];
const scaling = (name: string, serviceId: string, from?: string) =>
  ({
    type: "ServiceScaling",
    name,
    args: { serviceId, numReplicas: 3 },
    ...(from && { from: { serviceId: from } }),
  }) as const;

describePolicy(oneOwnerForScaling, [
  [
    "recognizes a new service's ServiceScaling by the source of its id",
    { resources: [service({ numReplicas: 2 }), scaling("size", UNKNOWN, "analytics")] },
    ['Service "analytics": it is scaled by its own numReplicas and ServiceScaling "size"; keep one of them.'],
  ],
  [
    "reports two ServiceScalings of a new service",
    { resources: [service({}), scaling("one", UNKNOWN, "analytics"), scaling("other", UNKNOWN, "analytics")] },
    ['scaled by ServiceScaling "one" and ServiceScaling "other"'],
  ],
  [
    "reports two ServiceScalings of a service outside of the stack",
    { resources: [scaling("one", ID), scaling("other", ID)] },
    ['ServiceScaling "one": ServiceScaling "other" also scales the same service; keep one of them.'],
  ],
  [
    "uses the id, not the source of a value that names another service",
    {
      resources: [
        service({ existingServiceId: ID, numReplicas: 2 }),
        { ...service({}), name: "decoy" },
        scaling("size", ID, "decoy"),
      ],
    },
    ['Service "analytics": it is scaled by its own numReplicas and ServiceScaling "size"'],
  ],
  ["lets one scaling be", { resources: [service({}), scaling("size", UNKNOWN, "analytics")] }, []],
  [
    "checks declared arguments, not the API's defaults",
    { resources: [service({}, { numReplicas: 3, idleScaling: true }), scaling("size", ID, "analytics")] },
    [],
  ],
  [
    "reports that the service is unknown",
    { resources: [service({ numReplicas: 2 }), scaling("size", UNKNOWN)] },
    [],
    ['ServiceScaling "size": serviceId is not known yet'],
  ],
  [
    "reports that it may be either of two services",
    {
      resources: [
        service({ numReplicas: 2 }),
        { ...service({}), name: "reports" },
        { ...scaling("size", UNKNOWN), from: { serviceId: "analytics" } },
        { type: "ServiceScaling", name: "other", args: { serviceId: UNKNOWN, idleScaling: true } },
      ],
    },
    ['Service "analytics": it is scaled by'],
    ['ServiceScaling "other": serviceId is not known yet'],
  ],
]);
