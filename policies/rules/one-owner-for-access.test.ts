import { describePolicy, type Program, UNKNOWN } from "../../tests/support/policy";
import { oneOwnerForAccess } from ".";

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const service = (args: object, name = "analytics") => ({ type: "Service", name, args }) as Program["resources"][number];
const access = (name: string, args: object, from?: string) =>
  ({
    type: "ServiceAccess",
    name,
    args: { serviceId: ID, ...args },
    ...(from && { from: { serviceId: from } }),
  }) as Program["resources"][number];
const list = (...sources: unknown[]) => ({ ipAccessList: sources.map((source) => ({ source })) });

describePolicy(oneOwnerForAccess, [
  [
    "recognizes a new service's ServiceAccess by the source of its id",
    { resources: [service(list()), access("web", { ...list("192.0.2.1"), serviceId: UNKNOWN }, "analytics")] },
    [
      'Service "analytics": it declares the complete ipAccessList, and would remove the entries of ServiceAccess "web"; keep one of them.',
    ],
  ],
  [
    "lets a Service declare one list, and a ServiceAccess add to the other",
    {
      resources: [
        service({ existingServiceId: ID, ...list("192.0.2.1") }),
        access("web", { privateEndpointIds: ["vpce-1"] }),
      ],
    },
    [],
  ],
  [
    "reports an entry of two resources, in any spelling, also of a service outside of the stack",
    { resources: [access("one", list("192.0.2.1")), access("two", list("192.0.2.2", "192.0.2.1/32"))] },
    [
      'ServiceAccess "two": ServiceAccess "one" also adds 192.0.2.1/32 to ipAccessList of the same service; keep one of them.',
    ],
  ],
  [
    "lets two resources add different entries, or to different services",
    {
      resources: [
        access("one", list("192.0.2.1")),
        access("two", list("192.0.2.2")),
        access("other", { ...list("192.0.2.1"), serviceId: ID.replace("0001", "0002") }),
      ],
    },
    [],
  ],
  [
    "reports what it cannot know",
    {
      resources: [
        service({ existingServiceId: UNKNOWN }),
        access("one", { ipAccessList: UNKNOWN }),
        access("two", list(UNKNOWN)),
        access("three", { ...list("192.0.2.1"), serviceId: UNKNOWN }),
      ],
    },
    [],
    ["existingServiceId is not known yet"],
  ],
  [
    "reports a Service that declares a list which other stacks share",
    {
      settings: { shared: ["ware*"] },
      resources: [service(list(), "warehouse"), service(list(), "other"), service({}, "ware")],
    },
    [
      'Service "warehouse": it declares the complete ipAccessList, to which other stacks add entries, the setting shared; declare its entries in a ServiceAccess.',
    ],
  ],
]);
