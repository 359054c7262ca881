import { describePolicy, resources, secret, UNKNOWN } from "../../tests/support/policy";
import { noOpenAccessByOthers } from "./open-access";

const OWN = { serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001", ipAccessList: [{ source: "192.0.2.1" }] };
const withOutputs = (outputs: object, args: object = OWN) => ({
  resources: [{ ...resources.access({ ...args }), outputs: { ...args, ...outputs } }],
});

describePolicy(noOpenAccessByOthers, [
  [
    "names all open networks of others",
    withOutputs({ openSources: ["0.0.0.0/1", "128.0.0.0/1"] }),
    [
      'ServiceAccess "reporting": entries of others open its service to everyone: 0.0.0.0/1, 128.0.0.0/1; find out who added them, and have them removed.',
    ],
  ],
  ["says that a new resource has not looked yet", withOutputs({}), [], ["openSources, the open networks of others"]],
  ["says that a preview does not know them", withOutputs({ openSources: UNKNOWN }), [], ["is not known yet"]],
  [
    "shows none of them where the program's own are secret",
    withOutputs({ openSources: ["0.0.0.0/0"] }, { ...OWN, ipAccessList: secret(OWN.ipAccessList) }),
    ["entries of others open its service to everyone: [secret];"],
  ],
]);
