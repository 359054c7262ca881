import type { Rule } from "../../fields";
import { inOrder, scalingFields, scalingRules, unpaidAtMost } from "../service-scaling/scaling-fields";

const BYOC_REPLICA_MEMORY_GB = [48, 116, 172, 232];
const UNPAID_TOTAL_MEMORY_GB = 360;
const FIRST_SERVICE_REPLICAS = 2;

const sizedForByoc = (field: string): Rule => ({
  fields: [field, "byocId"],
  doc: `With byocId it is required, and one of ${BYOC_REPLICA_MEMORY_GB.join(", ")}.`,
  atCreation: true,
  test: (values) =>
    values.byocId !== undefined && !BYOC_REPLICA_MEMORY_GB.includes(values[field])
      ? `${field} must be one of ${BYOC_REPLICA_MEMORY_GB.join(", ")} where byocId is declared; it is ${values[field] ?? "not declared"}.`
      : undefined,
});

const enoughReplicas: Rule = {
  fields: ["numReplicas", "dataWarehouseId"],
  doc: `At least ${FIRST_SERVICE_REPLICAS} for the first service of a warehouse in the SCALE and ENTERPRISE tiers.`,
  atCreation: true,
  test: ({ numReplicas, dataWarehouseId }, { organizationTier }) => {
    const isBound = organizationTier !== undefined && organizationTier !== "BASIC";
    return dataWarehouseId === undefined && isBound && numReplicas < FIRST_SERVICE_REPLICAS
      ? `numReplicas ${numReplicas} is less than ${FIRST_SERVICE_REPLICAS}, the fewest for the first service of a warehouse in the ${organizationTier} tier; raise it, or declare the dataWarehouseId that the service belongs to.`
      : undefined;
  },
};

const readonlyInWarehouse: Rule = {
  fields: ["isReadonly", "dataWarehouseId"],
  doc: "True only together with dataWarehouseId.",
  atCreation: true,
  test: ({ isReadonly, dataWarehouseId }) =>
    isReadonly === true && dataWarehouseId === undefined
      ? "isReadonly true needs dataWarehouseId, the warehouse to read from; declare it, or leave isReadonly out."
      : undefined,
};

const enterpriseOnly = (field: string): Rule => ({
  fields: [field],
  doc: "Organizations of the ENTERPRISE tier only.",
  atCreation: true,
  test: (values, { organizationTier }) => {
    const isUsed = values[field] !== undefined && values[field] !== false;
    return isUsed && organizationTier !== undefined && organizationTier !== "ENTERPRISE"
      ? `${field} needs an organization of the ENTERPRISE tier, and clouddb:organizationTier is ${organizationTier}; leave it out.`
      : undefined;
  },
});

const productionOnly = (field: string): Rule => ({
  fields: [field, "tier"],
  doc: "Production services only.",
  test: (values) =>
    values[field] !== undefined && values.tier === "development"
      ? `${field} is for production services only, and tier is "development"; leave one of the two out.`
      : undefined,
});

const noDevelopmentOnAzure: Rule = {
  fields: ["tier", "provider"],
  doc: "Azure services do not support the development tier.",
  atCreation: true,
  test: ({ tier, provider }) =>
    tier === "development" && provider === "azure"
      ? 'tier "development" is not offered for provider "azure"; leave tier out or choose another provider.'
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
