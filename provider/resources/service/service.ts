import { z } from "zod";
import { findKeyProblem, PUBLIC_KEY } from "../../core/object/encrypted-password";
import { type Autonaming, defineResource } from "../../core/object/resource";
import { coded, type Message } from "../../errors";
import type { OutputField, Properties, Rule } from "../../fields";
import {
  inOrder,
  scalingFields,
  scalingRules,
  unpaidAtMost,
} from "../service-scaling/service-scaling";
import { NAME_LENGTH, noBareWildcard, serviceFields } from "./fields";
import { waitForEndpoints } from "./wait-for-endpoints";

const BYOC_REPLICA_MEMORY_GB = [48, 116, 172, 232];
const UNPAID_TOTAL_MEMORY_GB = 360;
const FIRST_SERVICE_REPLICAS = 2;

const sizedForByoc = (field: string): Rule => ({
  fields: [field, "byocId"],
  description: `With byocId, required and one of ${BYOC_REPLICA_MEMORY_GB.join(", ")}.`,
  atCreation: true,
  test: (values, _, named) =>
    values.byocId !== undefined &&
    !BYOC_REPLICA_MEMORY_GB.includes(values[field]) &&
    coded(
      "CDB1010",
      `${named(field)} is ${values[field] === undefined ? "missing" : "invalid"}:`,
      `must be one of ${BYOC_REPLICA_MEMORY_GB.join(", ")} with byocId.`,
    ),
});

const enoughReplicas: Rule = {
  fields: ["numReplicas", "dataWarehouseId"],
  description: `Must be at least ${FIRST_SERVICE_REPLICAS} for the first service of a warehouse in the SCALE and ENTERPRISE tiers.`,
  atCreation: true,
  test: ({ numReplicas, dataWarehouseId }, { organizationTier = "BASIC" }, named) =>
    organizationTier !== "BASIC" &&
    dataWarehouseId === undefined &&
    numReplicas < FIRST_SERVICE_REPLICAS &&
    coded(
      "CDB1010",
      `${named("numReplicas")} is invalid: must be at least ${FIRST_SERVICE_REPLICAS}`,
      `for the first service of a warehouse in the ${organizationTier} tier;`,
      "raise it, or declare the dataWarehouseId of the warehouse to join.",
    ),
};

const readonlyInWarehouse: Rule = {
  fields: ["isReadonly", "dataWarehouseId"],
  description: "Requires dataWarehouseId if true.",
  atCreation: true,
  test: ({ isReadonly, dataWarehouseId }) =>
    isReadonly === true &&
    dataWarehouseId === undefined &&
    coded(
      "CDB1010",
      "isReadonly requires dataWarehouseId, the warehouse to read from; declare both or neither.",
    ),
};

const enterpriseOnly = (field: string): Rule => ({
  fields: [field],
  description: "Only for organizations of the ENTERPRISE tier.",
  atCreation: true,
  test: ({ [field]: value = false }, { organizationTier = "ENTERPRISE" }) =>
    organizationTier !== "ENTERPRISE" &&
    value !== false &&
    coded(
      "CDB1010",
      `${field} is available only in the ENTERPRISE tier,`,
      `and clouddb:organizationTier is ${organizationTier}; remove it.`,
    ),
});

const productionOnly = (field: string): Rule => ({
  fields: [field, "tier"],
  description: "Only for production services.",
  test: (values, _, named) =>
    values[field] !== undefined &&
    values.tier === "development" &&
    coded(
      "CDB1010",
      `${field} is not available for ${named("tier")}; remove ${field} or the tier.`,
    ),
});

const noDevelopmentOnAzure: Rule = {
  fields: ["tier", "provider"],
  description: "The development tier is not available on Azure.",
  atCreation: true,
  test: ({ tier, provider }, _, named) =>
    tier === "development" &&
    provider === "azure" &&
    coded(
      "CDB1010",
      `${named("tier")} is invalid: must not be used with ${named("provider")};`,
      "remove tier or choose another provider.",
    ),
};

const PRODUCTION_FIELDS = [
  "releaseChannel",
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
  ...Object.keys(scalingFields()),
];

/**
 * Region names follow their cloud's conventions. The specification does not assign regions to
 * clouds.
 */
const EXAMPLES: Readonly<Record<string, string>> = {
  aws: "us-east-1",
  gcp: "us-east1",
  azure: "eastus",
};
const cloudOf = (region: string) => {
  if (!region.includes("-")) return "azure";
  return /-\d$/.test(region) ? "aws" : "gcp";
};

const regionOfProvider: Rule = {
  fields: ["region", "provider"],
  description: "Should be a region of `provider`.",
  atCreation: true,
  warns: true,
  test({ region, provider = "" }: { region?: string; provider?: string }, _, named) {
    const example = EXAMPLES[provider];
    if (region === undefined || example === undefined) return undefined;
    const cloud = cloudOf(region);
    const warning = coded(
      "CDB1016",
      `${named("region")} looks like a region of ${cloud};`,
      `regions of ${provider} look like ${example}.`,
    );
    return cloud !== provider && warning;
  },
};

const usableKey: Rule = {
  fields: [PUBLIC_KEY],
  description: "Must be an RSA public key of at least 2048 bits in PEM form.",
  test: ({ [PUBLIC_KEY]: key }) => findKeyProblem(key),
};

