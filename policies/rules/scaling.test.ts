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
  const ofDev = { "dev*": { maxGb: 32 }, "dev-big": { maxGb: 120 } };
  const upTo = (maxReplicaMemoryGb: unknown) => ({ maxReplicaMemoryGb });
  const total = (maxTotalMemoryGb: number) => ({ maxTotalMemoryGb });
  const three = { numReplicas: 3 };
  const of = (...all: Program["resources"]): Program => ({ settings, resources: all });
  const inStack = (stack: string, maxGb: number, byStack: object = ofDev) =>
    service(upTo(maxGb), { stack, settings: { maxGb: 64, byStack } });
  const analytics = (args: Args, outputs?: Args) => withOutputs(resources.service(args), outputs);
  const existing = analytics({ existingServiceId: "a" }, upTo(64));
  const ofUnknown = scaling({ serviceId: UNKNOWN, ...upTo(32) });
  const ofNew = (args: Args, outputs?: Args) => withOutputs(ofNewService(scaling(args)), outputs);

  const TOO_MUCH =
    "maxReplicaMemoryGb 64 GB is more than 32 GB, the setting maxGb; lower it to 32 or less.";
  const SHARE =
    "maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB, the setting maxGb; lower it to 32 or less.";
  const undeclared = (name: string, reason: string) =>
    `${name} is not declared and its value is not known; declare it, because ${reason}.`;
  const MAX = undeclared("maxReplicaMemoryGb", "the setting maxGb limits it");
  const MIN = undeclared("minReplicaMemoryGb", "the setting minGb limits it");
  const REPLICAS = undeclared("numReplicas", "maxTotalMemoryGb is divided by it");

  describePolicy(memoryWithinBounds, [
    [
      "reports the specification's limits",
      service(upTo(360)),
      ["from 8 to 356 and a multiple of 4"],
    ],
    [
      "reports a minimum above the maximum",
      service({ minReplicaMemoryGb: 64, ...upTo(32) }),
      ["must not exceed maxReplicaMemoryGb 32"],
    ],
    [
      "reports BYOC sizes",
      service({ byocId: "b", minReplicaMemoryGb: 48, ...upTo(64) }),
      ["one of 48, 116, 172, 232"],
    ],
    ["uses the limit for all stacks", inStack("test", 120), ["64 GB, the setting maxGb; lower"]],
    [
      "uses the limit of the stack's pattern",
      inStack("dev-a", 64),
      ["32 GB, the setting maxGb for stacks dev*"],
    ],
    ["prefers a full name over a pattern", inStack("dev-big", 120), []],
    [
      "prefers the longer of two patterns",
      inStack("dev", 64, { "de*": { maxGb: 8 }, "dev*": { maxGb: 64 } }),
      [],
    ],
    [
      "takes a name without * for a name",
      inStack("axb", 64, { "a.b": settings, ax: settings }),
      [],
    ],
    [
      "has a minimum",
      service({ minReplicaMemoryGb: 8 }, { settings: { minGb: 16 } }),
      ["less than 16 GB, the setting minGb; raise it to 16"],
    ],
    [
      "checks the known one of two",
      of(analytics({ minReplicaMemoryGb: UNKNOWN, ...upTo(64) })),
      [TOO_MUCH],
      ["minReplicaMemoryGb is not known yet"],
    ],
    ["ignores an undeclared size without a limit", service({}), []],
    [
      "requires the sizes that it limits",
      service({}, { settings: { minGb: 8, maxGb: 32 } }),
      [MIN, MAX],
    ],
    ["requires no other sizes", of(analytics(upTo(32))), []],

    [
      "checks a share of the total, next to a size",
      of(analytics({ ...total(132), ...upTo(8), ...three })),
      [SHARE],
    ],
    ["accepts a share within the limit", of(analytics({ ...total(96), ...three })), []],
    ["requires the replicas that share the total", of(analytics(total(24))), [REPLICAS]],
    [
      "takes these replicas from outputs",
      of(analytics(total(132), { ...total(132), ...three })),
      [SHARE],
    ],
    [
      "takes these replicas from a ServiceScaling",
      of(analytics(total(132)), ofNew(three)),
      [SHARE],
    ],

    [
      "checks an adopted service by its outputs",
      { ...adopted({}, upTo(64)), settings },
      [`${TOO_MUCH} The program does not declare it;`],
    ],
    ["accepts a small adopted service", { ...adopted({}, upTo(16)), settings }, []],
    [
      "reports the unknown size of an adopted service",
      { ...adopted({}), settings },
      [],
      ["maxReplicaMemoryGb is not declared and not known yet"],
    ],
    ["checks a created service by its outputs", of(analytics({}, upTo(64))), [TOO_MUCH]],
    ["accepts a created service within the limit", of(analytics({}, upTo(32))), []],

    [
      "prefers a ServiceScaling over the service's outputs",
      of(existing, scaling({ serviceId: "a", ...upTo(32) })),
      [],
    ],
    [
      "finds the service of a ServiceScaling by an ID in capital letters",
      of(existing, scaling({ serviceId: "A", ...upTo(32) })),
      [],
    ],
    [
      "does not check a service if a ServiceScaling may be of any service",
      of(existing, ofUnknown),
      [],
      ["maxReplicaMemoryGb is not known yet"],
    ],
    [
      "requires the size of a new service even then",
      of(analytics({}), ofUnknown),
      [`Service "analytics": ${MAX}`],
    ],
    [
      "checks the service of a ServiceScaling by its outputs",
      of(withOutputs(scaling({ serviceId: "a", ...three }), { ...three, ...upTo(64) })),
      [`ServiceScaling "size": ${TOO_MUCH}`],
    ],
    [
      "takes the size of a new service from its ServiceScaling",
      of(analytics({}), ofNew(upTo(32))),
      [],
    ],
    [
      "checks the size that a ServiceScaling gives a new service",
      of(analytics({}), ofNew(upTo(64))),
      [`ServiceScaling "size": ${TOO_MUCH}`],
    ],
    [
      "prefers the outputs of a ServiceScaling, which are newer",
      of(analytics({}, upTo(32)), ofNew(three, { ...three, ...upTo(64) })),
      [`Service "analytics": ${TOO_MUCH}`],
    ],
    [
      "checks a native resource in the same way, and ignores other packages",
      of(
        { type: "clouddb:index:Service", name: "a", args: upTo(64) },
        { type: "other:index:Service", name: "b", args: upTo(64) },
      ),
      [`Service "a": ${TOO_MUCH}`],
    ],
  ]);
});

