import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { memoryWithinBounds } from "./scaling";

const settings = { maxGb: 64, byStack: { "dev*": { maxGb: 32 }, "dev-big": { maxGb: 120 } } };

const as = (args: object, outputs?: Record<string, unknown>): Program => ({
  settings: { maxGb: 32 },
  resources: [{ type: "Service", name: "analytics", args: { ...args }, ...(outputs && { outputs }) }],
});

/** A service and a ServiceScaling, `from` it or not, perhaps with the outputs of both. */
const sized = (
  args: object,
  scaling: Record<string, unknown>,
  from?: Record<string, string>,
  outputs?: [Record<string, unknown>, Record<string, unknown>],
): Program => ({
  settings: { maxGb: 32 },
  resources: [
    { type: "Service", name: "analytics", args: { ...args }, ...(outputs && { outputs: outputs[0] }) },
    {
      type: "ServiceScaling",
      name: "size",
      args: scaling,
      ...(from && { from }),
      ...(outputs && { outputs: outputs[1] }),
    },
  ],
});

describePolicy(memoryWithinBounds, [
  [
    "reports the specification's limits",
    service({ maxReplicaMemoryGb: 360 }),
    ["must be an integer from 8 to 356 and a multiple of 4"],
  ],
  ["says multiples", service({ minReplicaMemoryGb: 10 }), ["minReplicaMemoryGb 10 is invalid"]],
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
    service({ maxReplicaMemoryGb: 120 }, { settings, stack: "test" }),
    ["64 GB, the setting maxGb; lower"],
  ],
  [
    "uses the limit of the stack's pattern",
    service({ maxReplicaMemoryGb: 64 }, { settings, stack: "dev-small" }),
    ["32 GB, the setting maxGb for stacks dev*"],
  ],
  ["lets the closest pattern count", service({ maxReplicaMemoryGb: 120 }, { settings, stack: "dev-big" }), []],
  [
    "has a minimum",
    service({ minReplicaMemoryGb: 8 }, { settings: { minGb: 16 } }),
    ["less than 16 GB, the setting minGb; raise it to 16"],
  ],
  [
    "checks the known one of two",
    service({ minReplicaMemoryGb: UNKNOWN, maxReplicaMemoryGb: 64 }, { settings, stack: "dev" }),
    ["more than 32"],
    ["minReplicaMemoryGb is not known yet"],
  ],
  [
    "checks a ServiceScaling",
    {
      settings: { maxGb: 32 },
      resources: [{ type: "ServiceScaling", name: "size", args: { maxReplicaMemoryGb: 64 } }],
    },
    ['ServiceScaling "size": maxReplicaMemoryGb 64 GB'],
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
  ["only that", service({ maxReplicaMemoryGb: 32 }, { settings: { maxGb: 32 } }), []],
  [
    "and reports a value that the API chose",
    as({ numReplicas: 3 }, { maxReplicaMemoryGb: 64 }),
    ["maxReplicaMemoryGb 64 GB is more than 32 GB, the setting maxGb"],
  ],
  [
    "checks memory declared in total",
    service({ maxTotalMemoryGb: 132, numReplicas: 3 }, { settings: { maxGb: 32 } }),
    ["maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB"],
  ],
  [
    "also next to that of a replica",
    service({ maxTotalMemoryGb: 132, maxReplicaMemoryGb: 8, numReplicas: 3 }, { settings: { maxGb: 32 } }),
    ["= 44 GB is more than 32 GB"],
  ],
  [
    "requires the number of replicas that share it",
    service({ maxTotalMemoryGb: 24 }, { settings: { maxGb: 32 } }),
    ["numReplicas is not declared and its value is not known; declare it, because maxTotalMemoryGb is divided by it."],
  ],
  [
    "accepts a total within the limit",
    service({ maxTotalMemoryGb: 96, numReplicas: 3 }, { settings: { maxGb: 32 } }),
    [],
  ],
  [
    "checks an adopted service by its outputs",
    as({ existingServiceId: "a" }, { maxReplicaMemoryGb: 64 }),
    ["64 GB is more than 32 GB, the setting maxGb; lower it to 32 or less. The program does not declare it;"],
  ],
  [
    "reports unknown replicas",
    as({ existingServiceId: "a" }),
    [],
    ["maxReplicaMemoryGb is not declared and not known yet"],
  ],
  ["takes an adopted service that is small enough", as({ existingServiceId: "a" }, { maxReplicaMemoryGb: 16 }), []],
  [
    "prefers a ServiceScaling over the service's outputs",
    {
      settings: { maxGb: 32 },
      resources: [
        { type: "Service", name: "analytics", args: { existingServiceId: "a" }, outputs: { maxReplicaMemoryGb: 64 } },
        { type: "ServiceScaling", name: "size", args: { serviceId: "a", maxReplicaMemoryGb: 32 } },
      ],
    },
    [],
  ],
  [
    "does not check if a ServiceScaling may be of any service",
    {
      settings: { maxGb: 32 },
      resources: [
        { type: "Service", name: "analytics", args: { existingServiceId: "a" }, outputs: { maxReplicaMemoryGb: 64 } },
        { type: "ServiceScaling", name: "size", args: { serviceId: UNKNOWN, maxReplicaMemoryGb: 32 } },
      ],
    },
    [],
    ["maxReplicaMemoryGb is not known yet"],
  ],
  [
    "checks the service of a ServiceScaling by its outputs",
    {
      settings: { maxGb: 32 },
      resources: [
        {
          type: "ServiceScaling",
          name: "size",
          args: { serviceId: "a", numReplicas: 2 },
          outputs: { numReplicas: 2, maxReplicaMemoryGb: 64 },
        },
      ],
    },
    ['ServiceScaling "size": maxReplicaMemoryGb 64 GB'],
  ],
  [
    "checks a created service by its outputs",
    as({}, { maxReplicaMemoryGb: 64 }),
    ["maxReplicaMemoryGb 64 GB is more than 32 GB"],
  ],
  ["and accepts one within the limit", as({}, { maxReplicaMemoryGb: 32 }), []],
  [
    "divides memory declared in total by the replicas in outputs",
    as({ maxTotalMemoryGb: 132 }, { maxTotalMemoryGb: 132, numReplicas: 3 }),
    [
      'Service "analytics": maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB, the setting maxGb; lower it to 32 or less.',
    ],
  ],
  [
    "or that a ServiceScaling declares",
    sized({ maxTotalMemoryGb: 132 }, { serviceId: UNKNOWN, numReplicas: 3 }, { serviceId: "analytics" }),
    ["maxTotalMemoryGb / numReplicas = 44 GB is more than 32 GB"],
  ],
  [
    "accepts a size that the ServiceScaling of a new service declares",
    sized({}, { serviceId: UNKNOWN, maxReplicaMemoryGb: 32 }, { serviceId: "analytics" }),
    [],
  ],
  [
    "checks it in the ServiceScaling",
    sized({}, { serviceId: UNKNOWN, maxReplicaMemoryGb: 64 }, { serviceId: "analytics" }),
    ['ServiceScaling "size": maxReplicaMemoryGb 64 GB is more than 32 GB'],
  ],
  [
    "does not accept a ServiceScaling that may be of another service for a new one",
    sized({}, { serviceId: UNKNOWN, maxReplicaMemoryGb: 32 }),
    ['Service "analytics": maxReplicaMemoryGb is not declared and its value is not known'],
  ],
  [
    "prefers the outputs of a ServiceScaling, which are newer",
    sized({}, { serviceId: UNKNOWN, numReplicas: 2 }, { serviceId: "analytics" }, [
      { maxReplicaMemoryGb: 32 },
      { numReplicas: 2, maxReplicaMemoryGb: 64 },
    ]),
    ['Service "analytics": maxReplicaMemoryGb 64 GB is more than 32 GB'],
  ],
  [
    "checks a native resource in the same way",
    {
      settings: { maxGb: 32 },
      resources: [{ type: "clouddb:index:Service", name: "a", args: { maxReplicaMemoryGb: 64 } }],
    },
    ["more than 32 GB"],
  ],
  [
    "ignores other resources",
    {
      settings: { maxGb: 32 },
      resources: [{ type: "other:index:Service", name: "a", args: { maxReplicaMemoryGb: 64 } }],
    },
    [],
  ],
  [
    "prefers a full name over a pattern, and the longer of two patterns",
    service(
      { maxReplicaMemoryGb: 64 },
      { stack: "dev", settings: { byStack: { dev: { maxGb: 64 }, "de*": { maxGb: 8 }, "dev*": { maxGb: 32 } } } },
    ),
    [],
  ],
  [
    "takes a name for a name",
    service(
      { maxReplicaMemoryGb: 64 },
      { stack: "axb", settings: { byStack: { "a.b": { maxGb: 8 }, ax: { maxGb: 8 } } } },
    ),
    [],
  ],
]);
