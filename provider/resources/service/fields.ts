import { z } from "zod";
import type { Field, ListRules, OutputField } from "../../fields";
import { choice, flag, label, listOf, record, text, uuid, wholeNumber } from "../../fields/shapes";
import { organizationField } from "../../lifecycle/id-fields";
import { scalingFields } from "../service-scaling/scaling-fields";
import { accessList, accessListRules } from "./access-list";

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
const NAME = `use letters, digits and white space, at most ${NAME_LENGTH} characters`;

const totalMemory = () => wholeNumber({ min: 24, max: 1068, multipleOf: 12 });

const CREATE = "createService";
const UPDATE = "updateService";
const SCALE = "scaleService";

interface Endpoint {
  readonly protocol: string;
  readonly enabled: boolean;
}

/** A protocol that a response lists is enabled; one that the program does not declare is left alone. */
const endpointRules: ListRules = {
  key: ({ protocol }: Endpoint) => protocol,
  canonical: ({ protocol, enabled }: Endpoint) => ({ protocol, enabled }),
  send: "changed",
  unmanaged: "keep",
  fromApi: ({ protocol }: Endpoint) => ({ protocol, enabled: true }),
  whenAbsent: ({ protocol }: Endpoint) => ({ protocol, enabled: false }),
};

const idRules: ListRules = {
  key: (id: string) => id,
  canonical: (id: string) => id,
  send: "addRemove",
  unmanaged: "remove",
};

export const serviceFields = {
  organizationId: organizationField("The organization that owns the service."),
  existingServiceId: {
    schema: uuid(),
    doc: "The id of a service that exists already and is taken over instead of creating one. Only what differs from the arguments is changed. It can be removed once the service is in the stack.",
    onChange: "replace",
    operations: ["path"],
  },
  name: {
    schema: label(NAME)
      .regex(/^[A-Za-z0-9\s]+$/, NAME)
      .max(NAME_LENGTH, NAME),
    doc: "The name of the service.",
    default: "the resource's name in the program, with other characters turned into spaces",
    onChange: "update",
    operations: [CREATE, UPDATE],
    inResponse: true,
  },
  provider: {
    schema: choice(PROVIDERS),
    doc: "The cloud that the service runs in.",
    onChange: "replace",
    operations: [CREATE],
  },
  region: {
    schema: choice(REGIONS),
    doc: "The region of that cloud.",
    onChange: "replace",
    operations: [CREATE],
  },
  tier: {
    schema: choice(TIERS),
    doc: "The tier of the service. Production services scale, development services are of a fixed size.",
    deprecated:
      "Organizations of the BASIC, SCALE and ENTERPRISE tiers size services by minReplicaMemoryGb, maxReplicaMemoryGb and numReplicas.",
    onChange: "replace",
    operations: [CREATE],
  },
  ipAccessList: {
    schema: accessList,
    doc: "The addresses that may reach the service. The whole list: entries that the program does not declare are removed. An empty list empties it.",
    onChange: "update",
    operations: [CREATE, UPDATE],
    inResponse: true,
    list: accessListRules,
  },
  minTotalMemoryGb: {
    schema: totalMemory(),
    doc: "The memory of all replicas together when scaled down.",
    unit: "GB",
    deprecated: "Use minReplicaMemoryGb.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  maxTotalMemoryGb: {
    schema: totalMemory(),
    doc: "The memory of all replicas together when scaled up.",
    unit: "GB",
    deprecated: "Use maxReplicaMemoryGb.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  ...scalingFields(CREATE, SCALE),
  isReadonly: {
    schema: flag(),
    doc: "Whether the service only reads.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  dataWarehouseId: {
    schema: text(),
    doc: "The warehouse that the service joins. Without it the service is the first of a new one.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  backupId: {
    schema: uuid(),
    doc: "The backup that the service starts from. Region and tier must be those of the service that was backed up.",
    onChange: "replace",
    operations: [CREATE],
  },
  encryptionKey: {
    schema: text(),
    doc: "Your own key for the encryption of the disks. Once it has been removed from the program, a key that is declared later is recorded and not compared.",
    secret: true,
    onChange: "replace",
    operations: [CREATE],
  },
  encryptionAssumedRoleIdentifier: {
    schema: text(),
    doc: "The role that is assumed to use your own encryption key.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  privateEndpointIds: {
    schema: listOf(text()),
    doc: "The private endpoints that lead to the service. The whole list: others are removed. Set right after the creation, by an update.",
    onChange: "update",
    operations: [UPDATE],
    inResponse: true,
    list: idRules,
  },
  privatePreviewTermsChecked: {
    schema: flag(),
    doc: "Accepts the terms of a private preview. Needed for the first service of an organization in one.",
    onChange: "ignore",
    operations: [CREATE],
  },
  releaseChannel: {
    schema: choice(RELEASE_CHANNELS),
    doc: "How early the service gets new releases.",
    onChange: "update",
    operations: [CREATE, UPDATE],
  },
  byocId: {
    schema: text(),
    doc: "The id of a bring-your-own-cloud region.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  hasTransparentDataEncryption: {
    schema: flag(),
    doc: "Whether data is encrypted with a key of the service's own.",
    onChange: "replace",
    operations: [CREATE],
    inResponse: true,
  },
  transparentDataEncryptionKeyId: {
    schema: text(),
    doc: "The id of the key to rotate to. Set by an update, after the creation.",
    onChange: "update",
    operations: [UPDATE],
    inResponse: true,
  },
  endpoints: {
    schema: listOf(record({ protocol: text(), enabled: flag() })),
    doc: "The protocols to switch on or off, `mysql` for one. Protocols that are not declared are left alone. The addresses are in serviceEndpoints.",
    onChange: "update",
    operations: [CREATE, UPDATE],
    observedAs: "serviceEndpoints",
    list: endpointRules,
  },
  profile: {
    schema: choice(PROFILES),
    doc: "The hardware profile.",
    onChange: "replace",
    operations: [CREATE],
  },
  complianceType: {
    schema: choice(COMPLIANCE_TYPES),
    doc: "The compliance regime that the service is set up for.",
    onChange: "replace",
    operations: [CREATE],
  },
} as const satisfies Record<string, Field>;

export const serviceOutputs = {
  password: {
    schema: z.string(),
    doc: "The password of the new service, from the one response that carries it. Not known for a service that was taken over.",
    secret: true,
  },
  serviceEndpoints: {
    schema: z.array(
      z.object({
        protocol: z.string(),
        host: z.string(),
        port: z.number(),
        username: z.string().optional(),
      }),
    ),
    doc: "Where the service is reached: protocol, host, port and user name of each enabled endpoint.",
    apiName: "endpoints",
  },
  engineVersion: { schema: z.string(), doc: "The version of the database engine." },
  createdAt: { schema: z.string(), doc: "When the service was created, as an ISO 8601 date and time." },
  iamRole: { schema: z.string(), doc: "The role that the service acts as in its cloud." },
  isPrimary: { schema: z.boolean(), doc: "Whether it is the first service of its warehouse." },
  availablePrivateEndpointIds: {
    schema: z.array(z.string()),
    doc: "The private endpoints of the organization that could lead to the service.",
  },
  encryptionRoleId: { schema: z.string(), doc: "The role used for the service's own encryption." },
} as const satisfies Record<string, OutputField>;
