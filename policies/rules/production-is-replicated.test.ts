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
  ["wants no idling", service({ idleScaling: true }, { stack }), ["idleScaling true lets"]],
  ["knows the default", service({ numReplicas: 3 }, { stack }), ["idleScaling is not declared"]],
  ["unless idling is allowed", service({ numReplicas: 3 }, { stack, settings: { allowIdle: true } }), []],
  ["is content with a ServiceScaling that says so", scaled({ idleScaling: false }), []],
  ["but not with one that does not", scaled({}), ["idleScaling is not declared"]],
  ["leaves other stacks alone", service({ numReplicas: 1 }, { stack: "dev" }), []],
  ["leaves a service that is taken over as it is", service({ existingServiceId: "a" }, { stack }), []],
  [
    "says what it cannot know",
    service({ numReplicas: UNKNOWN, idleScaling: UNKNOWN }, { stack }),
    [],
    ["numReplicas is not known yet, idleScaling is not known yet"],
  ],
]);
