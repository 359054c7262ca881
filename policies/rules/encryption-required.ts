import { resources, UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { matchesStack, type Settings, stackPatterns } from "../policy/settings";
import type { Subject } from "../policy/subject";

const complianceType = resources.Service?.definition.fields.complianceType;
const regime = complianceType && "schema" in complianceType ? complianceType.schema : z.never();

const schema = z.strictObject({
  stacks: stackPatterns.default(["*"]).describe("The stacks that this is about; all by default."),
  compliance: z
    .array(regime)
    .min(1, "name one at least")
    .optional()
    .describe("Only services of these complianceTypes; all services where absent."),
});

function judge(subject: Subject, settings: Settings<z.output<typeof schema>>, findings: Findings): void {
  // What the program creates is all in the program.
  if (subject.isCreated && subject.stage === "undeclared") return;
  if (!isMeant(subject, settings.values, findings)) return;
  // Whether there is a key is enough to know; the key itself is a secret and is not looked at.
  if (subject.inputs.encryptionKey !== undefined) return;
  const name = "hasTransparentDataEncryption";
  const isOn = findings.known(subject, name);
  if (isOn === true || subject.value(name) === UNKNOWN) return;
  // At the end there is more to see of what exists already.
  if (isOn === undefined && !subject.isCreated) return;
  findings.violation(
    subject,
    subject.isCreated
      ? "it has neither encryptionKey nor hasTransparentDataEncryption, and neither can be added later; declare one of them."
      : "it has no hasTransparentDataEncryption; declare its encryptionKey, which the API does not show, or take it out.",
  );
}

function isMeant(subject: Subject, { stacks, compliance }: z.output<typeof schema>, findings: Findings): boolean {
  if (!matchesStack(stacks, subject.stack)) return false;
  const { complianceType } = subject.inputs;
  if (compliance === undefined || compliance.includes(complianceType as string)) return true;
  findings.read(subject, "complianceType");
  if (complianceType === undefined && !subject.isCreated && subject.stage === "declared") {
    findings.unchecked(subject, "complianceType is not declared, and the API does not show it");
  }
  return false;
}

export const encryptionRequired = createPolicy({
  name: "encryption-required",
  level: "disabled",
  description: "Services are encrypted with a key of your own, or with transparent data encryption.",
  reason:
    "Some data may lie on a disk only under a key that its owner can withdraw. Both can be set at creation alone.",
  settings: schema,
  kinds: ["Service"],
  judge,
  judgeUndeclared: judge,
  good: {
    resources: [{ kind: "Service", name: "analytics", args: { hasTransparentDataEncryption: true } }],
  },
  bad: { resources: [{ kind: "Service", name: "analytics", args: { complianceType: "hipaa" } }] },
});
