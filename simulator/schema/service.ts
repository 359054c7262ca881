import { z } from "zod";
import {
  canonicalNetwork,
  count,
  dateTime,
  flag,
  id,
  listChange,
  partial,
  text,
  type ValueOf,
} from "./shapes";

/** Request bodies and responses for services and organizations, as in the specification. */

const REGIONS = [
  "ap-northeast-1",
  "ap-south-1",
  "ap-southeast-1",
  "ap-southeast-2",
  "eu-central-1",
  "eu-west-1",
  "eu-west-2",
  "me-central-1",
  "us-east-1",
  "us-east-2",
  "us-west-2",
  "us-east1",
  "us-central1",
  "europe-west4",
  "asia-southeast1",
  "eastus",
  "eastus2",
  "westus3",
  "germanywestcentral",
] as const;
const TIERS = [
  "development",
  "production",
  "dedicated_high_mem",
  "dedicated_high_cpu",
  "dedicated_standard",
  "dedicated_standard_n2d_standard_4",
  "dedicated_standard_n2d_standard_8",
  "dedicated_standard_n2d_standard_32",
  "dedicated_standard_n2d_standard_128",
  "dedicated_standard_n2d_standard_32_16SSD",
  "dedicated_standard_n2d_standard_64_24SSD",
] as const;
const PROFILES = [
  "v1-default",
  "v1-highmem-xs",
  "v1-highmem-s",
  "v1-highmem-m",
  "v1-highmem-l",
  "v1-highmem-xl",
  "v1-highcpu-s",
  "v1-highcpu-m",
  "v1-highcpu-l",
  "v1-highcpu-xl",
] as const;
const BYOC_MEMORY = [48, 116, 172, 232];

const name = text
  .regex(/^[A-Za-z0-9\s]+$/, "must contain only letters, digits and white space")
  .min(1)
  .max(50);
const totalMemory = z.int().min(24).max(1068).multipleOf(12).meta({ deprecated: true });
const replicaMemory = z.int().min(8).max(356).multipleOf(4);
const releaseChannel = z.enum(["slow", "default", "fast"]);
const endpointChanges = z.array(z.strictObject({ protocol: text, enabled: flag }));

const AccessEntry = z.strictObject({
  source: text
    .refine(
      (source) => canonicalNetwork(source) !== undefined,
      "must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24",
    )
    .describe("An IPv4 or IPv6 address, or a network in CIDR notation; host bits are allowed."),
  description: text.optional(),
});
const PrivateEndpoint = z.strictObject({ id: text, description: text.optional() });

export const ReplicaScaling = partial({
  minReplicaMemoryGb: replicaMemory,
  maxReplicaMemoryGb: replicaMemory,
  numReplicas: z.int().min(1).max(20),
  idleScaling: flag,
  idleTimeoutMinutes: count.min(5),
});

export const CreateService = partial({
  name,
  provider: z.enum(["aws", "gcp", "azure"]),
  region: z.enum(REGIONS),
  tier: z.enum(TIERS).meta({ deprecated: true }),
  ipAccessList: z.array(AccessEntry),
  minTotalMemoryGb: totalMemory,
  maxTotalMemoryGb: totalMemory,
  ...ReplicaScaling.shape,
  isReadonly: flag,
  dataWarehouseId: text,
  backupId: id,
  encryptionKey: text,
  encryptionAssumedRoleIdentifier: text,
  privateEndpointIds: z.array(text).meta({ deprecated: true }),
  privatePreviewTermsChecked: flag,
  releaseChannel,
  byocId: text,
  hasTransparentDataEncryption: flag,
  endpoints: endpointChanges,
  profile: z.enum(PROFILES),
  complianceType: z.enum(["hipaa", "pci"]),
})
  .refine(
    (body) => !body.isReadonly || body.dataWarehouseId !== undefined,
    "isReadonly requires dataWarehouseId",
  )
  .refine(
    ({ byocId, minReplicaMemoryGb: min, maxReplicaMemoryGb: max }) =>
      byocId === undefined || [min, max].every((memory) => BYOC_MEMORY.includes(Number(memory))),
    `byocId requires minReplicaMemoryGb and maxReplicaMemoryGb, each one of ${BYOC_MEMORY.join(", ")}`,
  );

export const UpdateService = partial({
  name,
  ipAccessList: listChange(AccessEntry),
  privateEndpointIds: listChange(text),
  releaseChannel,
  endpoints: endpointChanges,
  transparentDataEncryptionKeyId: text,
});

export const ServiceResponse = partial({
  name: text,
  engineVersion: text,
  endpoints: z.array(partial({ protocol: text, host: text, port: count, username: text })),
  minTotalMemoryGb: count.meta({ deprecated: true }),
  maxTotalMemoryGb: count.meta({ deprecated: true }),
  minReplicaMemoryGb: count,
  maxReplicaMemoryGb: count,
  numReplicas: count,
  idleScaling: flag,
  idleTimeoutMinutes: count,
  ipAccessList: z.array(AccessEntry),
  createdAt: dateTime,
  encryptionKey: text,
  encryptionAssumedRoleIdentifier: text,
  iamRole: text,
  privateEndpointIds: z.array(text),
  availablePrivateEndpointIds: z.array(text),
  dataWarehouseId: text,
  isPrimary: flag,
  isReadonly: flag,
  byocId: text,
  hasTransparentDataEncryption: flag,
  transparentDataEncryptionKeyId: text,
  encryptionRoleId: text,
}).extend({ id });

export const CreatedService = z.strictObject({ service: ServiceResponse, password: text });

export const UpdateOrganization = partial({
  name: text.min(1),
  privateEndpoints: listChange(PrivateEndpoint),
});

export const OrganizationResponse = partial({
  createdAt: dateTime,
  name: text,
  privateEndpoints: z.array(PrivateEndpoint),
  byocConfig: z.array(partial({ id: text, accountName: text })),
}).extend({ id });

export type AccessEntry = ValueOf<typeof AccessEntry>;
export type PrivateEndpoint = ValueOf<typeof PrivateEndpoint>;
export type ReplicaScaling = ValueOf<typeof ReplicaScaling>;
export type CreateService = ValueOf<typeof CreateService>;
export type UpdateService = ValueOf<typeof UpdateService>;
export type UpdateOrganization = ValueOf<typeof UpdateOrganization>;