const serviceRules: readonly Rule[] = [
  ...scalingRules,
  inOrder("minTotalMemoryGb", "maxTotalMemoryGb"),
  unpaidAtMost("maxTotalMemoryGb", UNPAID_TOTAL_MEMORY_GB),
  sizedForByoc("minReplicaMemoryGb"),
  sizedForByoc("maxReplicaMemoryGb"),
  enoughReplicas,
  readonlyInWarehouse,
  enterpriseOnly("hasTransparentDataEncryption"),
  enterpriseOnly("profile"),
  ...PRODUCTION_FIELDS.map(productionOnly),
  noDevelopmentOnAzure,
  regionOfProvider,
  noBareWildcard,
  usableKey,
];

const serviceOutputs = {
  password: {
    schema: z.string(),
    description:
      "The password of the new service, from the only response that contains it. Not known for an adopted service, nor with passwordPublicKey.",
    secret: true,
    fromCreation: true,
  },
  encryptedPassword: {
    schema: z.string(),
    description:
      "The password of a service that was created with passwordPublicKey, in Base64: encrypted with RSA-OAEP and SHA-256.",
    apiName: "password",
    fromCreation: true,
  },
  passwordKeyFingerprint: {
    schema: z.string(),
    description:
      "The fingerprint of the key that opens encryptedPassword: SHA-256 of the public key in DER form, in hexadecimal digits.",
    apiName: "password",
    fromCreation: true,
  },
  serviceEndpoints: {
    schema: z.array(
      z.object({
        protocol: z.string(),
        host: z.string(),
        port: z.int(),
        username: z.string().optional(),
      }),
    ),
    description:
      "The protocol, host, port and username of each enabled endpoint, in the order of the API's response. Find one by its protocol, such as `mysql`.",
    apiName: "endpoints",
    changedBy: ["endpoints", "privateEndpointIds", "waitForEndpoint"],
  },
  engineVersion: { schema: z.string(), description: "The version of the database engine." },
  createdAt: {
    schema: z.string(),
    description: "When the service was created, in ISO 8601 format.",
    changedBy: [],
  },
  iamRole: {
    schema: z.string(),
    description: "The IAM role of the service, which it uses to access other cloud resources.",
    changedBy: [],
  },
  isPrimary: {
    schema: z.boolean(),
    description: "Whether the service is the primary service of its warehouse.",
    changedBy: [],
  },
  availablePrivateEndpointIds: {
    schema: z.array(z.string()),
    description: "The IDs of the organization's private endpoints that the service could use.",
  },
  encryptionRoleId: {
    schema: z.string(),
    description: "The role used for transparent data encryption.",
    inResponse: "ifSet",
  },
} as const satisfies Record<string, OutputField>;

export const service = defineResource({
  title: "service",
  description: [
    "A database service.",
    "The API cannot delete services: one that is removed from the program would keep running and costing money. A service is therefore protected (`protect: true`) unless the program sets `protect` or `retainOnDelete`, and a preview that would destroy, remove, rename or replace it fails. To stop managing a service, set `retainOnDelete: true`, run `pulumi up`, then remove it from the program.",
    "For arguments that the program does not declare, the API chooses the values, and they are left unchanged.",
  ],
  id: "existingServiceId",
  fields: serviceFields,
  outputs: serviceOutputs,
  rules: serviceRules,
  create: {
    operation: "createService",
    member: "service",
    passwordOptionalWith: "dataWarehouseId",
  },
  read: "getService",
  updates: ["updateService", "scaleService"],
  applyDefaults: applyDefaultName,
  finish: waitForEndpoints,
});

/** Names a new service after its resource. Adopted and named services keep their names. */
function applyDefaultName(
  oldInputs: Properties | undefined,
  inputs: Properties,
  { mode, name: proposed }: Autonaming,
) {
  if (inputs.name !== undefined || inputs.existingServiceId !== undefined) return { inputs };
  if (oldInputs !== undefined)
    return { inputs: oldInputs.name ? { ...inputs, name: oldInputs.name } : inputs };
  if (mode === "disable") return { inputs, problem: NO_DEFAULT_NAME };
  if (mode === "enforce") {
    const isValid = serviceFields.name.schema.safeParse(proposed).success;
    return isValid
      ? { inputs: { ...inputs, name: proposed } }
      : { inputs, problem: describeMisfit(proposed) };
  }
  const words = proposed.replace(/[^A-Za-z0-9]+/g, " ").trim();
  const name = words.slice(0, NAME_LENGTH).trim();
  return {
    inputs: name === "" ? inputs : { ...inputs, name },
    warning: describeLoss(proposed, name),
  };
}

const NO_DEFAULT_NAME = coded(
  "CDB1002",
  "name is missing: `pulumi:autonaming` disables default names; set `name` on the resource.",
);

const NAME_RULE = `only letters A to Z, digits and spaces, at most ${NAME_LENGTH}`;

function describeMisfit(enforced: string): Message {
  return coded(
    "CDB1007",
    `\`pulumi:autonaming\` enforces ${JSON.stringify(enforced)},`,
    `but the name of a service can have ${NAME_RULE}; change the setting, or declare name.`,
  );
}

/** Lost separators need no warning. Lost letters do, since two resources may get the same name. */
function describeLoss(proposed: string, name: string): Message | undefined {
  const lettersOf = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, "");
  if (name !== "" && lettersOf(name) === lettersOf(proposed)) return undefined;
  const [result, advice] =
    name === "" ? ["no name", "one"] : [`the name ${JSON.stringify(name)}`, "another"];
  return coded(
    "CDB1007",
    `the service gets ${result}, because its name can have ${NAME_RULE};`,
    `declare name to choose ${advice}.`,
  );
}
