import {
  type Args,
  adopted,
  describePolicy,
  type Program,
  resources,
  service,
  UNKNOWN,
} from "../../tests/support/policy";
import {
  encryptionRequired,
  namesFollowConvention,
  noDeprecatedArguments,
  pipeSettingsWithinBounds,
  regionsAllowed,
} from "./conventions";

describe("encryption-required", () => {
  const settings = { compliance: ["hipaa"] };
  const OFF =
    "hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one";

  describePolicy(encryptionRequired, [
    ["accepts a key", service({ encryptionKey: "k" }), []],
    ["accepts a variable that holds the key", service({ encryptionKeyFromEnvironment: "KEY" }), []],
    [
      "accepts an adopted service with a variable that holds its key",
      adopted({ encryptionKeyFromEnvironment: "KEY" }, { hasTransparentDataEncryption: false }),
      [],
    ],
    ["accepts a key that is not known yet", service({ encryptionKey: UNKNOWN }), []],
    [
      "refuses false",
      service({ hasTransparentDataEncryption: false }),
      ["neither encryptionKey nor hasTransparent"],
    ],
    ["is about some stacks alone", service({}, { settings: { stacks: "prod*" } }), []],
    ["is about some regimes alone", service({ complianceType: "pci" }, { settings }), []],
    [
      "reports an unknown regime",
      service({ complianceType: UNKNOWN }, { settings }),
      [],
      ["complianceType is not known"],
    ],
    [
      "reports an unknown value",
      service({ hasTransparentDataEncryption: UNKNOWN }),
      [],
      ["Encryption is not known yet"],
    ],
    [
      "accepts an adopted service that is encrypted",
      adopted({}, { hasTransparentDataEncryption: true }),
      [],
    ],
    [
      "accepts an adopted service with a key that no response contains",
      adopted({ encryptionKey: "k" }, { hasTransparentDataEncryption: false }),
      [],
    ],
    [
      "refuses an adopted service without encryption",
      adopted({}, { hasTransparentDataEncryption: false }),
      [OFF],
    ],
    [
      "refuses an adopted service that declares it",
      adopted({ hasTransparentDataEncryption: false }, {}),
      [OFF],
    ],
    [
      "reports the regime of an adopted service, which the API does not return",
      { ...adopted({}), settings },
      [],
      ["complianceType is not declared, and the API does not return it"],
    ],
  ]);
});

describe("regions-allowed", () => {
  const settings = { allowed: ["aws/eu-*", "gcp/europe-west4"] };
  const american = { provider: "aws", region: "us-east-1" };

  describePolicy(regionsAllowed, [
    [
      "checks provider and region together",
      service({ provider: "gcp", region: "eu-central-1" }, { settings }),
      ["is in gcp/eu-central-1; choose one of aws/eu-*, gcp/europe-west4, the setting allowed"],
    ],
    ["wants both declared", service({ provider: "aws" }, { settings }), ["does not declare both"]],
    [
      "supports other regions by stack",
      service(american, { settings: { ...settings, byStack: { dev: { allowed: ["aws/us-*"] } } } }),
      [],
    ],
    [
      "requires both of an adopted service, since the API does not return them",
      { ...adopted({}), settings },
      ["does not declare both provider and region, which the API does not return; choose one of"],
    ],
    [
      "accepts a known half that may be allowed",
      service({ provider: "aws", region: UNKNOWN }, { settings }),
      [],
      ["region is not known yet"],
    ],
    [
      "refuses a known half that decides",
      service({ provider: "azure", region: UNKNOWN }, { settings }),
      ["is in azure/?"],
      ["region is not known yet"],
    ],
    [
      "allows every region for stacks without a list",
      service(american, { settings: { byStack: { "prod*": { allowed: ["aws/eu-*"] } } } }),
      [],
    ],
  ]);
});

describe("no-deprecated-arguments", () => {
  describePolicy(noDeprecatedArguments, [
    [
      "names the replacement",
      service({ maxTotalMemoryGb: 48 }),
      ["maxTotalMemoryGb is deprecated. Use maxReplica"],
    ],
    ["needs no value for that", service({ tier: UNKNOWN }), ["tier is deprecated."]],
  ]);
});

describe("names-follow-convention", () => {
  const settings = { pattern: "sales|data" };

  describePolicy(namesFollowConvention, [
    [
      "matches the whole name",
      service({ name: "a sales team" }, { settings }),
      ["does not match sales|data"],
    ],
    [
      "checks a pipe",
      { settings, resources: [resources.pipe({ name: "y" })] },
      ['Pipe "orders": the name "y"'],
    ],
    [
      "checks the name of an adopted service",
      { ...adopted({}, { name: "y" }), settings },
      ['the name "y" does not match'],
    ],
  ]);
});

describe("pipe-settings-within-bounds", () => {
  const pipe = (settings: unknown, more: Args = {}): Program => ({
    settings: { engineMaxThreads: { min: 2, max: 16 } },
    resources: [{ ...resources.pipe({ settings }), ...more }],
  });

  const TOO_MANY = "settings.engineMaxThreads 32 is more than 16, the setting engineMaxThreads.max";

  describePolicy(pipeSettingsWithinBounds, [
    ["has a maximum", pipe({ engineMaxThreads: 32 }), [TOO_MANY]],
    [
      "has a minimum",
      pipe({ engineMaxThreads: 1 }),
      ["less than 2, the setting engineMaxThreads.min"],
    ],
    [
      "reports undeclared values as unknown",
      pipe({ objectStorageConcurrency: 99 }),
      [],
      ["engineMaxThreads is not declared"],
    ],
    [
      "checks the response",
      pipe(undefined, { outputs: { currentSettings: { engineMaxThreads: 32 } } }),
      [TOO_MANY],
    ],
    ["reports unknown settings", pipe(UNKNOWN), [], ["settings.engineMaxThreads is not known yet"]],
  ]);
});
