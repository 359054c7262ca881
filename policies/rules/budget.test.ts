import { describePolicy, type Program, UNKNOWN } from "../../tests/support/policy";
import { capacityBudget } from "./budget";

const size = (memory: unknown, replicas: unknown) => ({ maxReplicaMemoryGb: memory, numReplicas: replicas });
const program = (settings: Readonly<Record<string, unknown>>, ...resources: Program["resources"]): Program => ({
  settings,
  resources,
});
const analytics = (args: object, outputs?: object) =>
  ({ type: "Service", name: "analytics", args, ...(outputs && { outputs }) }) as Program["resources"][number];
const reports = (args: object) => ({ type: "Service", name: "reports", args }) as Program["resources"][number];
const scaling = (args: object, from?: Record<string, string>) =>
  ({ type: "ServiceScaling", name: "size", args, ...(from && { from }) }) as Program["resources"][number];

describePolicy(capacityBudget, [
  ["says nothing without a budget", program({}, analytics(size(356, 20))), []],
  [
    "reports the sum and its terms",
    program({ maxTotalGb: 100 }, analytics(size(32, 3)), reports(size(8, 2))),
    ["112 GB (analytics 32 × 3 + reports 8 × 2), more than 100 GB, the setting maxTotalGb"],
  ],
  [
    "fails even if only the known part is too large",
    program({ maxTotalGb: 100 }, analytics(size(64, 3)), reports(size(UNKNOWN, 3))),
    ["192 GB (analytics 64 × 3), more than 100 GB"],
    ['Service "reports": only partly counted: maxReplicaMemoryGb is not known yet'],
  ],
  [
    "requires the sizes that it adds up",
    program({ maxTotalGb: 500 }, analytics({ maxReplicaMemoryGb: 64 }), reports({})),
    [
      'Service "analytics": numReplicas is not declared and its value is not known; declare it, because the setting maxTotalGb limits the sum.',
      'Service "reports": maxReplicaMemoryGb is not declared',
      'Service "reports": numReplicas is not declared',
    ],
  ],
  ["but not for a number of services", program({ maxServices: 2 }, analytics({}), reports({})), []],
  [
    "reports what is only partly counted",
    program({ maxTotalGb: 500 }, analytics({ existingServiceId: "a", maxReplicaMemoryGb: 64 })),
    [],
    ['Service "analytics": only partly counted: numReplicas is not declared'],
  ],
  [
    "counts the outputs of an adopted service",
    program({ maxTotalGb: 100 }, analytics({ existingServiceId: "a" }, size(64, 3))),
    ["192 GB"],
  ],
  [
    "counts the larger size, not a smaller total",
    program({ maxTotalGb: 100 }, analytics({ maxTotalMemoryGb: 24, maxReplicaMemoryGb: 356 })),
    ["numReplicas is not declared", "at least 356 GB"],
  ],
  [
    "counts the larger of memory declared twice",
    program({ maxTotalGb: 100 }, analytics({ maxTotalMemoryGb: 24, ...size(356, 20) })),
    ["7120 GB (analytics 356 × 20)"],
  ],
  [
    "counts the ServiceScaling of an adopted service",
    program(
      { maxTotalGb: 100 },
      analytics({ existingServiceId: "a" }, { ...size(64, 3), maxTotalMemoryGb: 192 }),
      scaling({ serviceId: "a", ...size(32, 3) }),
    ),
    [],
  ],
  [
    "does not count resources excluded by --target",
    program({ maxServices: 1 }, { ...analytics({}), name: "excluded", isExcluded: true }, reports({})),
    [],
    ["no policy has checked it"],
  ],
  [
    "counts a ServiceScaling instead of its service",
    program(
      { maxTotalGb: 100 },
      analytics(size(32, 3)),
      scaling({ serviceId: UNKNOWN, numReplicas: 4 }, { serviceId: "analytics" }),
    ),
    ["128 GB (analytics 32 × 4)"],
  ],
  [
    "counts the scaling of a service outside of the stack",
    program({ maxTotalGb: 100 }, scaling({ serviceId: "s", ...size(64, 2) })),
    ["128 GB (size 64 × 2)"],
  ],
  [
    "reports that a ServiceScaling may be of any service",
    program({ maxTotalGb: 100 }, scaling({ serviceId: UNKNOWN, ...size(64, 2) })),
    [],
    ['ServiceScaling "size": its service is not known yet'],
  ],
  [
    "counts services",
    program({ maxServices: 1 }, analytics({}), reports({})),
    ["2 services (analytics, reports), more than 1, the setting maxServices"],
  ],
  [
    "supports a budget by stack",
    program({ byStack: { dev: { maxTotalGb: 50 } } }, analytics(size(32, 2))),
    ["more than 50 GB, the setting maxTotalGb for stacks dev"],
  ],
  [
    "counts one replica if the number is not known",
    program({ maxTotalGb: 100 }, analytics(size(120, UNKNOWN))),
    ["at least 120 GB (analytics 120 × 1)"],
    ["numReplicas is not known yet"],
  ],
  [
    "counts the minimum memory if the maximum is not known",
    program({ maxTotalGb: 100 }, analytics({ existingServiceId: "a", minReplicaMemoryGb: 64, numReplicas: 2 })),
    ["at least 128 GB (analytics 64 × 2)"],
    ["maxReplicaMemoryGb is not declared"],
  ],
  [
    "counts memory declared in total",
    program({ maxTotalGb: 100 }, analytics({ maxTotalMemoryGb: 108 })),
    ["108 GB (analytics 108)"],
  ],
  [
    "counts a created service by its outputs",
    program({ maxTotalGb: 100 }, analytics({}, size(64, 3))),
    ["192 GB (analytics 64 × 3), more than 100 GB"],
  ],
  [
    "and a new one by its ServiceScaling",
    program(
      { maxTotalGb: 96 },
      analytics({}),
      scaling({ serviceId: UNKNOWN, ...size(32, 3) }, { serviceId: "analytics" }),
    ),
    [],
  ],
  [
    "does not accept a ServiceScaling that may be of another service for a new one",
    program({ maxTotalGb: 96 }, analytics({}), scaling({ serviceId: UNKNOWN, ...size(32, 3) })),
    ["maxReplicaMemoryGb is not declared", "numReplicas is not declared"],
    ["its service is not known yet"],
  ],
  [
    "reports unknown total memory",
    program({ maxTotalGb: 96 }, analytics({ maxTotalMemoryGb: UNKNOWN })),
    [],
    ['Service "analytics": only partly counted: maxTotalMemoryGb is not known yet'],
  ],
  [
    "requires the replicas for a size next to a larger total",
    program({ maxTotalGb: 500 }, analytics({ maxTotalMemoryGb: 400, maxReplicaMemoryGb: 64 })),
    ["numReplicas is not declared"],
  ],
  ["takes a sum that is the budget", program({ maxTotalGb: 96, maxServices: 1 }, analytics(size(32, 3))), []],
  [
    "counts declared values over earlier ones",
    program({ maxTotalGb: 100 }, analytics({ existingServiceId: "a", numReplicas: 4 }, size(30, 3))),
    ["120 GB (analytics 30 × 4)"],
  ],
  [
    "does not count services outside of the stack",
    program({ maxServices: 1 }, analytics({}), scaling({ serviceId: "s" })),
    [],
  ],
  [
    "limits the cost per month, for the maximum gigabytes and 730 hours",
    program({ pricePerGbHour: 0.02, maxMonthlyCost: 2800 }, analytics(size(64, 3))),
    ["can cost up to 2803.2 per month (analytics 64 × 3), more than 2800 per month, the setting maxMonthlyCost; lower"],
  ],
  [
    "takes a cost that equals the limit",
    program({ pricePerGbHour: 0.02, maxMonthlyCost: 2803.2 }, analytics(size(64, 3))),
    [],
  ],
  [
    "reports sizes that a limit of the cost cannot count",
    program({ pricePerGbHour: 1, maxMonthlyCost: 1 }, analytics(size(UNKNOWN, 3))),
    [],
    ["maxReplicaMemoryGb is not known yet"],
  ],
]);
