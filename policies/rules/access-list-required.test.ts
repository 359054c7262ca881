import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { accessListRequired } from ".";

const adopted = (args: object, outputs: Record<string, unknown>): Program => ({
  resources: [{ type: "Service", name: "analytics", args: { existingServiceId: "a", ...args }, outputs }],
});

describePolicy(accessListRequired, [
  ["takes an empty list for none", service({ ipAccessList: [] }), ["nobody can reach it"]],
  [
    // In the preview of a change, the outputs of a dynamic resource are its arguments.
    "does not take a service in the stack for a new one",
    service({ numReplicas: 3 }),
    ["neither ipAccessList nor privateEndpointIds is declared, so nobody can reach the service if it is new; declare"],
  ],
  ["accepts private endpoints", service({ privateEndpointIds: ["vpce-1"] }), []],
  ["cannot tell where the list is unknown", service({ ipAccessList: UNKNOWN }), [], ["ipAccessList is not known yet"]],
  ["accepts an entry that is unknown", service({ ipAccessList: [UNKNOWN] }), [], ["ipAccessList is not known yet"]],
  [
    "does not check the unknown values of an adopted service",
    service({ existingServiceId: "a" }),
    [],
    ["ipAccessList is not declared and not known yet"],
  ],
  [
    "checks it once it is known",
    adopted({}, { ipAccessList: [], privateEndpointIds: [] }),
    ["nobody can reach it; declare who may connect. The program does not declare it"],
  ],
  [
    "checks the outputs of a created service that does not declare it",
    { resources: [{ type: "Service", name: "a", args: {}, outputs: { ipAccessList: [], privateEndpointIds: [] } }] },
    ["ipAccessList and privateEndpointIds have no entries, so nobody can reach it; declare who may connect."],
  ],
  [
    "and accepts it",
    {
      resources: [
        {
          type: "Service",
          name: "a",
          args: {},
          outputs: { ipAccessList: [{ source: "203.0.113.7" }], privateEndpointIds: [] },
        },
      ],
    },
    [],
  ],
  ["accepts its private endpoints", adopted({ ipAccessList: [] }, { privateEndpointIds: ["vpce-1"] }), []],
  ["but not with two empty lists", adopted({ ipAccessList: [], privateEndpointIds: [] }, {}), ["nobody can reach it"]],
  [
    "accepts a new service to which a ServiceAccess adds entries",
    {
      resources: [
        { type: "Service", name: "a", args: {} },
        {
          type: "ServiceAccess",
          name: "web",
          args: { serviceId: UNKNOWN, ipAccessList: [{ source: "203.0.113.7" }] },
          from: { serviceId: "a" },
        },
      ],
    },
    [],
  ],
]);
