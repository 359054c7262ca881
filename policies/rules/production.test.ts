import {
  type Args,
  describePolicy,
  ofNewService,
  type Program,
  resources,
  service,
  withOutputs,
} from "../../tests/support/policy";
import { idleSavesMoney, productionIsProtected, productionIsReplicated } from "./production";

const { scaling } = resources;

describe("production-is-protected", () => {
  const unprotected = (stack: string, settings: Program["settings"] = {}): Program => ({
    stack,
    settings,
    resources: [{ ...resources.service({}), options: { protect: false } }],
  });

  describePolicy(productionIsProtected, [
    [
      "is about stacks that contain prod, in any case",
      unprotected("eu-PROD-1"),
      ["it is not protected"],
    ],
    ["is about stacks that contain prd", unprotected("eu-prd-1"), ["it is not protected"]],
    ["ignores other stacks", unprotected("dev"), []],
    [
      "takes other names of stacks",
      unprotected("live", { stacks: ["live", "main"] }),
      ["it is not protected"],
    ],
    ["takes one name", unprotected("live-2", { stacks: "live-*" }), ["it is not protected"]],
  ]);
});

describe("production-is-replicated", () => {
  const stack = "prod";
  const production = (...all: Program["resources"]): Program => ({ stack, resources: all });
  const existing = (outputs: Args) =>
    withOutputs(resources.service({ existingServiceId: "a" }), outputs);

  describePolicy(productionIsReplicated, [
    [
      "requires two replicas, in any case of the stack's name",
      service({ numReplicas: 1, idleScaling: false }, { stack: "EU-Prod" }),
      ["numReplicas 1 is less than 2, the setting minReplicas for production"],
    ],
    [
      "requires that idleScaling is declared",
      service({ numReplicas: 3 }, { stack }),
      ["idleScaling is not declared"],
    ],
    [
      "unless idling is allowed",
      service({ numReplicas: 3 }, { stack, settings: { allowIdle: true } }),
      [],
    ],
    [
      "requires replicas",
      service({ idleScaling: false }, { stack }),
      [
        "numReplicas is not declared and its value is not known; declare it, because production needs 2 or more, the",
      ],
    ],
    // Services with a ServiceScaling or outputs are judged as in scaling.test.ts.
    [
      "judges the outputs of what a ServiceScaling does not declare",
      production(existing({ idleScaling: true }), ofNewService(scaling({ numReplicas: 2 }))),
      ["idleScaling true lets"],
    ],
    [
      "refuses a new service if neither declares a required size",
      production(resources.service({}), ofNewService(scaling({ numReplicas: 2 }))),
      ['Service "analytics": idleScaling is not declared and its value is not known'],
    ],
    ["ignores other stacks", service({ numReplicas: 1 }, { stack: "dev" }), []],
    [
      "reports an unclassified stack",
      service({ numReplicas: 1 }, { stack: "main" }),
      [],
      [
        "The stack main is not treated as production: it matches neither the setting stacks (*prod*, *prd*) nor other",
      ],
    ],
    [
      "does not report a stack of otherStacks",
      service({ numReplicas: 1 }, { stack: "main", settings: { otherStacks: "MAIN" } }),
      [],
    ],
    [
      "checks a ServiceScaling",
      production(scaling({ numReplicas: 1 })),
      ['ServiceScaling "size": numReplicas 1'],
    ],
    [
      "has a minimum of its own",
      service({ idleScaling: false, numReplicas: 3 }, { stack, settings: { minReplicas: 5 } }),
      ["numReplicas 3 is less than 5"],
    ],
  ]);
});

describe("idle-saves-money", () => {
  const settings = { maxIdleTimeoutMinutes: 15 };

  describePolicy(idleSavesMoney, [
    [
      "ignores production",
      service({ idleScaling: false, idleTimeoutMinutes: 999 }, { stack: "eu-PROD" }),
      [],
    ],
    [
      "has a maximum timeout",
      service({ idleTimeoutMinutes: 30 }, { settings }),
      ["30 is more than 15, the setting maxIdleTimeoutMinutes"],
    ],
    [
      "refuses a new service that does not declare what a setting limits",
      service({}, { settings }),
      [
        "idleTimeoutMinutes is not declared and its value is not known; declare it, because the setting",
      ],
    ],
    ["takes an hour without a setting", service({ idleTimeoutMinutes: 60 }), []],
    ["refuses more than an hour", service({ idleTimeoutMinutes: 61 }), ["61 is more than 60"]],
    [
      "checks a ServiceScaling",
      { resources: [scaling({ idleScaling: false })] },
      ['ServiceScaling "size"'],
    ],
    [
      "checks a value that the API chose",
      service({}, { outputs: { idleTimeoutMinutes: 90, idleScaling: false } }),
      ["idleScaling false", "90 is more than 60"],
    ],
  ]);
});
