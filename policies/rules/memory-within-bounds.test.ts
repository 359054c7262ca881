import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { memoryWithinBounds } from "./memory-within-bounds";

const settings = { maxGb: 64, byStack: { "dev*": { maxGb: 32 }, "dev-big": { maxGb: 120 } } };

describePolicy(memoryWithinBounds, [
  [
    "says the specification's bounds",
    service({ maxReplicaMemoryGb: 360 }),
    ["whole number from 8 to 356 that is a multiple of 4"],
  ],
  ["says multiples", service({ minReplicaMemoryGb: 10 }), ["minReplicaMemoryGb 10 is not allowed"]],
  [
    "says the wrong order",
    service({ minReplicaMemoryGb: 64, maxReplicaMemoryGb: 32 }),
    ["is more than maxReplicaMemoryGb 32"],
  ],
  [
    "says sizes of a cloud of one's own",
    service({ byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 }),
    ["one of 48, 116, 172, 232"],
  ],
  [
    "takes the bound for all stacks",
    service({ maxReplicaMemoryGb: 120 }, { settings, stack: "test" }),
    ["64 GB, the setting maxGb; lower"],
  ],
  [
    "takes the bound of the stack's pattern",
    service({ maxReplicaMemoryGb: 64 }, { settings, stack: "dev-small" }),
    ["32 GB, the setting maxGb for stacks dev*"],
  ],
  ["lets the closest pattern count", service({ maxReplicaMemoryGb: 120 }, { settings, stack: "dev-big" }), []],
  [
    "has a least bound",
    service({ minReplicaMemoryGb: 8 }, { settings: { minGb: 16 } }),
    ["less than 16 GB, the setting minGb; raise it to 16"],
  ],
  [
    "judges the known one of two",
    service({ minReplicaMemoryGb: UNKNOWN, maxReplicaMemoryGb: 64 }, { settings, stack: "dev" }),
    ["more than 32"],
    ["minReplicaMemoryGb is not known yet"],
  ],
  [
    "judges a ServiceScaling",
    {
      settings: { maxGb: 32 },
      resources: [{ kind: "ServiceScaling", name: "size", args: { maxReplicaMemoryGb: 64 } }],
    },
    ['ServiceScaling "size": maxReplicaMemoryGb 64 GB'],
  ],
  ["leaves alone what is not declared", service({}, { settings: { maxGb: 32 } }), []],
  [
    "judges a native resource the same",
    {
      settings: { maxGb: 32 },
      resources: [{ kind: "Service", name: "a", type: "clouddb:index:Service", args: { maxReplicaMemoryGb: 64 } }],
    },
    ["more than 32 GB"],
  ],
  [
    "leaves other resources alone",
    {
      settings: { maxGb: 32 },
      resources: [{ kind: "Service", name: "a", type: "other:index:Service", args: { maxReplicaMemoryGb: 64 } }],
    },
    [],
  ],
  [
    "lets a whole name count before a pattern, and the longer one of two",
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
