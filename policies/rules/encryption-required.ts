import { resources } from "pulumi-clouddb/definitions";
import { UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { matchesStack } from "../policy/patterns";
import { createPolicy } from "../policy/policy";
import type { PolicyContext } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import { stackPatterns } from "../policy/production-stacks";

const complianceType = resources.Service?.definition.fields.complianceType;
const complianceSchema = complianceType && "schema" in complianceType ? complianceType.schema : z.never();

const schema = z.strictObject({
  stacks: stackPatterns.default(["*"]).describe("The stacks to check; default all."),
  compliance: z
    .array(complianceSchema)
    .min(1, "list at least one value")
    .optional()
    .describe("Only check services with one of these complianceType values; default all services."),
});

function isInScope(
  resource: PolicyResource,
  { stacks, compliance }: z.output<typeof schema>,
  context: PolicyContext,
): boolean {
  if (!matchesStack(stacks, resource.stack)) return false;
  const { complianceType } = resource.inputs;
  if (compliance === undefined || compliance.includes(complianceType as string)) return true;
  context.read(resource, "complianceType");
  if (complianceType === undefined && !resource.isCreated && resource.evaluates === "arguments") {
    context.reportUnchecked(resource, "complianceType is not declared, and the API does not return it");
  }
  return false;
}

export const encryptionRequired = createPolicy({
  name: "encryption-required",
  level: "disabled",
  description: "Services are encrypted with your own key or with transparent data encryption.",
  reason:
    "Some data must be encrypted with a key that its owner can revoke. Both kinds of encryption can be set only when a service is created.",
  settings: schema,
  resourceTypes: ["Service"],
  evaluate(resource, settings, context) {
    // Neither argument can be added later, so a created service is refused before it exists: outputs would be too late.
    if (resource.isCreated && resource.evaluates === "outputs") return;
    if (!isInScope(resource, settings.values, context)) return;
    // Checks only that there is a key: it is a secret and is not read.
    if (resource.inputs.encryptionKey !== undefined) return;
    const name = "hasTransparentDataEncryption";
    const isEnabled = context.readKnown(resource, name);
    if (isEnabled === true || resource.value(name) === UNKNOWN) return;
    // The outputs of an adopted service may still show it.
    if (isEnabled === undefined && !resource.isCreated) return;
    context.reportViolation(
      resource,
      resource.isCreated
        ? "neither encryptionKey nor hasTransparentDataEncryption is set, and neither can be added later; declare one of them."
        : "hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one (the API does not return it), or stop managing the service here.",
    );
  },
  evaluatesOutputs: true,
  good: {
    resources: [{ type: "Service", name: "analytics", args: { hasTransparentDataEncryption: true } }],
  },
  bad: { resources: [{ type: "Service", name: "analytics", args: { complianceType: "hipaa" } }] },
});
