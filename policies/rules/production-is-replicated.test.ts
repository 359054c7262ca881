import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { productionIsReplicated } from "./production-is-replicated";

const stack = "prod";
const scaled = (args: object, outputs: Record<string, unknown> = {}): Program => ({
  stack,
  resources: [
    { kind: "Service", name: "analytics", args: { existingServiceId: "a" }, outputs },
    { kind: "ServiceScaling", name: "size", args: { serviceId: UNKNOWN, ...args }, from: { serviceId: "analytics" } },
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
  ["is content with a ServiceScaling of an adopted service", scaled({ numReplicas: 2, idleScaling: false }), []],
  [
    "but not with one that leaves something to the API",
    scaled({ numReplicas: 2 }, { idleScaling: true }),
    ["idleScaling true lets"],
  ],
  [
    "is not content with one of a service that would be created without",
    {
      stack,
      resources: [
        { kind: "Service", name: "analytics", args: {} },
        {
          kind: "ServiceScaling",
          name: "size",
          args: { serviceId: UNKNOWN, numReplicas: 2, idleScaling: false },
          from: { serviceId: "analytics" },
        },
      ],
    },
    ["numReplicas is not declared", "idleScaling is not declared"],
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
  ["not once it is told", service({ numReplicas: 1 }, { stack: "main", settings: { otherStacks: "MAIN" } }), []],
  [
    "says what it does not know of an adopted service",
    service({ existingServiceId: "a" }, { stack }),
    [],
    ["numReplicas is not declared, and not known yet, idleScaling is not declared, and not known yet"],
  ],
  [
    "says what it cannot know",
    service({ numReplicas: UNKNOWN, idleScaling: UNKNOWN }, { stack }),
    [],
    ["numReplicas is not known yet, idleScaling is not known yet"],
  ],
  [
    "judges a ServiceScaling",
    { stack, resources: [{ kind: "ServiceScaling", name: "size", args: { numReplicas: 1 } }] },
    ['ServiceScaling "size": numReplicas 1'],
  ],
  [
    "wants replicas declared",
    service({ idleScaling: false }, { stack }),
    ["numReplicas is not declared, and production needs 2 or more, the setting minReplicas; declare it."],
  ],
  [
    "judges what the API has chosen",
    {
      stack,
      settings: { minReplicas: 5 },
      resources: [
        {
          kind: "Service",
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
          kind: "Service",
          name: "a",
          args: { existingServiceId: "a", numReplicas: 2 },
          outputs: { idleScaling: true },
        },
        { kind: "ServiceScaling", name: "size", args: { serviceId: UNKNOWN, idleScaling: false } },
      ],
    },
    [],
    ["idleScaling is not known yet"],
  ],
]);
