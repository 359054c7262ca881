import {
  type Args,
  adopted,
  describePolicy,
  ofNewService,
  type Program,
  resources,
  service,
  UNKNOWN,
  withOutputs,
} from "../../tests/support/policy";
import { memoryWithinBounds, oneOwnerForScaling, replicasWithinBounds } from "./scaling";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const { scaling } = resources;

describe("memory-within-bounds", () => {
  const settings = { maxGb: 32 };
  const byStack = { maxGb: 64, byStack: { "dev*": { maxGb: 32 }, "dev-big": { maxGb: 120 } } };
  const of = (...all: Program["resources"]): Program => ({ settings, resources: all });
  const analytics = (args: Args, outputs?: Args) => withOutputs(resources.service(args), outputs);

  describePolicy(memoryWithinBounds, [
    ["reports the specification's limits", service({ maxReplicaMemoryGb: 360 }), ["from 8 to 356 and a multiple of 4"]],
    [
      "reports a minimum above the maximum",
      service({ minReplicaMemoryGb: 64, maxReplicaMemoryGb: 32 }),
      ["must not exceed maxReplicaMemoryGb 32"],
    ],
    [
      "reports BYOC sizes",
      service({ byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 }),
      ["one of 48, 116, 172, 232"],
    ],
    [
      "uses the limit for all stacks",
      service({ maxReplicaMemoryGb: 120 }, { settings: byStack, stack: "test" }),
      ["64 GB, the setting maxGb; lower"],
    ],
    [
      "uses the limit of the stack's pattern",
      service({ maxReplicaMemoryGb: 64 }, { settings: byStack, stack: "dev-small" }),
      ["32 GB, the setting maxGb for stacks dev*"],
    ],
    [
      "prefers a full name over a pattern",
      service({ maxReplicaMemoryGb: 120 }, { settings: byStack, stack: "dev-big" }),
      [],
    ],
    [
      "prefers the longer of two patterns",
      service({ maxReplicaMemoryGb: 64 }, { settings: { byStack: { "de*": { maxGb: 8 }, "dev*": { maxGb: 64 } } } }),
      [],
    ],
    [
      "takes a name without * for a name",
      service({ maxReplicaMemoryGb: 64 }, { stack: "axb", settings: { byStack: { "a.b": settings, ax: settings } } }),
      [],
    ],
    [
      "has a minimum",
      service({ minReplicaMemoryGb: 8 }, { settings: { minGb: 16 } }),
      ["less than 16 GB, the setting minGb; raise it to 16"],
    ],
    [
      "checks the known one of two",
      service({ minReplicaMemoryGb: UNKNOWN, maxReplicaMemoryGb: 64 }, { settings }),
      ["more than 32"],
      ["minReplicaMemoryGb is not known yet"],
    ],
    ["ignores an undeclared size without a limit", service({}), []],
    [
      "requires the sizes that it limits",
      service({}, { settings: { minGb: 8, maxGb: 32 } }),
      [
        "minReplicaMemoryGb is not declared and its value is not known; declare it, because the setting minGb limits it.",
        "maxReplicaMemoryGb is not declared and its value is not known; declare it, because the setting maxGb limits it.",
      ],
    ],
    ["requires no other sizes", service({ maxReplicaMemoryGb: 32 }, { settings }), []],
    [
      "checks memory declared in total, also next to that of a replica",
      of(analytics({ maxTotalMemoryGb: 132, maxReplicaMemoryGb: 8, numReplicas: 3 })),
      ["maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB"],
    ],
    ["accepts a total within the limit", of(analytics({ maxTotalMemoryGb: 96, numReplicas: 3 })), []],
    [
      "requires the number of replicas that share the total",
      of(analytics({ maxTotalMemoryGb: 24 })),
      [
        "numReplicas is not declared and its value is not known; declare it, because maxTotalMemoryGb is divided by it.",
      ],
    ],
    [
      "divides memory declared in total by the replicas in outputs",
      of(analytics({ maxTotalMemoryGb: 132 }, { maxTotalMemoryGb: 132, numReplicas: 3 })),
      ["maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB, the setting maxGb; lower it to 32 or less."],
    ],
    [
      "divides it by the replicas that a ServiceScaling declares",
      of(analytics({ maxTotalMemoryGb: 132 }), ofNewService(scaling({ numReplicas: 3 }))),
      ["maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB"],
    ],
    [
      "checks an adopted service by its outputs",
      { ...adopted({}, { maxReplicaMemoryGb: 64 }), settings },
      ["64 GB is more than 32 GB, the setting maxGb; lower it to 32 or less. The program does not declare it;"],
    ],
    ["accepts a small adopted service", { ...adopted({}, { maxReplicaMemoryGb: 16 }), settings }, []],
    [
      "reports the unknown size of an adopted service",
      { ...adopted({}), settings },
      [],
      ["maxReplicaMemoryGb is not declared and not known yet"],
    ],
    [
      "checks a created service by its outputs",
      of(analytics({}, { maxReplicaMemoryGb: 64 })),
      ["maxReplicaMemoryGb 64 GB is more than 32 GB"],
    ],
    ["accepts a created service within the limit", of(analytics({}, { maxReplicaMemoryGb: 32 })), []],
    [
      "prefers a ServiceScaling over the service's outputs",
      of(
        analytics({ existingServiceId: "a" }, { maxReplicaMemoryGb: 64 }),
        scaling({ serviceId: "a", maxReplicaMemoryGb: 32 }),
      ),
      [],
    ],
    [
      "does not check a service if a ServiceScaling may be of any service",
      of(
        analytics({ existingServiceId: "a" }, { maxReplicaMemoryGb: 64 }),
        scaling({ serviceId: UNKNOWN, maxReplicaMemoryGb: 32 }),
      ),
      [],
      ["maxReplicaMemoryGb is not known yet"],
    ],
    [
      "checks the service of a ServiceScaling by its outputs",
      of(withOutputs(scaling({ serviceId: "a", numReplicas: 2 }), { numReplicas: 2, maxReplicaMemoryGb: 64 })),
      ['ServiceScaling "size": maxReplicaMemoryGb 64 GB'],
    ],
    [
      "accepts a size that the ServiceScaling of a new service declares",
      of(analytics({}), ofNewService(scaling({ maxReplicaMemoryGb: 32 }))),
      [],
    ],
    [
      "checks that size in the ServiceScaling",
      of(analytics({}), ofNewService(scaling({ maxReplicaMemoryGb: 64 }))),
      ['ServiceScaling "size": maxReplicaMemoryGb 64 GB is more than 32 GB'],
    ],
    [
      "does not accept a ServiceScaling that may be of another service for a new one",
      of(analytics({}), scaling({ serviceId: UNKNOWN, maxReplicaMemoryGb: 32 })),
      ['Service "analytics": maxReplicaMemoryGb is not declared and its value is not known'],
    ],
    [
      "prefers the outputs of a ServiceScaling, which are newer",
      of(
        analytics({}, { maxReplicaMemoryGb: 32 }),
        withOutputs(ofNewService(scaling({ numReplicas: 2 })), { numReplicas: 2, maxReplicaMemoryGb: 64 }),
      ),
      ['Service "analytics": maxReplicaMemoryGb 64 GB is more than 32 GB'],
    ],
    [
      "checks a native resource in the same way, and ignores other packages",
      of(
        { type: "clouddb:index:Service", name: "a", args: { maxReplicaMemoryGb: 64 } },
        { type: "other:index:Service", name: "b", args: { maxReplicaMemoryGb: 64 } },
      ),
      ['Service "a": maxReplicaMemoryGb 64 GB is more than 32 GB'],
    ],
  ]);
});

