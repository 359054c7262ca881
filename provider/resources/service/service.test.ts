import { render } from "../../errors";
import { check, diff, type Field, type RuleContext, UNKNOWN } from "../../fields";
import { entryText } from "../../names";
import { serviceAccess } from "../service-access/service-access";
import { serviceFields } from "./fields";
import { service } from "./service";

const ORGANIZATION = { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01" };
const MYSQL = { protocol: "mysql", enabled: true };
const reasons = (inputs: object, context: RuleContext = {}) =>
  check(service, undefined, { ...ORGANIZATION, ...inputs }, context).problems.map(({ reason }) =>
    render(reason),
  );

test("the stored handler has the same bytes as in every published release", () => {
  expect(entryText("Service")).toBe(
    'exports.handler=()=>require("pulumi-clouddb/runtime").service',
  );
  expect(Buffer.byteLength(entryText("Service"))).toBeLessThan(100);
});

test.each([
  ["203.0.113.7", 0],
  ["0.0.0.0/0", 0],
  ["0.0.0.0/31", 0],
  ["0.0.0.0", 1],
  ["0.0.0.0/32", 1],
  ["::", 1],
  ["::ffff:0.0.0.0", 1],
])("the source %s causes %i warnings, for a Service and a ServiceAccess", (source, count) => {
  const list = { ipAccessList: [{ source: "192.0.2.1" }, { source }] };
  for (const definition of [service, serviceAccess]) {
    const { problems, warnings } = check(
      definition,
      undefined,
      { ...ORGANIZATION, serviceId: ORGANIZATION.organizationId, ...list },
      {},
    );
    expect(problems.filter(({ argument }) => argument === "ipAccessList")).toEqual([]);
    expect(
      warnings
        .map(render)
        .filter((text) => text.startsWith("ipAccessList[1].source is the unspecified")),
    ).toHaveLength(count);
  }
});

/** An access list for each of these addresses. */
const lists = (...sources: string[]) => sources.map((source) => [{ source }]);

/** tests/contract/specification has the numeric limits of the specification. */
describe("limits of the specification", () => {
  test.each<[string, unknown[], unknown[]]>([
    ["name", ["Analytics 2", "a".repeat(50)], ["a".repeat(51), "analytics-2", ""]],
    ["numReplicas", [1, 20], [2.5, "3"]],
    ["idleScaling", [false], ["false"]],
    ["provider", ["aws"], ["ibm"]],
    ["region", ["germanywestcentral"], ["us-east-3"]],
    ["releaseChannel", ["fast"], ["faster"]],
    ["complianceType", ["pci"], ["sox"]],
    ["profile", ["v1-highcpu-xl"], ["v1-highcpu-xs"]],
    ["tier", ["dedicated_standard_n2d_standard_64_24SSD"], ["huge"]],
    ["backupId", [ORGANIZATION.organizationId], ["yesterday"]],
    ["existingServiceId", [], ["../x"]],
    ["endpoints", [[MYSQL]], [[{ protocol: "mysql" }], [{ ...MYSQL, port: 1 }]]],
    ["privateEndpointIds", [["vpce-1"]], ["vpce-1"]],
    [
      "ipAccessList",
      lists("203.0.113.7", "203.0.113.0/24", "2001:db8::/32", "2001:db8::1", "0.0.0.0/0"),
      [],
    ],
    [
      "ipAccessList",
      [],
      lists("203.0.113.7/33", "203.0.113", "127.1", "0x7f.0.0.1", "10.1/8", "office", ""),
    ],
  ])("the check of %s allows %j and refuses %j", (name, allowed, refused) => {
    expect(allowed.map((value) => reasons({ [name]: value }))).toEqual(allowed.map(() => []));
    expect(refused.map((value) => reasons({ [name]: value }).length)).toEqual(refused.map(() => 1));
  });

  test("a broken limit is reported with property, value, limit and fix", () => {
    expect(reasons({ numReplicas: 25, region: "us-east-3" })).toEqual([
      expect.stringMatching(/^region "us-east-3" is invalid: must be one of ap-northeast-1, /),
      "numReplicas 25 is invalid: must be an integer from 1 to 20. [CDB1003]",
    ]);
    expect(reasons({ region: "us-esat-1" })).toEqual([
      expect.stringMatching(
        /^region "us-esat-1" is invalid: did you mean us-east-1\? It must be one of ap-northeast-1, .*; for a value that is newer than this release, add region to clouddb:allowUnlisted .*\[CDB1004\]$/,
      ),
    ]);
    expect(reasons({ name: "prod-analytics" })).toEqual([
      'name "prod-analytics" is invalid: must consist of letters, digits and whitespace, with at most 50 characters; if the API accepts it, add name to clouddb:allowUnlisted (CLOUDDB_ALLOW_UNLISTED). [CDB1003]',
    ]);
    expect(reasons({ ipAccessList: [{ source: "1.2.3.4" }, { source: "1.2.3" }] })).toEqual([
      'ipAccessList[1].source "1.2.3" is invalid: must be an IPv4 or IPv6 address or a network such as 203.0.113.0/24. [CDB1003]',
    ]);
  });

  test("a service requires an organization", () => {
    expect(check(service, undefined, {}, {}).problems).toEqual([
      {
        argument: "organizationId",
        reason: {
          code: "CDB1002",
          text: "organizationId is missing: set `organizationId` on the resource, or set clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).",
        },
      },
    ]);
  });
});

describe("a region of another provider", () => {
  const ofAws = (region: string, context: RuleContext = {}, old?: Record<string, unknown>) =>
    check(service, old, { ...ORGANIZATION, provider: "aws", region }, context);

  test.each([
    ["us-east1", "gcp"],
    ["germanywestcentral", "azure"],
  ])("the region %s of another provider, %s, causes a warning", (region, cloud) => {
    const text = `region "${region}" looks like a region of ${cloud}; regions of aws look like us-east-1.`;
    expect(ofAws(region)).toMatchObject({ problems: [], warnings: [{ code: "CDB1016", text }] });
  });

  test("a region of another provider is not shown if the program marks it as secret", () => {
    expect(ofAws("us-east1", { marked: ["region"] }).warnings[0]?.text).toMatch(
      /^region looks like a region of gcp/,
    );
  });

  test("a region causes no warning for an existing service, or if the provider has it", () => {
    expect(ofAws("us-east1", {}, { ...ORGANIZATION, region: "us-east1" }).warnings).toEqual([]);
    expect(ofAws("me-central-1").warnings).toEqual([]);
  });

  test("a region causes no warning for an unknown provider", () => {
    const inputs = { ...ORGANIZATION, provider: "oracle", region: "us-east1" };
    const codes = check(service, undefined, inputs, { allowUnlisted: ["provider"] }).warnings.map(
      ({ code }) => code,
    );
    expect(codes).toEqual(["CDB1004"]);
  });
});

describe("rules over several arguments", () => {
  test.each([
    [{ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 }, {}],
    [{ maxTotalMemoryGb: 372 }, { paid: false }],
    [{ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 16, byocId: "b" }, {}],
    [{ numReplicas: 1 }, { organizationTier: "SCALE" }],
    [{ tier: "development", provider: "azure" }, {}],
    [{ tier: "development", numReplicas: 2 }, {}],
  ] as const)("a rule does not show the marked value of %j", (args, context) => {
    const { problems } = check(
      service,
      undefined,
      { ...ORGANIZATION, ...args },
      { ...context, marked: Object.keys(args) },
    );
    expect(problems.length).toBeGreaterThan(0);
    for (const { reason } of problems) {
      for (const value of Object.values(args))
        expect(reason.text).not.toMatch(new RegExp(`\\b${value}\\b`));
    }
  });

  const SCALE: RuleContext = { organizationTier: "SCALE" };
  const ENTERPRISE: RuleContext = { organizationTier: "ENTERPRISE" };

  test.each<[object, RuleContext, string]>([
    [
      { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 },
      {},
      "minReplicaMemoryGb 16 is invalid: must not exceed maxReplicaMemoryGb 8; lower minReplicaMemoryGb or raise maxReplicaMemoryGb. [CDB1009]",
    ],
    [
      { minTotalMemoryGb: 48, maxTotalMemoryGb: 24 },
      {},
      "minTotalMemoryGb 48 is invalid: must not exceed maxTotal",
    ],
    [
      { maxReplicaMemoryGb: 124 },
      { paid: false },
      "maxReplicaMemoryGb 124 is invalid: must not exceed 120",
    ],
    [
      { maxTotalMemoryGb: 372 },
      { paid: false },
      "maxTotalMemoryGb 372 is invalid: must not exceed 360",
    ],
    [{ numReplicas: 1 }, SCALE, "numReplicas 1 is invalid: must be at least 2"],
    [{ numReplicas: 1 }, ENTERPRISE, "numReplicas 1 is invalid: must be at least 2"],
    [{ isReadonly: true }, {}, "isReadonly requires dataWarehouseId"],
    [{ profile: "v1-default" }, SCALE, "profile is available only in the ENTERPRISE tier"],
    [
      { hasTransparentDataEncryption: true },
      { organizationTier: "BASIC" },
      "hasTransparentDataEncryption is available only in the ENTERPRISE tier",
    ],
    [
      { tier: "development", provider: "azure" },
      {},
      'tier "development" is invalid: must not be used with provider',
    ],
    [
      { byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 },
      {},
      "maxReplicaMemoryGb 64 is invalid: must be",
    ],
    [{ byocId: "b", minReplicaMemoryGb: 48 }, {}, "maxReplicaMemoryGb is missing: must be one of"],
  ])("the rules refuse %j with the settings %j", (inputs, context, problem) => {
    expect(reasons(inputs, context)).toEqual([expect.stringContaining(problem)]);
  });

  test.each<[object, RuleContext]>([
    [{ minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8 }, {}],
    [{ maxReplicaMemoryGb: 120 }, { paid: false }],
    [{ maxReplicaMemoryGb: 356 }, { paid: true }],
    [{ maxReplicaMemoryGb: 356 }, {}],
    [{ numReplicas: 1, existingServiceId: ORGANIZATION.organizationId }, SCALE],
    [{ numReplicas: 1 }, { organizationTier: "BASIC" }],
    [{ numReplicas: 1 }, {}],
    [{ numReplicas: 1, dataWarehouseId: "w" }, SCALE],
    [{ isReadonly: true, dataWarehouseId: "w" }, {}],
    [{ isReadonly: false }, {}],
    [{ profile: "v1-default" }, ENTERPRISE],
    [{ hasTransparentDataEncryption: false }, { organizationTier: "BASIC" }],
    [{ byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 232 }, {}],
  ])("the rules allow %j with the settings %j", (inputs, context) => {
    expect(reasons(inputs, context)).toEqual([]);
  });

  test.each([
    "releaseChannel",
    "minTotalMemoryGb",
    "maxTotalMemoryGb",
    "minReplicaMemoryGb",
    "maxReplicaMemoryGb",
  ])("%s is refused outside of production services", (name) => {
    const value = name === "releaseChannel" ? "fast" : 24;
    expect(reasons({ [name]: value, tier: "development" })).toEqual([
      `${name} is not available for tier "development"; remove ${name} or the tier. [CDB1010]`,
    ]);
    expect(reasons({ [name]: value, tier: "production" })).toEqual([]);
  });
});

test("each argument is sent and changed as specified", () => {
  const effects = new Map<string, string[]>();
  for (const [name, { sentWith, inPath, onChange }] of Object.entries<Field>(serviceFields)) {
    const effect = [...sentWith, ...(inPath ? ["path"] : []), onChange].join(" ");
    effects.set(effect, [...(effects.get(effect) ?? []), name]);
  }
  expect(Object.fromEntries(effects)).toEqual({
    "path replace": ["organizationId", "existingServiceId"],
    "createService updateService update": ["name", "ipAccessList", "releaseChannel", "endpoints"],
    "createService scaleService update": [
      ...[
        "minReplicaMemoryGb",
        "maxReplicaMemoryGb",
        "numReplicas",
        "idleScaling",
        "idleTimeoutMinutes",
      ],
    ],
    "updateService update": ["privateEndpointIds", "transparentDataEncryptionKeyId"],
    "createService replace": [
      ...[
        "provider",
        "region",
        "tier",
        "minTotalMemoryGb",
        "maxTotalMemoryGb",
        "isReadonly",
        "dataWarehouseId",
      ],
      ...[
        "backupId",
        "encryptionKey",
        "encryptionAssumedRoleIdentifier",
        "byocId",
        "hasTransparentDataEncryption",
      ],
      ...["profile", "complianceType"],
    ],
    "createService ignore": ["privatePreviewTermsChecked"],
    ignore: ["passwordPublicKey"],
    update: ["waitForEndpoint"],
  });
});

describe("entries of the access list", () => {
  const stored = (source: string) => ({ __declared: ["ipAccessList"], ipAccessList: [{ source }] });
  const isSame = (one: string, other: string) =>
    diff(service, stored(one), { ipAccessList: [{ source: other, description: "" }] }).changed
      .length === 0;

  test.each([
    ["203.0.113.7", "203.0.113.7/32"],
    ["203.0.113.9/24", "203.0.113.0/24"],
    ["2001:DB8:0::1", "2001:db8::1/128"],
  ])("the entry %s equals %s", (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  test("entries of the access list differ by network and description", () => {
    expect(isSame("203.0.113.0/24", "203.0.113.0/25")).toBe(false);
    expect(
      diff(service, stored("1.1.1.1"), { ipAccessList: [{ source: "1.1.1.1", description: "x" }] })
        .changed,
    ).toHaveLength(1);
  });

  test("unknown entries of the access list differ from each other, and do not fail", () => {
    expect(reasons({ ipAccessList: [{ source: UNKNOWN }, { source: "bad" }] })).toHaveLength(1);
    const unknown = {
      ...ORGANIZATION,
      ipAccessList: [{ source: UNKNOWN }, { source: UNKNOWN }, { source: "1.1.1.1" }],
    };
    expect(check(service, undefined, unknown, {})).toMatchObject({
      problems: [],
      inputs: { ipAccessList: { length: 3 } },
    });
    expect(diff(service, stored("1.1.1.1"), { ipAccessList: UNKNOWN }).changed).toHaveLength(1);
  });
});
