import { describePolicy, service, UNKNOWN } from "../../tests/support/policy";
import { accessEntriesDescribed } from ".";

describePolicy(accessEntriesDescribed, [
  [
    "names all of them",
    service({ ipAccessList: [{ source: "203.0.113.7" }, { source: "198.51.100.7", description: "" }] }),
    ["no description for 203.0.113.7, 198.51.100.7"],
  ],
  [
    "names ten of many",
    service({
      ipAccessList: Array.from({ length: 2000 }, (_, index) => ({ source: `10.0.${index >> 8}.${index % 256}` })),
    }),
    ["10.0.0.8, 10.0.0.9 and 1990 more; describe who uses each entry."],
  ],
  [
    "does not repeat text that is not an address",
    service({ ipAccessList: [{ source: "203.0.113.7", description: "office" }, { source: "canary-token" }] }),
    ["ipAccessList has no description for entry 1; describe"],
  ],
  [
    "accepts an unknown description",
    service({ ipAccessList: [{ source: "203.0.113.7", description: UNKNOWN }] }),
    [],
    ["not known yet"],
  ],
  [
    "does not print unknown values",
    service({ ipAccessList: [{ source: UNKNOWN }] }),
    ["an address that is not known yet"],
    ["not known yet"],
  ],
  [
    "checks the outputs of an adopted service",
    {
      resources: [
        {
          type: "Service",
          name: "a",
          args: { existingServiceId: "a" },
          outputs: { ipAccessList: [{ source: "203.0.113.7", description: "" }] },
        },
      ],
    },
    ["no description for 203.0.113.7"],
  ],
]);
