import { describePolicy, judge, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { remediate } from "../testing/judge";
import { accessEntriesDescribed } from "./access-entries-described";

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

test("remediation describes entries that have no description, and nothing else", async () => {
  const known = { source: "203.0.113.7", description: "office" };
  const program = service({
    name: "analytics",
    ipAccessList: [
      known,
      { source: "198.51.100.7" },
      { source: UNKNOWN, description: "" },
      { source: "192.0.2.1", description: UNKNOWN },
      UNKNOWN,
    ],
  });
  const described = { description: "managed by Pulumi (program/dev)" };
  expect((await remediate(accessEntriesDescribed, program)).resources).toEqual([
    {
      ...program.resources[0],
      args: expect.objectContaining({
        name: "analytics",
        ipAccessList: [
          known,
          { source: "198.51.100.7", ...described },
          { source: UNKNOWN, ...described },
          { source: "192.0.2.1", description: UNKNOWN },
          UNKNOWN,
        ],
      }),
    },
  ]);
  const own = { ...program, settings: { description: "platform team" } };
  expect((await remediate(accessEntriesDescribed, own)).resources[0]?.args.ipAccessList).toContainEqual({
    source: "198.51.100.7",
    description: "platform team",
  });
});

test.each<[string, Program]>([
  ["a list that is complete", service({ ipAccessList: [{ source: "203.0.113.7", description: "office" }] })],
  ["an unknown list", service({ ipAccessList: UNKNOWN })],
  ["no list", service({})],
  ["another resource", { resources: [{ type: "aws:s3/bucket:Bucket", name: "a", args: { ipAccessList: [{}] } }] }],
  [
    "an excluded resource",
    {
      resources: [
        { type: "Service", name: "a", args: { ipAccessList: [{ source: "203.0.113.7" }] }, isExcluded: true },
      ],
    },
  ],
])("remediation leaves %s alone", async (_, program) => {
  expect(await remediate(accessEntriesDescribed, program)).toEqual(program);
});

test("what remediation leaves is judged", async () => {
  const entries = [{ source: "203.0.113.7" }, UNKNOWN];
  const program = await remediate(accessEntriesDescribed, service({ ipAccessList: entries }));
  expect(await judge(accessEntriesDescribed, program)).toEqual({
    violations: [],
    unchecked: [expect.stringContaining("ipAccessList is not known yet")],
  });
});
