import { describePolicy, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { idleSavesMoney, productionIsProtected, productionIsReplicated } from "./production";

describe("production-is-protected", () => {
  const unprotected = (stack: string, settings: Readonly<Record<string, unknown>> = {}): Program => ({
    stack,
    settings,
    resources: [{ type: "Service", name: "analytics", args: {}, options: { protect: false } }],
  });

  describePolicy(productionIsProtected, [
    ["is about stacks that begin with prod", unprotected("prod-eu"), ["it is not protected"]],
    ["in any case", unprotected("Production"), ["it is not protected"]],
    ["or end with it", unprotected("eu-prod"), ["it is not protected"]],
    ["or are written in capitals", unprotected("PROD-eu"), ["it is not protected"]],
    ["or shortened", unprotected("eu-prd-1"), ["it is not protected"]],
    ["not about others", unprotected("dev"), []],
    ["takes other names of stacks", unprotected("live", { stacks: ["live", "main"] }), ["it is not protected"]],
    ["takes one name", unprotected("live-2", { stacks: "live-*" }), ["it is not protected"]],
  ]);
});

describe("production-is-replicated", () => {
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
      "requires two replicas",
      service({ numReplicas: 1, idleScaling: false }, { stack }),
      ["numReplicas 1 is less than 2, the setting minReplicas for production"],
    ],
    ["wants no idling", service({ numReplicas: 2, idleScaling: true }, { stack }), ["idleScaling true lets"]],
    ["knows the default", service({ numReplicas: 3 }, { stack }), ["idleScaling is not declared"]],
    ["unless idling is allowed", service({ numReplicas: 3 }, { stack, settings: { allowIdle: true } }), []],
    ["accepts a ServiceScaling of an adopted service", scaled({ numReplicas: 2, idleScaling: false }), []],
    [
      "but not with one that does not declare every size",
      scaled({ numReplicas: 2 }, { idleScaling: true }),
      ["idleScaling true lets"],
    ],
    [
      "accepts one in the ServiceScaling of a new service",
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
      "but not if neither declares a required size",
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
    ["ignores other stacks", service({ numReplicas: 1 }, { stack: "dev" }), []],
    [
      "treats a stack as production in any case",
      service({ numReplicas: 1, idleScaling: false }, { stack: "EU-Prod" }),
      ["numReplicas 1"],
    ],
    [
      "reports an unclassified stack",
      service({ numReplicas: 1 }, { stack: "main" }),
      [],
      [
        "The stack main is not treated as production: it matches neither the setting stacks (*prod*, *prd*) nor otherStacks",
      ],
    ],
    [
      "not if otherStacks matches it",
      service({ numReplicas: 1 }, { stack: "main", settings: { otherStacks: "MAIN" } }),
      [],
    ],
    [
      "reports unknown sizes of an adopted service",
      service({ existingServiceId: "a" }, { stack }),
      [],
      ["numReplicas is not declared and not known yet, idleScaling is not declared and not known yet"],
    ],
    [
      "reports unknown values",
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
      "requires replicas",
      service({ idleScaling: false }, { stack }),
      [
        "numReplicas is not declared and its value is not known; declare it, because production needs 2 or more, the setting minReplicas.",
      ],
    ],
    [
      "checks a value that the API chose",
      service(
        { existingServiceId: "a", idleScaling: false },
        { stack, settings: { minReplicas: 5 }, outputs: { numReplicas: 3, idleScaling: false } },
      ),
      ["numReplicas 3 is less than 5"],
    ],
    [
      "does not check if a ServiceScaling may be of any service",
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
});

describe("idle-saves-money", () => {
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
      service({}, { outputs: { idleTimeoutMinutes: 90, idleScaling: false } }),
      ["idleScaling false", "90 is more than 60"],
    ],
  ]);
});
