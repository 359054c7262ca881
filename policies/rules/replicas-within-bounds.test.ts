import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { replicasWithinBounds } from "./replicas-within-bounds";

describePolicy(replicasWithinBounds, [
  ["says the specification's bounds", service({ numReplicas: 21 }), ["whole number from 1 to 20"]],
  ["wants two for the first service of a warehouse", service({ numReplicas: 1 }), ["less than 2"]],
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
]);
