import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { productionIsReplicated } from ".";

const stack = "prod";
const scaled = (args: object, outputs: Record<string, unknown> = {}): Program => ({
  stack,
  resources: [
    { type: "Service", name: "analytics", args: { existingServiceId: "a" }, outputs },
    { type: "ServiceScaling", name: "size", args: { serviceId: UNKNOWN, ...args }, from: { serviceId: "analytics" } },
  ],
});

describePolicy(productionIsReplicated, [
  [
    "requires two replicas",
    service({ numReplicas: 1, idleScaling: false }, { stack }),
    ["numReplicas 1 is less than 2, the setting minReplicas for production"],
  ],
  ["wants no idling", service({ numReplicas: 2, idleScaling: true }, { stack }), ["idleScaling true lets"]],
  ["knows the default", service({ numReplicas: 3 }, { stack }), ["idleScaling is not declared"]],
  ["unless idling is allowed", service({ numReplicas: 3 }, { stack, settings: { allowIdle: true } }), []],
  ["accepts a ServiceScaling of an adopted service", scaled({ numReplicas: 2, idleScaling: false }), []],
  [
    "but not with one that does not declare every size",
    scaled({ numReplicas: 2 }, { idleScaling: true }),
    ["idleScaling true lets"],
  ],
  [
    "accepts one in the ServiceScaling of a new service",
    {
      stack,
      resources: [
        { type: "Service", name: "analytics", args: {} },
        {
          type: "ServiceScaling",
          name: "size",
          args: { serviceId: UNKNOWN, numReplicas: 2, idleScaling: false },
          from: { serviceId: "analytics" },
        },
      ],
    },
    [],
  ],
  [
    "but not if neither declares a required size",
    {
      stack,
      resources: [
        { type: "Service", name: "analytics", args: {} },
        {
          type: "ServiceScaling",
          name: "size",
          args: { serviceId: UNKNOWN, numReplicas: 2 },
          from: { serviceId: "analytics" },
        },
      ],
    },
    ['Service "analytics": idleScaling is not declared and its value is not known'],
  ],
  ["ignores other stacks", service({ numReplicas: 1 }, { stack: "dev" }), []],
  [
    "treats a stack as production in any case",
    service({ numReplicas: 1, idleScaling: false }, { stack: "EU-Prod" }),
    ["numReplicas 1"],
  ],
  [
    "reports an unclassified stack",
    service({ numReplicas: 1 }, { stack: "main" }),
    [],
    [
      "The stack main is not treated as production: it matches neither the setting stacks (*prod*, *prd*) nor otherStacks",
    ],
  ],
  [
    "not if otherStacks matches it",
    service({ numReplicas: 1 }, { stack: "main", settings: { otherStacks: "MAIN" } }),
    [],
  ],
  [
    "reports unknown sizes of an adopted service",
    service({ existingServiceId: "a" }, { stack }),
    [],
    ["numReplicas is not declared and not known yet, idleScaling is not declared and not known yet"],
  ],
  [
    "reports unknown values",
    service({ numReplicas: UNKNOWN, idleScaling: UNKNOWN }, { stack }),
    [],
    ["numReplicas is not known yet, idleScaling is not known yet"],
  ],
  [
    "checks a ServiceScaling",
    { stack, resources: [{ type: "ServiceScaling", name: "size", args: { numReplicas: 1 } }] },
    ['ServiceScaling "size": numReplicas 1'],
  ],
  [
    "requires replicas",
    service({ idleScaling: false }, { stack }),
    [
      "numReplicas is not declared and its value is not known; declare it, because production needs 2 or more, the setting minReplicas.",
    ],
  ],
  [
    "checks a value that the API chose",
    {
      stack,
      settings: { minReplicas: 5 },
      resources: [
        {
          type: "Service",
          name: "a",
          args: { existingServiceId: "a", idleScaling: false },
          outputs: { numReplicas: 3, idleScaling: false },
        },
      ],
    },
    ["numReplicas 3 is less than 5"],
  ],
  [
    "does not check if a ServiceScaling may be of any service",
    {
      stack,
      resources: [
        {
          type: "Service",
          name: "a",
          args: { existingServiceId: "a", numReplicas: 2 },
          outputs: { idleScaling: true },
        },
        { type: "ServiceScaling", name: "size", args: { serviceId: UNKNOWN, idleScaling: false } },
      ],
    },
    [],
    ["idleScaling is not known yet"],
  ],
]);
