import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { replicasWithinBounds } from "./replicas-within-bounds";

describePolicy(replicasWithinBounds, [
  ["says the specification's bounds", service({ numReplicas: 21 }), ["must be an integer from 1 to 20"]],
  ["wants two for the first service of a warehouse", service({ numReplicas: 1 }), ["must be at least 2"]],
  ["but not in BASIC", service({ numReplicas: 1 }, { settings: { organizationTier: "BASIC" } }), []],
  ["nor in a warehouse that exists", service({ numReplicas: 1, dataWarehouseId: "w" }), []],
  ["nor in one that is made in the same program", service({ numReplicas: 1, dataWarehouseId: UNKNOWN }), []],
  [
    "has bounds for stacks",
    service({ numReplicas: 4 }, { settings: { max: 10, byStack: { dev: { max: 3 } } } }),
    ["more than 3, the setting max for stacks dev"],
  ],
  ["has a least bound", service({ numReplicas: 2 }, { settings: { min: 3 } }), ["less than 3, the setting min"]],
  [
    "judges a ServiceScaling",
    { resources: [{ kind: "ServiceScaling", name: "size", args: { numReplicas: 21 } }] },
    ['ServiceScaling "size": numReplicas 21'],
  ],
  [
    "wants what it bounds declared",
    service({}, { settings: { max: 2 } }),
    ["numReplicas is not declared, and the setting max bounds it; declare it"],
  ],
  [
    "under the stack's own bound",
    service({}, { settings: { byStack: { dev: { min: 2 } } } }),
    ["the setting min for stacks dev bounds it"],
  ],
  ["not where another stack has one", service({}, { settings: { byStack: { prod: { min: 2 } } } }), []],
  [
    "judges an adopted service by its outputs",
    {
      settings: { max: 2 },
      resources: [{ kind: "Service", name: "a", args: { existingServiceId: "a" }, outputs: { numReplicas: 3 } }],
    },
    ["numReplicas 3 is more than 2, the setting max; lower it to 2 or less. The program does not declare it"],
  ],
  [
    "takes an existingServiceId that is not known yet for an adoption",
    service({ existingServiceId: UNKNOWN }, { settings: { max: 2 } }),
    [],
    ["numReplicas is not declared, and not known yet"],
  ],
  [
    "leaves alone what --target leaves out",
    { settings: { max: 2 }, resources: [{ kind: "Service", name: "left out", args: {}, isLeftOut: true }] },
    [],
    ['Service "left out": no policy checked it, since its arguments are not known: this run leaves it out (--target'],
  ],
]);
