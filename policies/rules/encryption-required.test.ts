import { describePolicy, judge, type Program, service, UNKNOWN } from "../../tests/support/policy";
import { encryptionRequired } from ".";

const adopted = (args: object, outputs: Record<string, unknown>): Program => ({
  resources: [{ type: "Service", name: "analytics", args: { existingServiceId: "a", ...args }, outputs }],
});

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
    ["hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one"],
  ],
  [
    "nor with one that declares it",
    adopted({ hasTransparentDataEncryption: false }, {}),
    ["hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one"],
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
