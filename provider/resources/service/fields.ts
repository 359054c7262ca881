import { z } from "zod";
import { organizationField } from "../../core/ids";
import type { Field, ListRules, OutputField } from "../../fields";
import { choice, flag, label, listOf, record, text, uuid, wholeNumber } from "../../fields/shapes";
import { scalingFields } from "../service-scaling/scaling-fields";
import { accessList, accessListRules, privateEndpointRules } from "./access-list";

const PROVIDERS = ["aws", "gcp", "azure"] as const;
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
const RELEASE_CHANNELS = ["slow", "default", "fast"] as const;
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
const COMPLIANCE_TYPES = ["hipaa", "pci"] as const;

export const NAME_LENGTH = 50;
const NAME = `must consist of letters, digits and whitespace, with at most ${NAME_LENGTH} characters`;

const totalMemory = () => wholeNumber({ min: 24, max: 1068, multipleOf: 12 });

const CREATE = "createService";
const UPDATE = "updateService";
const SCALE = "scaleService";

interface Endpoint {
  readonly protocol: string;
  readonly enabled: boolean;
}

/** Protocols in a response are enabled; those that the program does not declare are left unchanged. */
const endpointRules: ListRules = {
  key: ({ protocol }: Endpoint) => protocol,
  canonical: ({ protocol, enabled }: Endpoint) => ({ protocol, enabled }),
  send: "changed",
  unmanaged: "keep",
  fromApi: ({ protocol }: Endpoint) => ({ protocol, enabled: true }),
  whenAbsent: ({ protocol }: Endpoint) => ({ protocol, enabled: false }),
};

