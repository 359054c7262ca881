import { describePolicy, run, service, UNKNOWN } from "../../tests/support/policy";
import { encryptionRequired } from "./encryption-required";

describePolicy(encryptionRequired, [
  ["is content with a key", service({ encryptionKey: "k" }), []],
  ["is content with a key that is not known yet", service({ encryptionKey: UNKNOWN }), []],
  ["is not with false", service({ hasTransparentDataEncryption: false }), ["neither encryptionKey nor"]],
  ["is about some stacks alone", service({}, { settings: { stacks: "prod*" } }), []],
  ["is about some regimes alone", service({ complianceType: "pci" }, { settings: { compliance: ["hipaa"] } }), []],
  [
    "says that a regime is not known yet",
    service({ complianceType: UNKNOWN }, { settings: { compliance: ["hipaa"] } }),
    [],
    ["complianceType is not known yet"],
  ],
  [
    "cannot tell where it is unknown",
    service({ hasTransparentDataEncryption: UNKNOWN }),
    [],
    ["hasTransparentDataEncryption is not known yet"],
  ],
  ["leaves a service that is taken over as it is", service({ existingServiceId: "a" }), []],
]);

test("it never says a key", () => {
  const results = [
    service({ encryptionKey: "canary" }),
    service({ encryptionKey: "canary", hasTransparentDataEncryption: UNKNOWN }),
  ];
  expect(JSON.stringify(results.map((program) => run(encryptionRequired, program)))).not.toContain("canary");
});
