import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { productionIsReplicated } from "./production-is-replicated";

const stack = "prod";
const scaled = (args: object): Program => ({
  stack,
  resources: [
    { kind: "Service", name: "analytics", args: {} },
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
  ["is content with a ServiceScaling that says so", scaled({ numReplicas: 2, idleScaling: false }), []],
  ["but not with one that does not", scaled({ numReplicas: 2 }), ["idleScaling is not declared"]],
  ["leaves other stacks alone", service({ numReplicas: 1 }, { stack: "dev" }), []],
  ["leaves a service that is taken over as it is", service({ existingServiceId: "a" }, { stack }), []],
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
    "says that replicas are not declared",
    service({ idleScaling: false }, { stack }),
    [],
    ["numReplicas is not declared"],
  ],
  [
    "judges what the API has chosen",
    {
      stack,
      settings: { minReplicas: 5 },
      resources: [
        { kind: "Service", name: "a", args: { idleScaling: false }, outputs: { numReplicas: 3, idleScaling: false } },
      ],
    },
    ["it has 3 replicas, less than 5"],
  ],
  [
    "cannot tell where a ServiceScaling may be about any service",
    {
      stack,
      resources: [
        { kind: "Service", name: "a", args: { numReplicas: 2 } },
        { kind: "ServiceScaling", name: "size", args: { serviceId: UNKNOWN, idleScaling: false } },
      ],
    },
    [],
    ["a ServiceScaling may do so"],
  ],
]);
