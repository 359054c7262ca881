import {
  BOOLEAN,
  bodyOf,
  DATE_TIME,
  type JsonSchema,
  listChangeOf,
  listOf,
  NUMBER,
  objectOf,
  schemaRef,
  TEXT,
  UUID,
  type ValueOf,
} from "./json-schema";

/** A field of a service. Requests, responses, stored state and openapi.json follow from its row. */
interface ServiceField {
  /** The field in the body of a creation, an update, a change of scaling, and in responses; absent where they have no such field. */
  readonly create?: JsonSchema;
  readonly update?: JsonSchema;
  readonly scale?: JsonSchema;
  readonly response?: JsonSchema;
  /**
   * `value`: stored as the request contains it. `fixed`: likewise, but only a creation sets it.
   * Fields without it have code of their own in operations/services.ts, or are accepted and not stored.
   */
  readonly stored?: "value" | "fixed";
  /** The value of a new service whose creation does not contain the field. */
  readonly initial?: string | number | boolean;
  /** Services of the development tier refuse it. */
  readonly productionOnly?: true;
}

const NAME = { type: "string", pattern: "^[A-Za-z0-9\\s]+$", minLength: 1, maxLength: 50 } as const;
const TOTAL_MEMORY = { type: "integer", minimum: 24, maximum: 1068, multipleOf: 12, deprecated: true } as const;
const REPLICA_MEMORY = { type: "integer", minimum: 8, maximum: 356, multipleOf: 4 } as const;
const REPLICAS = { type: "integer", minimum: 1, maximum: 20 } as const;
const IDLE_TIMEOUT = { type: "number", minimum: 5 } as const;
const RELEASE_CHANNEL = { type: "string", enum: ["slow", "default", "fast"] } as const;
const ACCESS_ENTRY = schemaRef("IpAccessEntry");
const ENDPOINT_CHANGES = listOf(schemaRef("EndpointChange"));

const TOTAL_MEMORY_FIELD = {
  create: TOTAL_MEMORY,
  response: { ...NUMBER, deprecated: true },
  stored: "fixed",
  productionOnly: true,
} as const;

function scalingField<Request extends JsonSchema>(request: Request, response: JsonSchema) {
  return { create: request, scale: request, response, stored: "value", productionOnly: true } as const;
}