describe("replicas-within-bounds", () => {
  const settings = { max: 2 };

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
      { resources: [scaling({ numReplicas: 21 })] },
      ['ServiceScaling "size": numReplicas 21'],
    ],
    [
      "requires the sizes that a stack's bound limits",
      service({}, { settings: { byStack: { dev: { min: 2 } } } }),
      ["because the setting min for stacks dev limits it"],
    ],
    ["requires none for the bound of another stack", service({}, { settings: { byStack: { prod: { min: 2 } } } }), []],
    [
      "checks an adopted service by its outputs",
      { ...adopted({}, { numReplicas: 3 }), settings },
      ["numReplicas 3 is more than 2, the setting max; lower it to 2 or less. The program does not declare it"],
    ],
    [
      "treats an unknown existingServiceId as a possible creation",
      service({ existingServiceId: UNKNOWN }, { settings }),
      ["numReplicas is not declared and its value is not known"],
    ],
    [
      "accepts a created service whose outputs are within the bounds",
      service({}, { settings, outputs: { numReplicas: 2 } }),
      [],
    ],
    [
      "ignores resources excluded by --target",
      { settings, resources: [{ type: "Service", name: "excluded", args: {}, isExcluded: true }] },
      [],
      [
        'Service "excluded": no policy has checked it, because its arguments are not known: this run excludes it (--target',
      ],
    ],
  ]);
});

describe("one-owner-for-scaling", () => {
  const analytics = resources.service({ numReplicas: 2 });
  const size = (serviceId: string, name?: string) => scaling({ serviceId, numReplicas: 3 }, name);

  describePolicy(oneOwnerForScaling, [
    [
      "recognizes a new service's ServiceScaling by the source of its id",
      { resources: [analytics, ofNewService(size(ID))] },
      ['Service "analytics": it is scaled by its own numReplicas and ServiceScaling "size"; keep one of them.'],
    ],
    [
      "reports two ServiceScalings of a new service",
      { resources: [resources.service({}), ofNewService(size(ID, "one")), ofNewService(size(ID, "other"))] },
      ['scaled by ServiceScaling "one" and ServiceScaling "other"'],
    ],
    [
      "reports two ServiceScalings of a service outside of the stack",
      { resources: [size(ID, "one"), size(ID, "other")] },
      ['ServiceScaling "one": ServiceScaling "other" also scales the same service; keep one of them.'],
    ],
    [
      "uses the id, not the source of a value that names another service",
      {
        resources: [
          resources.service({ existingServiceId: ID, numReplicas: 2 }),
          resources.service({}, "decoy"),
          { ...size(ID), from: { serviceId: "decoy" } },
        ],
      },
      ['Service "analytics": it is scaled by its own numReplicas and ServiceScaling "size"'],
    ],
    [
      "checks declared arguments, not the API's defaults",
      {
        resources: [withOutputs(resources.service({}), { numReplicas: 3, idleScaling: true }), ofNewService(size(ID))],
      },
      [],
    ],
    [
      "reports that the service is unknown, next to another violation",
      { resources: [analytics, ofNewService(size(ID)), size(UNKNOWN, "other")] },
      ['Service "analytics": it is scaled by'],
      ['ServiceScaling "other": serviceId is not known yet'],
    ],
  ]);
});
