import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { oneOwnerForScaling, replicasWithinBounds } from "./scaling";

describe("replicas-within-bounds", () => {
  describePolicy(replicasWithinBounds, [
    ["reports the specification's limits", service({ numReplicas: 21 }), ["must be an integer from 1 to 20"]],
    ["wants two for the first service of a warehouse", service({ numReplicas: 1 }), ["must be at least 2"]],
    ["but not in BASIC", service({ numReplicas: 1 }, { settings: { organizationTier: "BASIC" } }), []],
    ["nor in an existing warehouse", service({ numReplicas: 1, dataWarehouseId: "w" }), []],
    ["nor in one that the program creates", service({ numReplicas: 1, dataWarehouseId: UNKNOWN }), []],
    [
      "supports limits by stack",
      service({ numReplicas: 4 }, { settings: { max: 10, byStack: { dev: { max: 3 } } } }),
      ["more than 3, the setting max for stacks dev"],
    ],
    ["has a minimum", service({ numReplicas: 2 }, { settings: { min: 3 } }), ["less than 3, the setting min"]],
    [
      "checks a ServiceScaling",
      { resources: [{ type: "ServiceScaling", name: "size", args: { numReplicas: 21 } }] },
      ['ServiceScaling "size": numReplicas 21'],
    ],
    [
      "requires the sizes that it limits",
      service({}, { settings: { max: 2 } }),
      ["numReplicas is not declared and its value is not known; declare it, because the setting max limits it."],
    ],
    [
      "under the stack's own bound",
      service({}, { settings: { byStack: { dev: { min: 2 } } } }),
      ["because the setting min for stacks dev limits it"],
    ],
    ["not where another stack has one", service({}, { settings: { byStack: { prod: { min: 2 } } } }), []],
    [
      "checks an adopted service by its outputs",
      service({ existingServiceId: "a" }, { settings: { max: 2 }, outputs: { numReplicas: 3 } }),
      ["numReplicas 3 is more than 2, the setting max; lower it to 2 or less. The program does not declare it"],
    ],
    [
      "treats an unknown existingServiceId as a possible creation",
      service({ existingServiceId: UNKNOWN }, { settings: { max: 2 } }),
      ["numReplicas is not declared and its value is not known"],
    ],
    [
      "accepts a created service whose outputs are within the bounds",
      service({}, { settings: { max: 3 }, outputs: { numReplicas: 3 } }),
      [],
    ],
    [
      "ignores resources excluded by --target",
      { settings: { max: 2 }, resources: [{ type: "Service", name: "excluded", args: {}, isExcluded: true }] },
      [],
      [
        'Service "excluded": no policy has checked it, because its arguments are not known: this run excludes it (--target',
      ],
    ],
  ]);
});

describe("one-owner-for-scaling", () => {
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
});
