import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { productionIsReplicated } from "./production-is-replicated";

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
    "wants two replicas",
    service({ numReplicas: 1, idleScaling: false }, { stack }),
    ["numReplicas 1 is less than 2, the setting minReplicas for production"],
  ],
  ["wants no idling", service({ numReplicas: 2, idleScaling: true }, { stack }), ["idleScaling true lets"]],
  ["knows the default", service({ numReplicas: 3 }, { stack }), ["idleScaling is not declared"]],
  ["unless idling is allowed", service({ numReplicas: 3 }, { stack, settings: { allowIdle: true } }), []],
  ["accepts a ServiceScaling of an adopted service", scaled({ numReplicas: 2, idleScaling: false }), []],
  [
    "but not with one that leaves something to the API",
    scaled({ numReplicas: 2 }, { idleScaling: true }),
    ["idleScaling true lets"],
  ],
  [
    "accepts one for a service that it will be created with",
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
    "but not if neither declares a size that a new service needs",
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
  ["leaves other stacks alone", service({ numReplicas: 1 }, { stack: "dev" }), []],
  [
    "takes a stack for production in any spelling",
    service({ numReplicas: 1, idleScaling: false }, { stack: "EU-Prod" }),
    ["numReplicas 1"],
  ],
  [
    "says that it does not know a stack",
    service({ numReplicas: 1 }, { stack: "main" }),
    [],
    [
      "The stack main is not treated as production: it matches neither the setting stacks (*prod*, *prd*) nor otherStacks",
    ],
  ],
  [
    "not if otherStacks names it",
    service({ numReplicas: 1 }, { stack: "main", settings: { otherStacks: "MAIN" } }),
    [],
  ],
  [
    "says what it does not know of an adopted service",
    service({ existingServiceId: "a" }, { stack }),
    [],
    ["numReplicas is not declared and not known yet, idleScaling is not declared and not known yet"],
  ],
  [
    "says what it cannot know",
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
    "wants replicas declared",
    service({ idleScaling: false }, { stack }),
    [
      "numReplicas is not declared and its value is not known; declare it, because production needs 2 or more, the setting minReplicas.",
    ],
  ],
  [
    "checks what the API has chosen",
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
    "cannot tell where a ServiceScaling may be about any service",
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
