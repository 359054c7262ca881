import {
  type Args,
  describePolicy,
  ofNewService,
  type Program,
  resources,
  UNKNOWN,
  withOutputs,
} from "../../tests/support/policy";
import { capacityBudget } from "./budget";

type Resources = Program["resources"];

const { scaling } = resources;
const size = (maxReplicaMemoryGb: unknown, numReplicas: unknown) => ({
  maxReplicaMemoryGb,
  numReplicas,
});
const program = (settings: Args, ...all: Resources): Program => ({ settings, resources: all });
const within100Gb = (...all: Resources): Program => program({ maxTotalGb: 100 }, ...all);
const analytics = (args: Args, outputs?: Args) => withOutputs(resources.service(args), outputs);
const adopted = (args: Args, outputs?: Args) =>
  analytics({ existingServiceId: "a", ...args }, outputs);
const reports = (args: Args) => resources.service(args, "reports");

describePolicy(capacityBudget, [
  ["says nothing without a budget", program({}, analytics(size(356, 20))), []],
  [
    "reports the sum and its terms",
    within100Gb(analytics(size(32, 3)), reports(size(8, 2))),
    ["112 GB (analytics 32 × 3 + reports 8 × 2), more than 100 GB, the setting maxTotalGb"],
  ],
  [
    "fails even if only the known part is too large",
    within100Gb(analytics(size(64, 3)), reports(size(UNKNOWN, 3))),
    ["192 GB (analytics 64 × 3), more than 100 GB"],
    ['Service "reports": only partly counted: maxReplicaMemoryGb is not known yet'],
  ],
  [
    "requires the sizes that it adds up",
    within100Gb(analytics({ maxReplicaMemoryGb: 64 }), reports({})),
    [
      'Service "analytics": numReplicas is not declared and its value is not known; declare it, because the setting maxTotalGb limits the sum.',
      'Service "reports": maxReplicaMemoryGb is not declared',
      'Service "reports": numReplicas is not declared',
    ],
  ],
  [
    "requires no sizes for a number of services",
    program({ maxServices: 2 }, analytics({}), reports({})),
    [],
  ],
  [
    "reports a service that is only partly counted",
    within100Gb(adopted({ maxReplicaMemoryGb: 64 })),
    [],
    ['Service "analytics": only partly counted: numReplicas is not declared'],
  ],
  ["counts the outputs of an adopted service", within100Gb(adopted({}, size(64, 3))), ["192 GB"]],
  [
    "counts a created service by its outputs",
    within100Gb(analytics({}, size(64, 3))),
    ["192 GB (analytics 64 × 3)"],
  ],
  [
    "counts declared values over earlier ones",
    within100Gb(adopted({ numReplicas: 4 }, size(30, 3))),
    ["120 GB"],
  ],
  [
    "counts the larger size, not a smaller total",
    within100Gb(analytics({ maxTotalMemoryGb: 24, maxReplicaMemoryGb: 356 })),
    ["numReplicas is not declared", "at least 356 GB"],
  ],
  [
    "counts the larger of a total and a size of each replica",
    within100Gb(analytics({ maxTotalMemoryGb: 24, ...size(356, 20) })),
    ["7120 GB"],
  ],
  [
    "counts memory declared in total",
    within100Gb(analytics({ maxTotalMemoryGb: 108 })),
    ["108 GB (analytics 108)"],
  ],
  [
    "reports an unknown total",
    within100Gb(analytics({ maxTotalMemoryGb: UNKNOWN })),
    [],
    ["MemoryGb is not known yet"],
  ],
  [
    "requires the replicas for a size next to a total",
    program({ maxTotalGb: 500 }, analytics({ maxTotalMemoryGb: 400, maxReplicaMemoryGb: 64 })),
    ["numReplicas is not declared"],
  ],
  [
    "counts one replica if the number is not known",
    within100Gb(analytics(size(120, UNKNOWN))),
    ["at least 120 GB (analytics 120 × 1)"],
    ["numReplicas is not known yet"],
  ],
  [
    "counts the minimum memory if the maximum is not known",
    within100Gb(adopted({ minReplicaMemoryGb: 64, numReplicas: 2 })),
    ["at least 128 GB (analytics 64 × 2)"],
    ["maxReplicaMemoryGb is not declared"],
  ],
  [
    "counts the ServiceScaling of an adopted service",
    within100Gb(
      adopted({}, { ...size(64, 3), maxTotalMemoryGb: 192 }),
      scaling({ serviceId: "a", ...size(32, 3) }),
    ),
    [],
  ],
  [
    "prefers a ServiceScaling",
    within100Gb(analytics(size(32, 3)), ofNewService(scaling({ numReplicas: 4 }))),
    ["128 GB"],
  ],
  [
    "counts a new service by its ServiceScaling",
    within100Gb(analytics({}), ofNewService(scaling(size(32, 3)))),
    [],
  ],
  [
    "counts the scaling of any service",
    within100Gb(scaling({ serviceId: "s", ...size(64, 2) })),
    ["128 GB (size 64 × 2)"],
  ],
  [
    "does not accept a ServiceScaling that may be of another service for a new one",
    within100Gb(analytics({}), scaling({ serviceId: UNKNOWN, ...size(32, 3) })),
    ["maxReplicaMemoryGb is not declared", "numReplicas is not declared"],
    ['ServiceScaling "size": its service is not known yet'],
  ],
  [
    "counts services",
    program({ maxServices: 1 }, analytics({}), reports({})),
    ["2 services (analytics, reports), more than 1, the setting maxServices"],
  ],
  [
    "does not count resources excluded by --target",
    program(
      { maxServices: 1 },
      { ...analytics({}), name: "excluded", isExcluded: true },
      reports({}),
    ),
    [],
    ["no policy has checked it"],
  ],
  [
    "counts no service of another stack",
    program({ maxServices: 1 }, analytics({}), scaling({ serviceId: "s" })),
    [],
  ],
  [
    "takes a sum that is the budget",
    program({ maxTotalGb: 96, maxServices: 1 }, analytics(size(32, 3))),
    [],
  ],
  [
    "limits the cost per month, for the maximum gigabytes and 730 hours",
    program({ pricePerGbHour: 0.02, maxMonthlyCost: 2800 }, analytics(size(64, 3))),
    [
      "can cost up to 2803.2 per month (analytics 64 × 3), more than 2800 per month, the setting maxMonthlyCost; lower",
    ],
  ],
  [
    "takes a cost that is the limit",
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