const serviceFields = {
  id: { response: UUID },
  name: { create: NAME, update: NAME, response: TEXT, stored: "value", initial: "My service" },
  provider: { create: { type: "string", enum: ["aws", "gcp", "azure"] } },
  region: {
    create: {
      type: "string",
      enum: [
        ...["ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "eu-central-1", "eu-west-1"],
        ...["eu-west-2", "me-central-1", "us-east-1", "us-east-2", "us-west-2", "us-east1", "us-central1"],
        ...["europe-west4", "asia-southeast1", "eastus", "eastus2", "westus3", "germanywestcentral"],
      ],
    },
  },
  tier: {
    create: {
      type: "string",
      enum: [
        ...["development", "production", "dedicated_high_mem", "dedicated_high_cpu", "dedicated_standard"],
        ...["dedicated_standard_n2d_standard_4", "dedicated_standard_n2d_standard_8"],
        ...["dedicated_standard_n2d_standard_32", "dedicated_standard_n2d_standard_128"],
        ...["dedicated_standard_n2d_standard_32_16SSD", "dedicated_standard_n2d_standard_64_24SSD"],
      ],
      deprecated: true,
    },
    stored: "value",
  },
  engineVersion: { response: TEXT },
  ipAccessList: { create: listOf(ACCESS_ENTRY), update: listChangeOf(ACCESS_ENTRY), response: listOf(ACCESS_ENTRY) },
  minTotalMemoryGb: TOTAL_MEMORY_FIELD,
  maxTotalMemoryGb: TOTAL_MEMORY_FIELD,
  minReplicaMemoryGb: { ...scalingField(REPLICA_MEMORY, NUMBER), initial: 8 },
  maxReplicaMemoryGb: { ...scalingField(REPLICA_MEMORY, NUMBER), initial: 32 },
  numReplicas: { ...scalingField(REPLICAS, NUMBER), initial: 3 },
  idleScaling: { ...scalingField(BOOLEAN, BOOLEAN), initial: true },
  idleTimeoutMinutes: { ...scalingField(IDLE_TIMEOUT, NUMBER), initial: 15 },
  createdAt: { response: DATE_TIME },
  isReadonly: { create: BOOLEAN, response: BOOLEAN, stored: "fixed" },
  isPrimary: { response: BOOLEAN },
  dataWarehouseId: { create: TEXT, response: TEXT },
  backupId: { create: UUID },
  encryptionKey: { create: TEXT, response: TEXT, stored: "fixed" },
  encryptionAssumedRoleIdentifier: { create: TEXT, response: TEXT, stored: "fixed" },
  encryptionRoleId: { response: TEXT },
  iamRole: { response: TEXT },
  privateEndpointIds: {
    create: { ...listOf(TEXT), deprecated: true },
    update: listChangeOf(TEXT),
    response: listOf(TEXT),
  },
  availablePrivateEndpointIds: { response: listOf(TEXT) },
  privatePreviewTermsChecked: { create: BOOLEAN },
  releaseChannel: { create: RELEASE_CHANNEL, update: RELEASE_CHANNEL, stored: "value", productionOnly: true },
  byocId: { create: TEXT, response: TEXT, stored: "fixed" },
  hasTransparentDataEncryption: { create: BOOLEAN, response: BOOLEAN, stored: "fixed" },
  transparentDataEncryptionKeyId: { update: TEXT, response: TEXT, stored: "value" },
  endpoints: { create: ENDPOINT_CHANGES, update: ENDPOINT_CHANGES, response: listOf(schemaRef("ServiceEndpoint")) },
  profile: {
    create: {
      type: "string",
      enum: [
        ...["v1-default", "v1-highmem-xs", "v1-highmem-s", "v1-highmem-m", "v1-highmem-l", "v1-highmem-xl"],
        ...["v1-highcpu-s", "v1-highcpu-m", "v1-highcpu-l", "v1-highcpu-xl"],
      ],
    },
  },
  complianceType: { create: { type: "string", enum: ["hipaa", "pci"] } },
} as const satisfies Record<string, ServiceField>;

type ServiceFields = typeof serviceFields;
type RequestSchema<Field> = Field extends { create: infer Schema } | { update: infer Schema } ? Schema : never;

/** The fields of a service that are stored as requests contain them. */
export type StoredValues = {
  readonly [Name in keyof ServiceFields as ServiceFields[Name] extends { stored: "value" } ? Name : never]:
    | ValueOf<RequestSchema<ServiceFields[Name]>>
    | (ServiceFields[Name] extends { initial: unknown } ? never : undefined);
};

const table: Readonly<Record<string, ServiceField>> = serviceFields;
const rows = Object.entries(table);

export const productionOnlyFields = rows.filter(([, field]) => field.productionOnly).map(([name]) => name);
/** The stored values of a new service whose creation contains none of them. */
export const initialValues = Object.fromEntries(
  rows.filter(([, { stored }]) => stored === "value").map(([name, { initial }]) => [name, initial]),
);

/** The members of a body that are stored as they are. */
export function storedPart(body: Readonly<Record<string, unknown>>, stored: "value" | "fixed") {
  const members = rows.filter(([name, field]) => field.stored === stored && body[name] !== undefined);
  return Object.fromEntries(members.map(([name]) => [name, body[name]]));
}

/** The members of a service that responses contain. */
export const responseFields = rows.filter(([, field]) => field.response).map(([name]) => name);

const BYOC_MEMORY = { enum: [48, 116, 172, 232] };

export const serviceSchemas = {
  IpAccessEntry: objectOf(
    {
      source: {
        type: "string",
        format: "ip-network",
        description:
          "An IPv4 or IPv6 address, or a network in CIDR notation such as 203.0.113.0/24; host bits are allowed.",
      },
      description: TEXT,
    },
    "source",
  ),
  EndpointChange: objectOf({ protocol: TEXT, enabled: BOOLEAN }, "protocol", "enabled"),
  ServiceEndpoint: objectOf({ protocol: TEXT, host: TEXT, port: NUMBER, username: TEXT }),
  CreateService: {
    ...bodyOf(table, "create"),
    dependentSchemas: {
      byocId: {
        properties: { minReplicaMemoryGb: BYOC_MEMORY, maxReplicaMemoryGb: BYOC_MEMORY },
        required: ["minReplicaMemoryGb", "maxReplicaMemoryGb"],
      },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema, in an object that is never awaited
      isReadonly: { if: { properties: { isReadonly: { const: true } } }, then: { required: ["dataWarehouseId"] } },
    },
  },
  UpdateService: bodyOf(table, "update"),
  ReplicaScaling: bodyOf(table, "scale"),
  Service: bodyOf(table, "response", "id"),
  CreatedService: objectOf({ service: schemaRef("Service"), password: TEXT }, "service", "password"),
};
