import {
  type Args,
  adopted,
  describePolicy,
  ofNewService,
  type Program,
  resources,
  service,
  UNKNOWN,
} from "../../tests/support/policy";
import { accessEntriesDescribed, accessListRequired, oneOwnerForAccess } from "./access";

const list = (...sources: unknown[]) => ({ ipAccessList: sources.map((source) => ({ source })) });

describe("access-list-required", () => {
  const EMPTY = { ipAccessList: [], privateEndpointIds: [] };

  describePolicy(accessListRequired, [
    ["takes an empty list for none", service({ ipAccessList: [] }), ["nobody can reach it"]],
    [
      // In the preview of a change, the outputs of a dynamic resource are its arguments.
      "does not take a service in the stack for a new one",
      service({ numReplicas: 3 }),
      [
        "neither ipAccessList nor privateEndpointIds is declared, so nobody can reach the service if it is new; declare",
      ],
    ],
    ["accepts private endpoints", service({ privateEndpointIds: ["vpce-1"] }), []],
    [
      "accepts an unknown list",
      service({ ipAccessList: UNKNOWN }),
      [],
      ["ipAccessList is not known yet"],
    ],
    [
      "accepts an unknown entry",
      service({ ipAccessList: [UNKNOWN] }),
      [],
      ["ipAccessList is not known yet"],
    ],
    [
      "accepts the unknown list of an adopted service",
      adopted({}),
      [],
      ["ipAccessList is not declared and not known"],
    ],
    [
      "checks an adopted service once its lists are known",
      adopted({}, EMPTY),
      ["nobody can reach it; declare who may connect. The program does not declare it"],
    ],
    [
      "checks the outputs of a created service that does not declare a list",
      service({}, { outputs: EMPTY }),
      [
        "ipAccessList and privateEndpointIds have no entries, so nobody can reach it; declare who may connect.",
      ],
    ],
    [
      "accepts entries in outputs",
      service({}, { outputs: { ...EMPTY, ...list("203.0.113.7") } }),
      [],
    ],
    [
      "accepts endpoints in outputs",
      adopted({ ipAccessList: [] }, { privateEndpointIds: ["vpce-1"] }),
      [],
    ],
    ["refuses two empty lists of an adopted service", adopted(EMPTY, {}), ["nobody can reach it"]],
    [
      "accepts a new service to which a ServiceAccess adds entries",
      { resources: [resources.service({}), ofNewService(resources.access(list("203.0.113.7")))] },
      [],
    ],
  ]);
});

describe("access-entries-described", () => {
  const entry = { source: "203.0.113.7", description: "office" };
  const NOT_YET = "ipAccessList is not known yet";

  describePolicy(accessEntriesDescribed, [
    [
      "names all of them",
      service({
        ipAccessList: [{ source: "203.0.113.7" }, { source: "198.51.100.7", description: "" }],
      }),
      ["no description for 203.0.113.7, 198.51.100.7"],
    ],
    [
      "names ten of many",
      service(
        list(...Array.from({ length: 2000 }, (_, index) => `10.0.${index >> 8}.${index % 256}`)),
      ),
      ["10.0.0.8, 10.0.0.9 and 1990 more; describe who uses each entry."],
    ],
    [
      "does not repeat text that is not an address",
      service({ ipAccessList: [entry, { source: "canary-token" }] }),
      ["ipAccessList has no description for entry 1; describe"],
    ],
    [
      "accepts an unknown description",
      service({ ipAccessList: [entry, { ...entry, description: UNKNOWN }] }),
      [],
      [NOT_YET],
    ],
    [
      "does not print unknown values",
      service(list(UNKNOWN)),
      ["an address that is not known yet"],
      [NOT_YET],
    ],
    [
      "checks the outputs of an adopted service",
      adopted({}, list("203.0.113.7")),
      ["no description for 203.0.113.7"],
    ],
  ]);
});

describe("one-owner-for-access", () => {
  const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
  const OTHER_ID = ID.replace("0001", "0002");
  const adoptedService = (args: Args) => resources.service({ existingServiceId: ID, ...args });
  const access = (name: string, args: Args) => resources.access({ serviceId: ID, ...args }, name);
  const one = access("one", list("192.0.2.1"));
  const complete = (name: string) => resources.service(list(), name);
  const program = (...all: Program["resources"]): Program => ({ resources: all });

  describePolicy(oneOwnerForAccess, [
    [
      "recognizes a new service's ServiceAccess by the source of its id",
      program(complete("analytics"), ofNewService(one)),
      [
        'Service "analytics": it declares the complete ipAccessList, and would remove the entries of ServiceAccess "one"; keep one of them.',
      ],
    ],
    [
      "lets a Service declare one list, and a ServiceAccess add to the other",
      program(adoptedService(list("192.0.2.1")), access("web", { privateEndpointIds: ["vpce-1"] })),
      [],
    ],
    [
      "reports an entry of two resources, in any spelling, also of a service outside of the stack",
      program(one, access("two", list("192.0.2.2", "192.0.2.1/32"))),
      [
        'ServiceAccess "two": ServiceAccess "one" also adds 192.0.2.1/32 to ipAccessList of the same service; keep one of them.',
      ],
    ],
    [
      "lets two resources add different entries",
      program(one, access("two", list("192.0.2.2"))),
      [],
    ],
    [
      "lets two services have one",
      program(one, access("two", { ...list("192.0.2.1"), serviceId: OTHER_ID })),
      [],
    ],
    [
      "reports what it cannot know",
      program(
        adoptedService({ existingServiceId: UNKNOWN }),
        access("one", { ipAccessList: UNKNOWN }),
        access("two", list(UNKNOWN)),
        access("three", { ...list("192.0.2.1"), serviceId: UNKNOWN }),
      ),
      [],
      ["existingServiceId is not known yet"],
    ],
    [
      "reports a Service that declares a list which other stacks share",
      {
        settings: { shared: ["ware*"] },
        ...program(complete("warehouse"), complete("other"), resources.service({}, "ware")),
      },
      [
        'Service "warehouse": it declares the complete ipAccessList, to which other stacks add entries, the setting shared; declare its entries in a ServiceAccess.',
      ],
    ],
  ]);
});
