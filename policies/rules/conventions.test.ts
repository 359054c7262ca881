import { adopted, describePolicy, judge, type Program, service, UNKNOWN } from "../../tests/support/policy";
import {
  encryptionRequired,
  namesFollowConvention,
  noDeprecatedArguments,
  pipeSettingsWithinBounds,
  regionsAllowed,
} from "./conventions";

describe("encryption-required", () => {
  describePolicy(encryptionRequired, [
    ["accepts a key", service({ encryptionKey: "k" }), []],
    ["accepts a key that is not known yet", service({ encryptionKey: UNKNOWN }), []],
    [
      "is not with false",
      service({ hasTransparentDataEncryption: false }),
      ["neither encryptionKey nor hasTransparentDataEncryption is set"],
    ],
    ["is about some stacks alone", service({}, { settings: { stacks: "prod*" } }), []],
    ["is about some regimes alone", service({ complianceType: "pci" }, { settings: { compliance: ["hipaa"] } }), []],
    [
      "reports that complianceType is not known yet",
      service({ complianceType: UNKNOWN }, { settings: { compliance: ["hipaa"] } }),
      [],
      ["complianceType is not known yet"],
    ],
    [
      "does not check an unknown value",
      service({ hasTransparentDataEncryption: UNKNOWN }),
      [],
      ["hasTransparentDataEncryption is not known yet"],
    ],
    [
      "reports unknown values of an adopted service",
      service({ existingServiceId: "a" }),
      [],
      ["hasTransparentDataEncryption is not declared and not known yet"],
    ],
    ["accepts an adopted service that is encrypted", adopted({}, { hasTransparentDataEncryption: true }), []],
    [
      "or has a key that no response contains",
      adopted({ encryptionKey: "k" }, { hasTransparentDataEncryption: false }),
      [],
    ],
    [
      "but not with one that is not",
      adopted({}, { hasTransparentDataEncryption: false }),
      [
        "hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one",
      ],
    ],
    [
      "nor with one that declares it",
      adopted({ hasTransparentDataEncryption: false }, {}),
      [
        "hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one",
      ],
    ],
    [
      "reports that the API does not return the complianceType of an adopted service",
      service({ existingServiceId: "a" }, { settings: { compliance: ["hipaa"] } }),
      [],
      ["complianceType is not declared, and the API does not return it"],
    ],
  ]);

  test("no message contains a key", async () => {
    const results = [
      service({ encryptionKey: "canary" }),
      service({ encryptionKey: "canary", hasTransparentDataEncryption: UNKNOWN }),
    ];
    const judged = await Promise.all(results.map((program) => judge(encryptionRequired, program)));
    expect(JSON.stringify(judged)).not.toContain("canary");
  });
});

describe("regions-allowed", () => {
  const settings = { allowed: ["aws/eu-*", "gcp/europe-west4"] };

  describePolicy(regionsAllowed, [
    [
      "checks provider and region together",
      service({ provider: "gcp", region: "eu-central-1" }, { settings }),
      ["is in gcp/eu-central-1; choose one of aws/eu-*, gcp/europe-west4, the setting allowed"],
    ],
    ["wants both declared", service({ provider: "aws" }, { settings }), ["does not declare both"]],
    [
      "supports other regions by stack",
      service(
        { provider: "aws", region: "us-east-1" },
        { settings: { ...settings, byStack: { dev: { allowed: ["aws/us-*"] } } } },
      ),
      [],
    ],
    [
      "does not check if one is unknown",
      service({ provider: "aws", region: UNKNOWN }, { settings }),
      [],
      ["region is not known yet"],
    ],
    [
      "requires both of an adopted service, since the API does not return them",
      service({ existingServiceId: "a" }, { settings }),
      ["does not declare both provider and region, which the API does not return; choose one of"],
    ],
    [
      "checks the declared arguments of an adopted service",
      service({ existingServiceId: "a", provider: "aws", region: "us-east-1" }, { settings }),
      ["is in aws/us-east-1"],
    ],
    [
      "decides by the known half",
      service({ provider: "azure", region: UNKNOWN }, { settings }),
      ["is in azure/?"],
      ["region is not known yet"],
    ],
    [
      "allows every region for stacks without a list",
      service(
        { provider: "aws", region: "us-east-1" },
        { settings: { byStack: { "prod*": { allowed: ["aws/eu-*"] } } } },
      ),
      [],
    ],
  ]);
});

describe("no-deprecated-arguments", () => {
  describePolicy(noDeprecatedArguments, [
    [
      "names the replacement",
      service({ maxTotalMemoryGb: 48 }),
      ["maxTotalMemoryGb is deprecated. Use maxReplicaMemoryGb."],
    ],
    ["needs no value for that", service({ tier: UNKNOWN }), ["tier is deprecated."]],
  ]);
});

describe("names-follow-convention", () => {
  describePolicy(namesFollowConvention, [
    [
      "matches the whole name",
      service({ name: "a sales team" }, { settings: { pattern: "sales|data" } }),
      ["does not match"],
    ],
    [
      "supports a convention by stack",
      service({ name: "x" }, { settings: { byStack: { dev: { pattern: "dev .+" } } } }),
      ["the setting pattern for stacks dev"],
    ],
    [
      "does not check an unknown name",
      service({ name: UNKNOWN }, { settings: { pattern: "x" } }),
      [],
      ["name is not known yet"],
    ],
    [
      "checks a pipe",
      { settings: { pattern: "x" }, resources: [{ type: "Pipe", name: "orders", args: { name: "y" } }] },
      ['Pipe "orders": the name "y"'],
    ],
    [
      "checks the name of an adopted service",
      service({ existingServiceId: "a" }, { settings: { pattern: "x" }, outputs: { name: "y" } }),
      ['the name "y" does not match x'],
    ],
  ]);
});

describe("pipe-settings-within-bounds", () => {
  const pipe = (settings: unknown): Program => ({
    settings: { engineMaxThreads: { min: 2, max: 16 } },
    resources: [{ type: "Pipe", name: "orders", args: { settings } }],
  });

  describePolicy(pipeSettingsWithinBounds, [
    [
      "has a minimum and a maximum",
      pipe({ engineMaxThreads: 32 }),
      ["settings.engineMaxThreads 32 is more than 16, the setting engineMaxThreads.max"],
    ],
    ["says the other one", pipe({ engineMaxThreads: 1 }), ["less than 2, the setting engineMaxThreads.min"]],
    [
      "reports undeclared values as unknown",
      pipe({ objectStorageConcurrency: 99 }),
      [],
      ["settings.engineMaxThreads is not declared and not known yet"],
    ],
    [
      "checks it by the API's response",
      {
        settings: { engineMaxThreads: { max: 16 } },
        resources: [{ type: "Pipe", name: "orders", args: {}, outputs: { currentSettings: { engineMaxThreads: 32 } } }],
      },
      ["settings.engineMaxThreads 32 is more than 16, the setting engineMaxThreads.max"],
    ],
    ["reports unknown values", pipe({ engineMaxThreads: UNKNOWN }), [], ["settings.engineMaxThreads is not known yet"]],
    ["says that nothing of it is known", pipe(UNKNOWN), [], ["settings.engineMaxThreads is not known yet"]],
  ]);
});
