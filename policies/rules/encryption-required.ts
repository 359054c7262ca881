import { resources, UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import { matches, stackPatterns } from "../policy/settings";

const complianceType = resources.Service?.definition.fields.complianceType;
const regime = complianceType && "schema" in complianceType ? complianceType.schema : z.never();

export const encryptionRequired = createPolicy({
  name: "encryption-required",
  level: "disabled",
  description: "Services are encrypted with a key of your own, or with transparent data encryption.",
  reason:
    "Some data may lie on a disk only under a key that its owner can withdraw. Both can be set at creation alone.",
  settings: z.strictObject({
    stacks: stackPatterns.default(["*"]).describe("The stacks that this is about; all by default."),
    compliance: z
      .array(regime)
      .min(1, "name one at least")
      .optional()
      .describe("Only services of these complianceTypes; all services where absent."),
  }),
  kinds: ["Service"],
  judge(subject, { values }, findings) {
    // A service that is taken over is as it was created.
    if (!matches(values.stacks, subject.stack) || subject.inputs.existingServiceId !== undefined) return;
    if (values.compliance && !values.compliance.includes(findings.read(subject, "complianceType"))) return;
    const isOn = findings.read(subject, "hasTransparentDataEncryption") === true;
    const isKnown = subject.inputs.hasTransparentDataEncryption !== UNKNOWN;
    // Whether there is a key is enough to know; the key itself is a secret and is not looked at.
    if (isOn || !isKnown || subject.inputs.encryptionKey !== undefined) return;
    findings.violation(
      subject,
      "it has neither encryptionKey nor hasTransparentDataEncryption, and neither can be added later; declare one of them.",
    );
  },
  good: {
    resources: [{ kind: "Service", name: "analytics", args: { hasTransparentDataEncryption: true } }],
  },
  bad: { resources: [{ kind: "Service", name: "analytics", args: { complianceType: "hipaa" } }] },
});
