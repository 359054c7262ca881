import { setExemptions, withExemptions } from "./exemptions";

const urn = (name: string) => `urn:pulumi:dev::program::clouddb:index:Service::${name}`;
const report = jest.fn();
const violate = (name?: string) =>
  withExemptions(report, { name: "no-open-access", description: "No open access." })("too open", name && urn(name));
const exempt = (until: string, resource = "analytics", policy = "no-open-access") =>
  setExemptions([{ policy, resource, until, reason: "partner" }]);

beforeEach(() => report.mockClear());
afterEach(() => setExemptions([]));

test("an exempted violation is an advisory with its end and reason", () => {
  exempt("2999-01-01");
  violate("analytics");
  const message = "No open access.\nexempted until 2999-01-01 (partner): too open";
  expect(report.mock.calls).toEqual([[{ message, urn: urn("analytics"), enforcementLevel: "advisory" }]]);
});

test("an exemption lasts until the end of its day", () => {
  exempt(new Date().toISOString().slice(0, 10));
  violate("analytics");
  expect(report).toHaveBeenCalledWith(expect.objectContaining({ enforcementLevel: "advisory" }));
});

test.each([
  ["an expired exemption", "2020-01-01", "analytics", "no-open-access", "analytics"],
  ["an exemption from another policy", "2999-01-01", "analytics", "regions-allowed", "analytics"],
  ["an exemption of another resource", "2999-01-01", "ana", "no-open-access", "analytics"],
  ["an exemption for the last part of a name", "2999-01-01", "analytics", "no-open-access", "team::analytics"],
  ["an exemption of a resource, for the stack as a whole", "2999-01-01", "analytics", "no-open-access", undefined],
])("%s leaves the violation a violation", (_, until, resource, policy, name) => {
  exempt(until, resource, policy);
  violate(name);
  expect(report.mock.calls).toEqual([["too open", name && urn(name)]]);
});

test("a name may contain the separator of URNs", () => {
  exempt("2999-01-01", "team::analytics");
  violate("team::analytics");
  expect(report).toHaveBeenCalledWith(expect.objectContaining({ enforcementLevel: "advisory" }));
});
