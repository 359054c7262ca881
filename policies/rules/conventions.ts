import { fieldPathsOf, resources, valueAt } from "pulumi-clouddb/definitions";
import { type ResourceName, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { checkBounds } from "../core/bounds";
import { createPolicy, type PolicyContext } from "../core/policy";
import { type PolicyResource, shown } from "../core/resource";
import { matches, matchesStack, stackPatterns, variantsOf, withStacks } from "../core/settings";
import { pipe, service } from "../testing/program";

const { complianceType } = resources.Service.definition.fields;

const encryptionSettings = z.strictObject({
  stacks: stackPatterns.default(["*"]).describe("The stacks to check; default all."),
  compliance: z
    .array(complianceType && "schema" in complianceType ? complianceType.schema : z.never())
    .min(1, "list at least one value")
    .optional()
    .describe("Only check services with one of these complianceType values; default all services."),
});

function needsEncryption(
  resource: PolicyResource,
  { stacks, compliance }: z.output<typeof encryptionSettings>,
  context: PolicyContext,
): boolean {
  if (!matchesStack(stacks, resource.stack)) return false;
  const { complianceType } = resource.inputs;
  if (compliance === undefined || compliance.includes(complianceType as string)) return true;
  context.read(resource, "complianceType");
  if (complianceType === undefined && !resource.isCreated && resource.evaluates === "arguments")
    context.reportUnchecked(
      resource,
      "complianceType is not declared, and the API does not return it",
    );
  return false;
}

export const encryptionRequired = createPolicy({
  name: "encryption-required",
  level: "disabled",
  severity: "high",
  description: "Services are encrypted with your own key or with transparent data encryption.",
  reason:
    "Some data must be encrypted with a key that its owner can revoke. Both kinds of encryption can be set only when a service is created.",
  settings: encryptionSettings,
  resourceTypes: ["Service"],
  evaluate(resource, { values }, context) {
    // Neither argument can be added later, so a new service is judged before its creation, without
    // outputs.
    if (resource.isCreated && resource.evaluates === "outputs") return;
    if (!needsEncryption(resource, values, context)) return;
    // Checks only that a key is declared, without reading the secret.
    if (resource.declaresSecret("encryptionKey")) return;
    const name = "hasTransparentDataEncryption";
    const isEnabled = context.readKnown(resource, name);
    if (isEnabled === true || resource.value(name) === UNKNOWN) return;
    // An adopted service's outputs may show encryption.
    if (isEnabled === undefined && !resource.isCreated) return;
    context.reportViolation(
      resource,
      resource.isCreated
        ? "neither encryptionKey nor hasTransparentDataEncryption is set, and neither can be added later; declare encryptionKeyFromEnvironment or one of them."
        : "hasTransparentDataEncryption is off and cannot be turned on later; declare encryptionKey if the service has one (the API does not return it), or stop managing the service here.",
    );
  },
  evaluatesOutputs: true,
  good: { resources: [service({ hasTransparentDataEncryption: true })] },
  bad: { resources: [service({ complianceType: "hipaa" })] },
});

const LOCATION = "use a provider and a region such as aws/eu-central-1; * matches any characters";

export const regionsAllowed = createPolicy({
  name: "regions-allowed",
  level: "disabled",
  severity: "high",
  description: "Services are created only in allowed regions.",
  reason:
    "The location of data determines which law applies to it, and a service cannot be moved later.",
  settings: withStacks({
    allowed: z
      .array(
        z.string(LOCATION).regex(/^[^/]+\/[^/]+$/, LOCATION),
        "use a list of providers and regions",
      )
      .default([])
      .describe("The allowed providers and regions, such as aws/eu-* or gcp/europe-west4."),
  }),
  settingsProblem: (values) =>
    variantsOf(values).some(({ allowed }) => allowed.length > 0)
      ? undefined
      : "allowed is empty; list the allowed providers and regions",
  resourceTypes: ["Service"],
  evaluate(resource, { values, origin }, context) {
    // Without a list, all regions are allowed.
    if (values.allowed.length === 0) return;
    const [provider, region] = ["provider", "region"].map(
      (name) => context.read(resource, name) as string | undefined,
    );
    const isUnknown = ["provider", "region"].some((name) => resource.inputs[name] === UNKNOWN);
    const isUndeclared = !isUnknown && (provider === undefined || region === undefined);
    // If one half is unknown, the known half may decide.
    const isAllowed = values.allowed.some((location) => {
      const [providers = "", regions = ""] = location.split("/");
      return matches(providers, provider ?? providers) && matches(regions, region ?? regions);
    });
    if (isAllowed && !isUndeclared) return;
    const problem = isUndeclared
      ? `it does not declare both provider and region${resource.isCreated ? "" : ", which the API does not return"}`
      : `it is in ${shown(resource, "provider", provider ?? "?")}/${shown(resource, "region", region ?? "?")}`;
    context.reportViolation(
      resource,
      `${problem}; choose one of ${values.allowed.join(", ")}, ${origin("allowed")}.`,
    );
  },
  good: {
    settings: { allowed: ["aws/eu-*"] },
    resources: [service({ provider: "aws", region: "eu-central-1" })],
  },
  bad: {
    settings: { allowed: ["aws/eu-*"] },
    resources: [service({ provider: "aws", region: "us-east-1" })],
  },
});

export const noDeprecatedArguments = createPolicy({
  name: "no-deprecated-arguments",
  level: "advisory",
  severity: "low",
  description: "Programs do not use deprecated arguments.",
  reason:
    "A later release of the API may remove a deprecated argument. Replacing it early avoids an urgent change.",
  settings: z.strictObject({}),
  resourceTypes: Object.keys(resources) as ResourceName[],
  evaluate(resource, _settings, context) {
    for (const { name, path, field } of fieldPathsOf(resources[resource.type].definition.fields)) {
      // A declared argument counts even if its value is unknown.
      if (field.deprecated === undefined || valueAt(resource.inputs, path) === undefined) continue;
      context.reportViolation(resource, `${name} is deprecated. ${field.deprecated}`);
    }
  },
  good: { resources: [service({ minReplicaMemoryGb: 8 })] },
  bad: { resources: [service({ minTotalMemoryGb: 24 })] },
});

export const namesFollowConvention = createPolicy({
  name: "names-follow-convention",
  level: "disabled",
  severity: "low",
  description: "The names of services and pipes follow a convention.",
  reason: "A name with team and purpose is easy to find in bills, alerts and dashboards.",
  settings: withStacks({
    pattern: z
      .string("use a regular expression")
      .min(1, "use a regular expression")
      .refine(isRegularExpression, "use a valid regular expression")
      .optional()
      .describe("A regular expression that the whole name must match."),
  }),
  settingsProblem: (values) =>
    variantsOf(values).some(({ pattern }) => pattern !== undefined)
      ? undefined
      : "pattern is missing; set the regular expression that names must match",
  resourceTypes: ["Service", "Pipe"],
  evaluate(resource, { values: { pattern }, origin }, context) {
    if (pattern === undefined) return;
    const name = context.readKnown(resource, "name");
    if (typeof name !== "string" || new RegExp(`^(?:${pattern})$`).test(name)) return;
    const shownName = shown(resource, "name", JSON.stringify(name));
    const problem = `the name ${shownName} does not match ${pattern}, ${origin("pattern")}`;
    context.reportViolation(resource, `${problem}; rename it.`);
  },
  evaluatesOutputs: true,
  good: {
    settings: { pattern: "(sales|data) .+" },
    resources: [service({ name: "data analytics" })],
  },
  bad: { settings: { pattern: "(sales|data) .+" }, resources: [service({ name: "test2" })] },
});

function isRegularExpression(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

const PIPE = {
  serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
  pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001",
};
const NUMBER = "must be a number";
const bounds = z
  .strictObject(
    { min: z.number(NUMBER).optional(), max: z.number(NUMBER).optional() },
    "use an object of min and max",
  )
  .refine(
    ({ min, max }) => min === undefined || max === undefined || min <= max,
    "min is more than max",
  );

/** The numeric settings of pipes. */
const pipeSettings = fieldPathsOf(resources.Pipe.definition.fields)
  .filter(({ path, field }) => path[0] === "settings" && field.schema.safeParse(1).success)
  .map(({ path }) => path[1] ?? "");

export const pipeSettingsWithinBounds = createPolicy({
  name: "pipe-settings-within-bounds",
  level: "mandatory",
  severity: "medium",
  description: "The settings of pipes are within the configured bounds.",
  reason:
    "The API accepts any number, but only some values suit the warehouse that a pipe writes to.",
  settings: z.strictObject(
    Object.fromEntries(
      pipeSettings.map((name) => [
        name,
        bounds.optional().describe("The `min` and `max` of this setting."),
      ]),
    ),
  ),
  resourceTypes: ["Pipe"],
  evaluate(resource, { values }, context) {
    for (const [name, bound] of Object.entries(values)) {
      if (bound === undefined) continue;
      const limit = (key: "min" | "max") => ({
        limit: bound[key],
        origin: `the setting ${name}.${key}`,
      });
      const path = `settings.${name}`;
      const value = context.readKnown(resource, path);
      checkBounds(context, resource, {
        paths: [path],
        value,
        min: limit("min"),
        max: limit("max"),
      });
    }
  },
  evaluatesOutputs: true,
  good: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [pipe({ ...PIPE, settings: { streamingMaxInsertWaitMs: 5000 } })],
  },
  bad: {
    settings: { streamingMaxInsertWaitMs: { min: 1000 } },
    resources: [pipe({ ...PIPE, settings: { streamingMaxInsertWaitMs: 100 } })],
  },
});