export const serviceFields = {
  organizationId: organizationField("The ID of the organization that owns the service."),
  existingServiceId: {
    schema: uuid(),
    doc: "The ID of an existing service to adopt instead of creating one. Only what differs from the arguments is changed. It can be removed once the service is in the stack.",
    onChange: "replace",
    operations: ["path"],
  },
  name: {
    schema: label(NAME)
      .regex(/^[A-Za-z0-9\s]+$/, NAME)
      .max(NAME_LENGTH, NAME),
    doc: "The name of the service: letters, digits and whitespace.",
    default: "the resource's logical name, with any other characters replaced by spaces",
    onChange: "update",
    operations: [CREATE, UPDATE],
    inResponse: true,
  },
  provider: {
    schema: choice(PROVIDERS),
    doc: "The cloud provider that hosts the service.",
    onChange: "replace",
    operations: [CREATE],
  },
  region: {
    schema: choice(REGIONS),
    doc: "The cloud provider's region that hosts the service.",
    onChange: "replace",
    operations: [CREATE],
  },
  tier: {
    schema: choice(TIERS),
    doc: "The tier of the service. Production services scale; development services have a fixed size.",
    deprecated:
      "In organizations of the BASIC, SCALE and ENTERPRISE tiers, use minReplicaMemoryGb, maxReplicaMemoryGb and numReplicas instead.",
    onChange: "replace",
    operations: [CREATE],
  },
  ipAccessList: {
    schema: accessList,
    doc: "The IP addresses and networks that may reach the service. This is the complete list, even if it is empty: once a refresh has found an entry that was added outside of the program, the next `pulumi up` removes it.",
    onChange: "update",
    operations: [CREATE, UPDATE],
    inResponse: true,
    list: accessListRules,
  },
  minTotalMemoryGb: {
    schema: totalMemory(),
    doc: "The minimum memory of all replicas together when autoscaling.",
    unit: "GB",
    deprecated: "Use minReplicaMemoryGb.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: "ifSet",
  },
  maxTotalMemoryGb: {
    schema: totalMemory(),
    doc: "The maximum memory of all replicas together when autoscaling.",
    unit: "GB",
    deprecated: "Use maxReplicaMemoryGb.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: "ifSet",
  },
  ...scalingFields(CREATE, SCALE),
  isReadonly: {
    schema: flag(),
    doc: "Whether the service is read-only.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  dataWarehouseId: {
    schema: text(),
    doc: "The ID of the warehouse that the service joins. Without it, the service is the first of a new warehouse.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  backupId: {
    schema: uuid(),
    doc: "The ID of the backup to restore the service from. Region and tier must match those of the service that was backed up.",
    onChange: "replace",
    operations: [CREATE],
  },
  encryptionKey: {
    schema: text(),
    doc: "The customer-managed key that encrypts the service's disks. Once it has been removed from the program, a key declared later is recorded without being compared.",
    secret: true,
    onChange: "replace",
    operations: [CREATE],
  },
  encryptionAssumedRoleIdentifier: {
    schema: text(),
    doc: "The role that the service assumes to use the customer-managed encryption key.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: "ifSet",
  },
  privateEndpointIds: {
    schema: listOf(text()),
    doc: "The IDs of the private endpoints that reach the service. This is the complete list: once a refresh has found an ID that was added outside of the program, the next `pulumi up` removes it. On creation, it is set by a second request.",
    onChange: "update",
    operations: [UPDATE],
    inResponse: true,
    list: privateEndpointRules,
  },
  privatePreviewTermsChecked: {
    schema: flag(),
    doc: "Whether the terms of a private preview are accepted. Required for the first service of an organization in a private preview.",
    onChange: "ignore",
    operations: [CREATE],
  },
  releaseChannel: {
    schema: choice(RELEASE_CHANNELS),
    doc: "How early the service receives new releases of the database engine.",
    onChange: "update",
    operations: [CREATE, UPDATE],
  },
  byocId: {
    schema: text(),
    doc: "The ID of the bring-your-own-cloud (BYOC) region that hosts the service, as returned when the region was set up.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: "ifSet",
  },
  hasTransparentDataEncryption: {
    schema: flag(),
    doc: "Whether transparent data encryption (TDE) is enabled.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  transparentDataEncryptionKeyId: {
    schema: text(),
    doc: "The ID of the key to rotate transparent data encryption to. On creation, it is set by a second request.",
    onChange: "update",
    operations: [UPDATE],
    inResponse: "ifSet",
  },
  endpoints: {
    schema: listOf(record({ protocol: text(), enabled: flag() })),
    doc: "The protocols to enable or disable, such as `mysql`. Protocols that are not declared are left unchanged. The addresses are in serviceEndpoints.",
    onChange: "update",
    operations: [CREATE, UPDATE],
    observedAs: "serviceEndpoints",
    list: endpointRules,
  },
  profile: {
    schema: choice(PROFILES),
    doc: "The hardware profile of the service's replicas.",
    onChange: "replace",
    operations: [CREATE],
  },
  complianceType: {
    schema: choice(COMPLIANCE_TYPES),
    doc: "The compliance standard that the service must meet.",
    onChange: "replace",
    operations: [CREATE],
  },
  waitForEndpoint: {
    schema: flag(),
    doc: "Makes a new service count as created only once all of its endpoints accept connections from this machine. On an existing service, the update that sets it to true waits. Limited by customTimeouts, or to 10 minutes. Not sent to the API.",
    default: "false",
    onChange: "update",
    operations: [],
  },
} as const satisfies Record<string, Field>;

export const serviceOutputs = {
  password: {
    schema: z.string(),
    doc: "The password of the new service, from the only response that contains it. Not known for an adopted service.",
    secret: true,
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
    doc: "The protocol, host, port and username of each enabled endpoint.",
    apiName: "endpoints",
    changedBy: ["endpoints", "privateEndpointIds"],
  },
  engineVersion: { schema: z.string(), doc: "The version of the database engine." },
  createdAt: { schema: z.string(), doc: "When the service was created, in ISO 8601 format.", changedBy: [] },
  iamRole: {
    schema: z.string(),
    doc: "The IAM role of the service, which it uses to access other cloud resources.",
    changedBy: [],
  },
  isPrimary: {
    schema: z.boolean(),
    doc: "Whether the service is the primary service of its warehouse.",
    changedBy: [],
  },
  availablePrivateEndpointIds: {
    schema: z.array(z.string()),
    doc: "The IDs of the organization's private endpoints that the service could use.",
  },
  encryptionRoleId: {
    schema: z.string(),
    doc: "The role used for transparent data encryption.",
    inResponse: "ifSet",
  },
} as const satisfies Record<string, OutputField>;
