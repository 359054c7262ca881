import type { PolicyResource } from "@pulumi/policy";
import { refuseAmbiguous, setExemptions, withExemptions } from "./exemptions";

const urn = (name: string, type = "clouddb:index:Service") =>
  `urn:pulumi:dev::program::${type}::${name}`;
const report = jest.fn();
const violate = (name?: string, type?: string) =>
  withExemptions(report, { name: "no-open-access", description: "No open access." })(
    "too open",
    name && urn(name, type),
  );
const exempt = (until: string, resource = "analytics", policy = "no-open-access", type?: string) =>
  setExemptions([{ policy, resource, until, reason: "partner", type }]);

beforeEach(() => report.mockClear());
afterEach(() => setExemptions([]));

test("an exempted violation is an advisory with its end and reason", () => {
  exempt("2999-01-01");
  violate("analytics");
  const message = "No open access.\nexempted until 2999-01-01 (partner): too open";
  expect(report.mock.calls).toEqual([
    [{ message, urn: urn("analytics"), enforcementLevel: "advisory" }],
  ]);
});

const ALWAYS = "2999-01-01";
test.each<[string, Parameters<typeof exempt>, string | undefined, boolean]>([
  ["lasts until the end of its day", [new Date().toISOString().slice(0, 10)], "analytics", true],
  ["names the separator of URNs", [ALWAYS, "team::analytics"], "team::analytics", true],
  ["has expired", ["2020-01-01"], "analytics", false],
  ["is from another policy", [ALWAYS, "analytics", "regions-allowed"], "analytics", false],
  ["is of another resource", [ALWAYS, "ana"], "analytics", false],
  ["names the last part of a name", [ALWAYS], "team::analytics", false],
  ["is of a resource, for the stack as a whole", [ALWAYS], undefined, false],
])("an exemption that %s decides the violation: %j", (_, exemption, name, isExempt) => {
  exempt(...exemption);
  violate(name);
  const advisory = [expect.objectContaining({ enforcementLevel: "advisory" })];
  expect(report.mock.calls).toEqual([isExempt ? advisory : ["too open", name && urn(name)]]);
});

const ACCESS = "pulumi-nodejs:dynamic/clouddb:ServiceAccess";
const IN_TEAM = "team:index:Shop$clouddb:index:Service";

test.each([
  ["Service", "clouddb:index:Service", true],
  ["Service", "pulumi-nodejs:dynamic/clouddb:Service", true],
  ["Service", IN_TEAM, true],
  ["Service", ACCESS, false],
  ["ServiceAccess", ACCESS, true],
  ["clouddb:index:Service", IN_TEAM, true],
  [IN_TEAM, IN_TEAM, true],
  [IN_TEAM, "clouddb:index:Service", false],
  ["service", "clouddb:index:Service", false],
])("an exemption with the type %s covers %s: %s", (type, actual, isExempt) => {
  exempt("2999-01-01", "db", "no-open-access", type);
  violate("db", actual);
  expect(report).toHaveBeenCalledWith(
    ...(isExempt ? [expect.anything()] : ["too open", urn("db", actual)]),
  );
});

const problems = (...types: string[]) => {
  const resources = [...types.map((type) => urn("db", type)), urn("other", ACCESS)].map((item) => ({
    urn: item,
  }));
  refuseAmbiguous({ resources: resources as PolicyResource[] } as never, report);
  return report.mock.calls.map(
    ([{ message, enforcementLevel }]) => `${enforcementLevel} ${message.split("\n")[1]}`,
  );
};
const PROBLEM = 'mandatory the exemption of "db" from no-open-access names';

test.each([
  ["", [], "clouddb:index:Service", "2999-01-01"],
  ["", [], ACCESS, "2999-01-01"],
  ["an expired exemption", [ACCESS], "clouddb:index:Service", "2020-01-01"],
])(
  "an exemption passes if it has expired or only one resource has its name: %s",
  (_, more, type, until) => {
    exempt(until, "db");
    expect(problems(type, ...more)).toEqual([]);
  },
);

test.each([
  [
    ["clouddb:index:Service", ACCESS],
    "2 resources of the stack; set its type to one of: Service, ServiceAccess.",
  ],
  [
    ["clouddb:index:Service", "aws:s3/bucket:Bucket"],
    "2 resources of the stack; set its type to one of: Service.",
  ],
  [
    ["clouddb:index:Service", IN_TEAM],
    `2 resources of the stack; set its type to one of: clouddb:index:Service, ${IN_TEAM}.`,
  ],
])("an exemption of an ambiguous name fails the preview: %j", (types, text) => {
  exempt("2999-01-01", "db");
  expect(problems(...types)).toEqual([`${PROBLEM} ${text}`]);
});

test("an exemption of an ambiguous name passes if its type selects one resource", () => {
  exempt("2999-01-01", "db", "no-open-access", "ServiceAccess");
  expect(problems("clouddb:index:Service", ACCESS, IN_TEAM)).toEqual([]);
});
