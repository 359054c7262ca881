import { render } from "../../errors";
import { check, diff, type RuleContext, UNKNOWN } from "../../fields";
import { entryText } from "../../names";
import { serviceFields } from "./fields";
import { service } from "./service";

const ORGANIZATION = { organizationId: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01" };
const reasons = (inputs: object, context: RuleContext = {}) =>
  check(service, {}, { ...ORGANIZATION, ...inputs }, context).problems.map(({ reason }) => render(reason));

test("the stored handler is the same, byte for byte, as in every published release", () => {
  expect(entryText("Service")).toBe('exports.handler=()=>require("pulumi-clouddb/runtime").service');
  expect(Buffer.byteLength(entryText("Service"))).toBeLessThan(100);
});

describe("limits of the specification", () => {
  test.each<[string, unknown, boolean]>([
    ["name", "Analytics 2", true],
    ["name", "a".repeat(50), true],
    ["name", "a".repeat(51), false],
    ["name", "analytics-2", false],
    ["name", "", false],
    ["minTotalMemoryGb", 24, true],
    ["minTotalMemoryGb", 12, false],
    ["minTotalMemoryGb", 25, false],
    ["maxTotalMemoryGb", 1068, true],
    ["maxTotalMemoryGb", 1080, false],
    ["minReplicaMemoryGb", 8, true],
    ["minReplicaMemoryGb", 4, false],
    ["minReplicaMemoryGb", 10, false],
    ["maxReplicaMemoryGb", 356, true],
    ["maxReplicaMemoryGb", 360, false],
    ["numReplicas", 1, true],
    ["numReplicas", 20, true],
    ["numReplicas", 0, false],
    ["numReplicas", -1, false],
    ["numReplicas", 21, false],
    ["numReplicas", 2.5, false],
    ["numReplicas", "3", false],
    ["idleScaling", false, true],
    ["idleScaling", "false", false],
    ["idleTimeoutMinutes", 5, true],
    ["idleTimeoutMinutes", 4, false],
    ["provider", "aws", true],
    ["provider", "ibm", false],
    ["region", "germanywestcentral", true],
    ["region", "us-east-3", false],
    ["releaseChannel", "fast", true],
    ["releaseChannel", "faster", false],
    ["complianceType", "pci", true],
    ["complianceType", "sox", false],
    ["profile", "v1-highcpu-xl", true],
    ["profile", "v1-highcpu-xs", false],
    ["tier", "dedicated_standard_n2d_standard_64_24SSD", true],
    ["tier", "huge", false],
    ["backupId", "3f0c1d9e-6a52-4b7e-9d01-2c8a51e7b640", true],
    ["backupId", "yesterday", false],
    ["existingServiceId", "../x", false],
    ["endpoints", [{ protocol: "mysql", enabled: true }], true],
    ["endpoints", [{ protocol: "mysql" }], false],
    ["endpoints", [{ protocol: "mysql", enabled: true, port: 1 }], false],
    ["privateEndpointIds", ["vpce-1"], true],
    ["privateEndpointIds", "vpce-1", false],
  ])("%s %j", (name, value, isAllowed) => {
    expect(reasons({ [name]: value })).toHaveLength(isAllowed ? 0 : 1);
  });

  test.each<[string, boolean]>([
    ["203.0.113.7", true],
    ["203.0.113.0/24", true],
    ["2001:db8::/32", true],
    ["2001:db8::1", true],
    ["0.0.0.0/0", true],
    ["203.0.113.7/33", false],
    ["203.0.113", false],
    ["127.1", false],
    ["0x7f.0.0.1", false],
    ["10.1/8", false],
    ["office", false],
    ["", false],
  ])("access entry %j", (source, isAllowed) => {
    expect(reasons({ ipAccessList: [{ source }] })).toHaveLength(isAllowed ? 0 : 1);
  });

  test("are reported with property, value, limit and fix", () => {
    expect(reasons({ numReplicas: 25, region: "us-east-3" })).toEqual([
      expect.stringMatching(/^region is invalid: must be one of ap-northeast-1, /),
      "numReplicas 25 is invalid: must be an integer from 1 to 20. [CDB1003]",
    ]);
    expect(reasons({ ipAccessList: [{ source: "1.2.3.4" }, { source: "1.2.3" }] })).toEqual([
      "ipAccessList[1].source is invalid: must be an IPv4 or IPv6 address or a network such as 203.0.113.0/24. [CDB1003]",
    ]);
  });

  test("an organization is required", () => {
    expect(check(service, {}, {}, {}).problems).toEqual([
      {
        argument: "organizationId",
        reason: {
          code: "CDB1002",
          text: "organizationId is missing: declare it, or set clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).",
        },
      },
    ]);
  });
});

describe("rules over several arguments", () => {
  test.each<[string, object, RuleContext, string | undefined]>([
    [
      "memory in order",
      { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 8 },
      {},
      "minReplicaMemoryGb 16 is invalid: must not exceed maxReplicaMemoryGb 8; lower minReplicaMemoryGb or raise maxReplicaMemoryGb. [CDB1009]",
    ],
    ["memory the same", { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 8 }, {}, undefined],
    [
      "total memory in order",
      { minTotalMemoryGb: 48, maxTotalMemoryGb: 24 },
      {},
      "minTotalMemoryGb 48 is invalid: must not exceed maxTotalMemoryGb 24; lower minTotalMemoryGb or raise maxTotalMemoryGb. [CDB1009]",
    ],
    [
      "unpaid replicas",
      { maxReplicaMemoryGb: 124 },
      { paid: false },
      "maxReplicaMemoryGb 124 is invalid: must not exceed 120",
    ],
    ["unpaid replicas at the bound", { maxReplicaMemoryGb: 120 }, { paid: false }, undefined],
    ["paid replicas", { maxReplicaMemoryGb: 356 }, { paid: true }, undefined],
    ["replicas nobody knows to be paid", { maxReplicaMemoryGb: 356 }, {}, undefined],
    [
      "unpaid total",
      { maxTotalMemoryGb: 372 },
      { paid: false },
      "maxTotalMemoryGb 372 is invalid: must not exceed 360",
    ],
    ["one replica", { numReplicas: 1 }, { organizationTier: "SCALE" }, "numReplicas 1 is invalid: must be at least 2"],
    [
      "one replica, adopted",
      { numReplicas: 1, existingServiceId: ORGANIZATION.organizationId },
      { organizationTier: "SCALE" },
      undefined,
    ],
    [
      "one replica, ENTERPRISE",
      { numReplicas: 1 },
      { organizationTier: "ENTERPRISE" },
      "numReplicas 1 is invalid: must be at least 2",
    ],
    ["one replica, BASIC", { numReplicas: 1 }, { organizationTier: "BASIC" }, undefined],
    ["one replica, tier not known", { numReplicas: 1 }, {}, undefined],
    ["one replica more", { numReplicas: 1, dataWarehouseId: "w" }, { organizationTier: "SCALE" }, undefined],
    ["read-only without a warehouse", { isReadonly: true }, {}, "isReadonly requires dataWarehouseId"],
    ["read only in a warehouse", { isReadonly: true, dataWarehouseId: "w" }, {}, undefined],
    ["not read only", { isReadonly: false }, {}, undefined],
    [
      "profile",
      { profile: "v1-default" },
      { organizationTier: "SCALE" },
      "profile is available only in the ENTERPRISE tier",
    ],
    ["profile, ENTERPRISE", { profile: "v1-default" }, { organizationTier: "ENTERPRISE" }, undefined],
    [
      "TDE",
      { hasTransparentDataEncryption: true },
      { organizationTier: "BASIC" },
      "hasTransparentDataEncryption is available only in the ENTERPRISE tier",
    ],
    ["no TDE", { hasTransparentDataEncryption: false }, { organizationTier: "BASIC" }, undefined],
    [
      "development on azure",
      { tier: "development", provider: "azure" },
      {},
      'tier "development" is invalid: must not be used with provider "azure"',
    ],
    ["BYOC", { byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 232 }, {}, undefined],
    [
      "BYOC with another size",
      { byocId: "b", minReplicaMemoryGb: 48, maxReplicaMemoryGb: 64 },
      {},
      "maxReplicaMemoryGb 64 is invalid: must be one of",
    ],
    [
      "BYOC without a size",
      { byocId: "b", minReplicaMemoryGb: 48 },
      {},
      "maxReplicaMemoryGb is missing: must be one of",
    ],
  ])("%s", (_, inputs, context, problem) => {
    expect(reasons(inputs, context)).toEqual(problem === undefined ? [] : [expect.stringContaining(problem)]);
  });

  test.each(["releaseChannel", "minTotalMemoryGb", "maxTotalMemoryGb", "minReplicaMemoryGb", "maxReplicaMemoryGb"])(
    "%s is for production services",
    (name) => {
      const value = name === "releaseChannel" ? "fast" : 24;
      expect(reasons({ [name]: value, tier: "development" })).toEqual([
        `${name} is not available for tier "development"; remove ${name} or the tier. [CDB1010]`,
      ]);
      expect(reasons({ [name]: value, tier: "production" })).toEqual([]);
    },
  );
});

describe("the name", () => {
  const named = (olds: object, inputs: object, name = "my-db_01") =>
    service.applyDefaults?.({ ...olds }, { ...inputs }, name).inputs.name;

  test("is the resource's, in allowed characters, for a new service", () => {
    expect(named({}, {})).toBe("my db 01");
    expect(named({}, {}, `--${"x".repeat(60)}`)).toBe("x".repeat(50));
    expect(named({}, {}, "---")).toBeUndefined();
  });

  test("stays if the program no longer declares it or renames the resource", () => {
    expect(named({ name: "old" }, {})).toBe("old");
  });

  test("is left unchanged on an adopted service, also after existingServiceId was removed", () => {
    expect(named({}, { existingServiceId: "x" })).toBeUndefined();
    expect(named({ existingServiceId: "x" }, {})).toBeUndefined();
  });
});

test("each argument is sent as specified, and its changes have the effect that the API supports", () => {
  const [CREATE, UPDATE, SCALE] = ["createService", "updateService", "scaleService"];
  const expected: Record<string, [string[], string]> = {
    organizationId: [["path"], "replace"],
    existingServiceId: [["path"], "replace"],
    privateEndpointIds: [[UPDATE], "update"],
    transparentDataEncryptionKeyId: [[UPDATE], "update"],
    privatePreviewTermsChecked: [[CREATE], "ignore"],
    waitForEndpoint: [[], "update"],
  };
  for (const name of ["name", "ipAccessList", "releaseChannel", "endpoints"])
    expected[name] = [[CREATE, UPDATE], "update"];
  for (const name of ["minReplicaMemoryGb", "maxReplicaMemoryGb", "numReplicas", "idleScaling", "idleTimeoutMinutes"]) {
    expected[name] = [[CREATE, SCALE], "update"];
  }
  for (const name of [
    ...[
      "provider",
      "region",
      "tier",
      "minTotalMemoryGb",
      "maxTotalMemoryGb",
      "isReadonly",
      "dataWarehouseId",
      "backupId",
    ],
    ...[
      "encryptionKey",
      "encryptionAssumedRoleIdentifier",
      "byocId",
      "hasTransparentDataEncryption",
      "profile",
      "complianceType",
    ],
  ]) {
    expected[name] = [[CREATE], "replace"];
  }
  const actual = Object.entries(serviceFields).map(([name, { operations, onChange }]) => [
    name,
    [operations, onChange],
  ]);
  expect(Object.fromEntries(actual)).toEqual(expected);
});

describe("entries of the access list", () => {
  const stored = (source: string) => ({ __declared: ["ipAccessList"], ipAccessList: [{ source }] });
  const isSame = (one: string, other: string) =>
    diff(service, stored(one), { ipAccessList: [{ source: other, description: "" }] }).changed.length === 0;

  test.each([
    ["203.0.113.7", "203.0.113.7/32"],
    ["203.0.113.9/24", "203.0.113.0/24"],
    ["2001:DB8:0::1", "2001:db8::1/128"],
  ])("%s is %s", (one, other) => {
    expect(isSame(one, other)).toBe(true);
  });

  test("are distinguished by network and description", () => {
    expect(isSame("203.0.113.0/24", "203.0.113.0/25")).toBe(false);
    expect(
      diff(service, stored("1.1.1.1"), { ipAccessList: [{ source: "1.1.1.1", description: "x" }] }).changed,
    ).toHaveLength(1);
  });

  test("that are unknown differ, and do not fail", () => {
    expect(reasons({ ipAccessList: [{ source: UNKNOWN }, { source: "bad" }] })).toHaveLength(1);
    const unknown = {
      ...ORGANIZATION,
      ipAccessList: [{ source: UNKNOWN }, { source: UNKNOWN }, { source: "1.1.1.1" }],
    };
    expect(check(service, {}, unknown, {})).toMatchObject({ problems: [], inputs: { ipAccessList: { length: 3 } } });
    expect(diff(service, stored("1.1.1.1"), { ipAccessList: UNKNOWN }).changed).toHaveLength(1);
  });
});
