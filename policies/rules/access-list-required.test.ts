import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { accessListRequired } from "./access-list-required";

describePolicy(accessListRequired, [
  ["takes an empty list for none", service({ ipAccessList: [] }), ["nobody can reach it"]],
  ["is content with private endpoints", service({ privateEndpointIds: ["vpce-1"] }), []],
  ["cannot tell where the list is unknown", service({ ipAccessList: UNKNOWN }), [], ["ipAccessList is not known yet"]],
  [
    "is content with an entry that is unknown",
    service({ ipAccessList: [UNKNOWN] }),
    [],
    ["ipAccessList is not known yet"],
  ],
  ["leaves the list of a service alone that is taken over without one", service({ existingServiceId: "a" }), []],
]);
