import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { idleSavesMoney } from ".";

describePolicy(idleSavesMoney, [
  ["ignores production", service({ idleScaling: false, idleTimeoutMinutes: 999 }, { stack: "prod" }), []],
  ["in any spelling", service({ idleScaling: false }, { stack: "eu-PROD" }), []],
  [
    "has a maximum timeout",
    service({ idleTimeoutMinutes: 30 }, { settings: { maxIdleTimeoutMinutes: 20 } }),
    ["30 is more than 20, the setting maxIdleTimeoutMinutes"],
  ],
  [
    "refuses a new service that does not declare what a setting limits",
    service({}, { settings: { maxIdleTimeoutMinutes: 15 } }),
    ["idleTimeoutMinutes is not declared and its value is not known; declare it, because the setting"],
  ],
  [
    "takes the timeout that a ServiceScaling declares",
    {
      settings: { maxIdleTimeoutMinutes: 15 },
      resources: [
        { type: "Service", name: "a", args: {} },
        { type: "ServiceScaling", name: "s", args: { idleTimeoutMinutes: 15 }, from: { serviceId: "a" } },
      ],
    },
    [],
  ],
  ["takes an hour without a setting", service({ idleTimeoutMinutes: 60 }), []],
  ["refuses more than an hour", service({ idleTimeoutMinutes: 61 }), ["61 is more than 60"]],
  [
    "checks a ServiceScaling",
    { resources: [{ type: "ServiceScaling", name: "size", args: { idleScaling: false } }] },
    ['ServiceScaling "size"'],
  ],
  ["reports unknown values", service({ idleScaling: UNKNOWN }), [], ["idleScaling is not known yet"]],
  [
    "checks a value that the API chose",
    { resources: [{ type: "Service", name: "a", args: {}, outputs: { idleTimeoutMinutes: 90, idleScaling: false } }] },
    ["idleScaling false", "90 is more than 60"],
  ],
]);