describe("replicas-within-bounds", () => {
  const settings = { max: 2 };
  const excluded = { type: "Service", name: "excluded", args: {}, isExcluded: true };

  describePolicy(replicasWithinBounds, [
    [
      "reports the specification's limits",
      service({ numReplicas: 21 }),
      ["must be an integer from 1 to 20"],
    ],
    [
      "wants two for the first service of a warehouse",
      service({ numReplicas: 1 }),
      ["must be at least 2"],
    ],
    [
      "but not in BASIC",
      service({ numReplicas: 1 }, { settings: { organizationTier: "BASIC" } }),
      [],
    ],
    ["nor in an existing warehouse", service({ numReplicas: 1, dataWarehouseId: "w" }), []],
    [
      "nor in one that the program creates",
      service({ numReplicas: 1, dataWarehouseId: UNKNOWN }),
      [],
    ],
    [
      "has a minimum",
      service({ numReplicas: 2 }, { settings: { min: 3 } }),
      ["less than 3, the setting min"],
    ],
    [
      "checks a ServiceScaling",
      { resources: [scaling({ numReplicas: 21 })] },
      ['ServiceScaling "size": numReplicas'],
    ],
    [
      "requires the sizes that a stack's bound limits",
      service({}, { settings: { byStack: { dev: { min: 2 } } } }),
      ["because the setting min for stacks dev limits it"],
    ],
    [
      "checks an adopted service by its outputs",
      { ...adopted({}, { numReplicas: 3 }), settings },
      [
        "numReplicas 3 is more than 2, the setting max; lower it to 2 or less. The program does not declare it",
      ],
    ],
    [
      "treats an unknown existingServiceId as a possible creation",
      service({ existingServiceId: UNKNOWN }, { settings }),
      ["numReplicas is not declared and its value"],
    ],
    [
      "ignores resources excluded by --target",
      { settings, resources: [excluded] },
      [],
      [
        '"excluded": no policy has checked it, because its arguments are not known: this run excludes it (--target',
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
      [
        'Service "analytics": it is scaled by its own numReplicas and ServiceScaling "size"; keep one of them.',
      ],
    ],
    [
      "reports two ServiceScalings of a new service",
      {
        resources: [
          resources.service({}),
          ofNewService(size(ID, "one")),
          ofNewService(size(ID, "other")),
        ],
      },
      ['scaled by ServiceScaling "one" and ServiceScaling "other"'],
    ],
    [
      "reports two ServiceScalings of a service outside of the stack",
      { resources: [size(ID, "one"), size(ID, "other")] },
      [
        'ServiceScaling "one": ServiceScaling "other" also scales the same service; keep one of them.',
      ],
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
        resources: [
          withOutputs(resources.service({}), { numReplicas: 3, idleScaling: true }),
          ofNewService(size(ID)),
        ],
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
