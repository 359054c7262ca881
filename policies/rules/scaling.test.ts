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
  const patterns = { "de*": { maxGb: 8 }, "dev*": { maxGb: 64 } };
  const of = (...all: Program["resources"]): Program => ({ settings, resources: all });
  const upTo = (maxReplicaMemoryGb: unknown) => ({ maxReplicaMemoryGb });
  const analytics = (args: Args, outputs?: Args) => withOutputs(resources.service(args), outputs);
  const ofUnknown = scaling({ serviceId: UNKNOWN, ...upTo(32) });
  const TOO_MUCH = "maxReplicaMemoryGb 64 GB is more than 32 GB, the setting maxGb; lower it to 32 or less.";
  const SHARE_TOO_MUCH = "maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB, the setting maxGb; lower it to 32";
  const undeclared = (name: string, reason: string) =>
    `${name} is not declared and its value is not known; declare it, because ${reason}.`;
  const MAX_UNDECLARED = undeclared("maxReplicaMemoryGb", "the setting maxGb limits it");

  describePolicy(memoryWithinBounds, [
    ["reports the specification's limits", service(upTo(360)), ["from 8 to 356 and a multiple of 4"]],
    [
      "reports a minimum above the maximum",
      service({ minReplicaMemoryGb: 64, ...upTo(32) }),
      ["must not exceed maxReplicaMemoryGb 32"],
    ],
    ["reports BYOC sizes", service({ byocId: "b", minReplicaMemoryGb: 48, ...upTo(64) }), ["one of 48, 116, 172, 232"]],
    [
      "uses the limit for all stacks",
      service(upTo(120), { settings: byStack, stack: "test" }),
      ["64 GB, the setting maxGb; lower"],
    ],
    [
      "uses the limit of the stack's pattern",
      service(upTo(64), { settings: byStack, stack: "dev-small" }),
      ["32 GB, the setting maxGb for stacks dev*"],
    ],
    ["prefers a full name over a pattern", service(upTo(120), { settings: byStack, stack: "dev-big" }), []],
    ["prefers the longer of two patterns", service(upTo(64), { settings: { byStack: patterns } }), []],
    [
      "takes a name without * for a name",
      service(upTo(64), { stack: "axb", settings: { byStack: { "a.b": settings, ax: settings } } }),
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
      [undeclared("minReplicaMemoryGb", "the setting minGb limits it"), MAX_UNDECLARED],
    ],
    ["requires no other sizes", of(analytics(upTo(32))), []],
    [
      "checks memory declared in total, also next to that of a replica",
      of(analytics({ maxTotalMemoryGb: 132, ...upTo(8), numReplicas: 3 })),
      [SHARE_TOO_MUCH],
    ],
    ["accepts a total within the limit", of(analytics({ maxTotalMemoryGb: 96, numReplicas: 3 })), []],
    [
      "requires the number of replicas that share the total",
      of(analytics({ maxTotalMemoryGb: 24 })),
      [undeclared("numReplicas", "maxTotalMemoryGb is divided by it")],
    ],
    [
      "divides memory declared in total by the replicas in outputs",
      of(analytics({ maxTotalMemoryGb: 132 }, { maxTotalMemoryGb: 132, numReplicas: 3 })),
      [SHARE_TOO_MUCH],
    ],
    [
      "divides it by the replicas that a ServiceScaling declares",
      of(analytics({ maxTotalMemoryGb: 132 }), ofNewService(scaling({ numReplicas: 3 }))),
      [SHARE_TOO_MUCH],
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
      of(analytics({ existingServiceId: "a" }, upTo(64)), scaling({ serviceId: "a", ...upTo(32) })),
      [],
    ],
    [
      "does not check a service if a ServiceScaling may be of any service",
      of(analytics({ existingServiceId: "a" }, upTo(64)), ofUnknown),
      [],
      ["maxReplicaMemoryGb is not known yet"],
    ],
    [
      "checks the service of a ServiceScaling by its outputs",
      of(withOutputs(scaling({ serviceId: "a", numReplicas: 2 }), { numReplicas: 2, ...upTo(64) })),
      [`ServiceScaling "size": ${TOO_MUCH}`],
    ],
    [
      "accepts a size that the ServiceScaling of a new service declares",
      of(analytics({}), ofNewService(scaling(upTo(32)))),
      [],
    ],
    [
      "checks that size in the ServiceScaling",
      of(analytics({}), ofNewService(scaling(upTo(64)))),
      [`ServiceScaling "size": ${TOO_MUCH}`],
    ],
    [
      "does not accept a ServiceScaling that may be of another service for a new one",
      of(analytics({}), ofUnknown),
      [`Service "analytics": ${MAX_UNDECLARED}`],
    ],
    [
      "prefers the outputs of a ServiceScaling, which are newer",
      of(
        analytics({}, upTo(32)),
        withOutputs(ofNewService(scaling({ numReplicas: 2 })), { numReplicas: 2, ...upTo(64) }),
      ),
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
  const byStack = { max: 10, byStack: { dev: { max: 3 } } };
  const excluded = { type: "Service", name: "excluded", args: {}, isExcluded: true };

  describePolicy(replicasWithinBounds, [
    ["reports the specification's limits", service({ numReplicas: 21 }), ["must be an integer from 1 to 20"]],
    ["wants two for the first service of a warehouse", service({ numReplicas: 1 }), ["must be at least 2"]],
    ["but not in BASIC", service({ numReplicas: 1 }, { settings: { organizationTier: "BASIC" } }), []],
    ["nor in an existing warehouse", service({ numReplicas: 1, dataWarehouseId: "w" }), []],
    ["nor in one that the program creates", service({ numReplicas: 1, dataWarehouseId: UNKNOWN }), []],
    [
      "supports limits by stack",
      service({ numReplicas: 4 }, { settings: byStack }),
      ["more than 3, the setting max for stacks dev"],
    ],
    ["has a minimum", service({ numReplicas: 2 }, { settings: { min: 3 } }), ["less than 3, the setting min"]],
    ["checks a ServiceScaling", { resources: [scaling({ numReplicas: 21 })] }, ['ServiceScaling "size": numReplicas']],
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
      ["numReplicas is not declared and its value"],
    ],
    [
      "ignores resources excluded by --target",
      { settings, resources: [excluded] },
      [],
      ['"excluded": no policy has checked it, because its arguments are not known: this run excludes it (--target'],
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
