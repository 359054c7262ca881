import { coded } from "../../errors";
import type { Rule } from "../../fields";
import { inOrder, scalingFields, scalingRules, unpaidAtMost } from "../service-scaling/scaling-fields";

const BYOC_REPLICA_MEMORY_GB = [48, 116, 172, 232];
const UNPAID_TOTAL_MEMORY_GB = 360;
const FIRST_SERVICE_REPLICAS = 2;

const sizedForByoc = (field: string): Rule => ({
  fields: [field, "byocId"],
  doc: `With byocId, required and one of ${BYOC_REPLICA_MEMORY_GB.join(", ")}.`,
  atCreation: true,
  test: (values) =>
    values.byocId !== undefined && !BYOC_REPLICA_MEMORY_GB.includes(values[field])
      ? coded(
          "CDB1010",
          `${field} ${values[field] === undefined ? "is missing" : `${values[field]} is invalid`}: must be one of ${BYOC_REPLICA_MEMORY_GB.join(", ")} with byocId.`,
        )
      : undefined,
});

const enoughReplicas: Rule = {
  fields: ["numReplicas", "dataWarehouseId"],
  doc: `Must be at least ${FIRST_SERVICE_REPLICAS} for the first service of a warehouse in the SCALE and ENTERPRISE tiers.`,
  atCreation: true,
  test: ({ numReplicas, dataWarehouseId }, { organizationTier }) => {
    const isBound = organizationTier !== undefined && organizationTier !== "BASIC";
    return dataWarehouseId === undefined && isBound && numReplicas < FIRST_SERVICE_REPLICAS
      ? coded(
          "CDB1010",
          `numReplicas ${numReplicas} is invalid: must be at least ${FIRST_SERVICE_REPLICAS} for the first service of a warehouse in the ${organizationTier} tier; raise it, or declare the dataWarehouseId of the warehouse to join.`,
        )
      : undefined;
  },
};

const readonlyInWarehouse: Rule = {
  fields: ["isReadonly", "dataWarehouseId"],
  doc: "Requires dataWarehouseId if true.",
  atCreation: true,
  test: ({ isReadonly, dataWarehouseId }) =>
    isReadonly === true && dataWarehouseId === undefined
      ? coded("CDB1010", "isReadonly requires dataWarehouseId, the warehouse to read from; declare both or neither.")
      : undefined,
};

const enterpriseOnly = (field: string): Rule => ({
  fields: [field],
  doc: "Only for organizations of the ENTERPRISE tier.",
  atCreation: true,
  test: (values, { organizationTier }) => {
    const isUsed = values[field] !== undefined && values[field] !== false;
    return isUsed && organizationTier !== undefined && organizationTier !== "ENTERPRISE"
      ? coded(
          "CDB1010",
          `${field} is available only in the ENTERPRISE tier, and clouddb:organizationTier is ${organizationTier}; remove it.`,
        )
      : undefined;
  },
});

const productionOnly = (field: string): Rule => ({
  fields: [field, "tier"],
  doc: "Only for production services.",
  test: (values) =>
    values[field] !== undefined && values.tier === "development"
      ? coded("CDB1010", `${field} is not available for tier "development"; remove ${field} or the tier.`)
      : undefined,
});

const noDevelopmentOnAzure: Rule = {
  fields: ["tier", "provider"],
  doc: "The development tier is not available on Azure.",
  atCreation: true,
  test: ({ tier, provider }) =>
    tier === "development" && provider === "azure"
      ? coded(
          "CDB1010",
          'tier "development" is invalid: must not be used with provider "azure"; remove tier or choose another provider.',
        )
      : undefined,
};

const PRODUCTION_FIELDS = ["releaseChannel", "minTotalMemoryGb", "maxTotalMemoryGb", ...Object.keys(scalingFields())];

export const serviceRules: readonly Rule[] = [
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
];
