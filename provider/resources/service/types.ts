// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Service. */
export interface ServiceArgs {
  /**
   * The organization that owns the service.
   * A UUID.
   * Default: clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * A change needs another object.
   * Carried by: the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The id of a service that exists already and is taken over instead of creating one. Only what differs from the arguments is changed. It can be removed once the service is in the stack.
   * A UUID.
   * A change needs another object.
   * Carried by: the request path.
   */
  existingServiceId?: pulumi.Input<string>;
  /**
   * The name of the service.
   * At most 50 characters.
   * Default: the resource's name in the program, with other characters turned into spaces.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  name?: pulumi.Input<string>;
  /**
   * The cloud that the service runs in.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  provider?: pulumi.Input<"aws" | "gcp" | "azure" | (string & {})>;
  /**
   * The region of that cloud.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  region?: pulumi.Input<
    | "ap-northeast-1"
    | "ap-south-1"
    | "ap-southeast-1"
    | "ap-southeast-2"
    | "eu-central-1"
    | "eu-west-1"
    | "eu-west-2"
    | "me-central-1"
    | "us-east-1"
    | "us-east-2"
    | "us-west-2"
    | "us-east1"
    | "us-central1"
    | "europe-west4"
    | "asia-southeast1"
    | "eastus"
    | "eastus2"
    | "westus3"
    | "germanywestcentral"
    | (string & {})
  >;
  /**
   * The tier of the service. Production services scale, development services are of a fixed size.
   * Azure services do not support the development tier.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   * @deprecated Organizations of the BASIC, SCALE and ENTERPRISE tiers size services by minReplicaMemoryGb, maxReplicaMemoryGb and numReplicas.
   */
  tier?: pulumi.Input<
    | "development"
    | "production"
    | "dedicated_high_mem"
    | "dedicated_high_cpu"
    | "dedicated_standard"
    | "dedicated_standard_n2d_standard_4"
    | "dedicated_standard_n2d_standard_8"
    | "dedicated_standard_n2d_standard_32"
    | "dedicated_standard_n2d_standard_128"
    | "dedicated_standard_n2d_standard_32_16SSD"
    | "dedicated_standard_n2d_standard_64_24SSD"
    | (string & {})
  >;
  /**
   * The addresses that may reach the service. The whole list: entries that the program does not declare are removed. An empty list empties it.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  ipAccessList?: pulumi.Input<
    Array<pulumi.Input<{ source: pulumi.Input<string>; description?: pulumi.Input<string> }>>
  >;
  /**
   * The memory of all replicas together when scaled down.
   * From 24 to 1068, a multiple of 12.
   * Unit: GB.
   * At most maxTotalMemoryGb.
   * Production services only.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   * @deprecated Use minReplicaMemoryGb.
   */
  minTotalMemoryGb?: pulumi.Input<number>;
  /**
   * The memory of all replicas together when scaled up.
   * From 24 to 1068, a multiple of 12.
   * Unit: GB.
   * At most 360 for services that are not paid.
   * Production services only.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   * @deprecated Use maxReplicaMemoryGb.
   */
  maxTotalMemoryGb?: pulumi.Input<number>;
  /**
   * The memory of each replica when scaled down.
   * From 8 to 356, a multiple of 4.
   * Unit: GB.
   * At most maxReplicaMemoryGb.
   * With byocId it is required, and one of 48, 116, 172, 232.
   * Production services only.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  minReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The memory of each replica when scaled up. The region's hardware may allow less than the bound.
   * From 8 to 356, a multiple of 4.
   * Unit: GB.
   * At most 120 for services that are not paid.
   * With byocId it is required, and one of 48, 116, 172, 232.
   * Production services only.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  maxReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The number of replicas.
   * From 1 to 20.
   * At least 2 for the first service of a warehouse in the SCALE and ENTERPRISE tiers.
   * Production services only.
   * Default: 1 in the BASIC tier, 3 in the SCALE and ENTERPRISE tiers.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  numReplicas?: pulumi.Input<number>;
  /**
   * Whether the service may scale down to nothing while it is idle.
   * Production services only.
   * Default: true.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleScaling?: pulumi.Input<boolean>;
  /**
   * How long the service waits without queries before it idles.
   * At least 5.
   * Unit: minutes.
   * Production services only.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleTimeoutMinutes?: pulumi.Input<number>;
  /**
   * Whether the service only reads.
   * True only together with dataWarehouseId.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  isReadonly?: pulumi.Input<boolean>;
  /**
   * The warehouse that the service joins. Without it the service is the first of a new one.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  dataWarehouseId?: pulumi.Input<string>;
  /**
   * The backup that the service starts from. Region and tier must be those of the service that was backed up.
   * A UUID.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  backupId?: pulumi.Input<string>;
  /**
   * Your own key for the encryption of the disks. Once it has been removed from the program, a key that is declared later is recorded and not compared.
   * Kept secret.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  encryptionKey?: pulumi.Input<string>;
  /**
   * The role that is assumed to use your own encryption key.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  encryptionAssumedRoleIdentifier?: pulumi.Input<string>;
  /**
   * The private endpoints that lead to the service. The whole list: others are removed. Set right after the creation, by an update.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  privateEndpointIds?: pulumi.Input<Array<pulumi.Input<string>>>;
  /**
   * Accepts the terms of a private preview. Needed for the first service of an organization in one.
   * A change does nothing.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  privatePreviewTermsChecked?: pulumi.Input<boolean>;
  /**
   * How early the service gets new releases.
   * Production services only.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  releaseChannel?: pulumi.Input<"slow" | "default" | "fast" | (string & {})>;
  /**
   * The id of a bring-your-own-cloud region.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  byocId?: pulumi.Input<string>;
  /**
   * Whether data is encrypted with a key of the service's own.
   * Organizations of the ENTERPRISE tier only.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  hasTransparentDataEncryption?: pulumi.Input<boolean>;
  /**
   * The id of the key to rotate to. Set by an update, after the creation.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  transparentDataEncryptionKeyId?: pulumi.Input<string>;
  /**
   * The protocols to switch on or off, `mysql` for one. Protocols that are not declared are left alone. The addresses are in serviceEndpoints.
   * A change is made in place.
   * Carried by: POST /v1/organizations/{organizationId}/services, PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  endpoints?: pulumi.Input<Array<pulumi.Input<{ protocol: pulumi.Input<string>; enabled: pulumi.Input<boolean> }>>>;
  /**
   * The hardware profile.
   * Organizations of the ENTERPRISE tier only.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  profile?: pulumi.Input<
    | "v1-default"
    | "v1-highmem-xs"
    | "v1-highmem-s"
    | "v1-highmem-m"
    | "v1-highmem-l"
    | "v1-highmem-xl"
    | "v1-highcpu-s"
    | "v1-highcpu-m"
    | "v1-highcpu-l"
    | "v1-highcpu-xl"
    | (string & {})
  >;
  /**
   * The compliance regime that the service is set up for.
   * A change needs another object.
   * Carried by: POST /v1/organizations/{organizationId}/services.
   */
  complianceType?: pulumi.Input<"hipaa" | "pci" | (string & {})>;
}

/** What is known of a Service once it is in a stack. */
export interface ServiceOutputs {
  /**
   * The organization that owns the service.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The id of a service that exists already and is taken over instead of creating one. Only what differs from the arguments is changed. It can be removed once the service is in the stack.
   */
  readonly existingServiceId: pulumi.Output<string | undefined>;
  /**
   * The name of the service.
   */
  readonly name: pulumi.Output<string>;
  /**
   * The cloud that the service runs in.
   */
  readonly provider: pulumi.Output<"aws" | "gcp" | "azure" | (string & {}) | undefined>;
  /**
   * The region of that cloud.
   */
  readonly region: pulumi.Output<
    | "ap-northeast-1"
    | "ap-south-1"
    | "ap-southeast-1"
    | "ap-southeast-2"
    | "eu-central-1"
    | "eu-west-1"
    | "eu-west-2"
    | "me-central-1"
    | "us-east-1"
    | "us-east-2"
    | "us-west-2"
    | "us-east1"
    | "us-central1"
    | "europe-west4"
    | "asia-southeast1"
    | "eastus"
    | "eastus2"
    | "westus3"
    | "germanywestcentral"
    | (string & {})
    | undefined
  >;
  /**
   * The tier of the service. Production services scale, development services are of a fixed size.
   */
  readonly tier: pulumi.Output<
    | "development"
    | "production"
    | "dedicated_high_mem"
    | "dedicated_high_cpu"
    | "dedicated_standard"
    | "dedicated_standard_n2d_standard_4"
    | "dedicated_standard_n2d_standard_8"
    | "dedicated_standard_n2d_standard_32"
    | "dedicated_standard_n2d_standard_128"
    | "dedicated_standard_n2d_standard_32_16SSD"
    | "dedicated_standard_n2d_standard_64_24SSD"
    | (string & {})
    | undefined
  >;
  /**
   * The addresses that may reach the service. The whole list: entries that the program does not declare are removed. An empty list empties it.
   */
  readonly ipAccessList: pulumi.Output<Array<{ source: string; description?: string }>>;
  /**
   * The memory of all replicas together when scaled down.
   */
  readonly minTotalMemoryGb: pulumi.Output<number>;
  /**
   * The memory of all replicas together when scaled up.
   */
  readonly maxTotalMemoryGb: pulumi.Output<number>;
  /**
   * The memory of each replica when scaled down.
   */
  readonly minReplicaMemoryGb: pulumi.Output<number>;
  /**
   * The memory of each replica when scaled up. The region's hardware may allow less than the bound.
   */
  readonly maxReplicaMemoryGb: pulumi.Output<number>;
  /**
   * The number of replicas.
   */
  readonly numReplicas: pulumi.Output<number>;
  /**
   * Whether the service may scale down to nothing while it is idle.
   */
  readonly idleScaling: pulumi.Output<boolean>;
  /**
   * How long the service waits without queries before it idles.
   */
  readonly idleTimeoutMinutes: pulumi.Output<number>;
  /**
   * Whether the service only reads.
   */
  readonly isReadonly: pulumi.Output<boolean>;
  /**
   * The warehouse that the service joins. Without it the service is the first of a new one.
   */
  readonly dataWarehouseId: pulumi.Output<string>;
  /**
   * The backup that the service starts from. Region and tier must be those of the service that was backed up.
   */
  readonly backupId: pulumi.Output<string | undefined>;
  /**
   * Your own key for the encryption of the disks. Once it has been removed from the program, a key that is declared later is recorded and not compared.
   */
  readonly encryptionKey: pulumi.Output<string | undefined>;
  /**
   * The role that is assumed to use your own encryption key.
   */
  readonly encryptionAssumedRoleIdentifier: pulumi.Output<string>;
  /**
   * The private endpoints that lead to the service. The whole list: others are removed. Set right after the creation, by an update.
   */
  readonly privateEndpointIds: pulumi.Output<Array<string>>;
  /**
   * Accepts the terms of a private preview. Needed for the first service of an organization in one.
   */
  readonly privatePreviewTermsChecked: pulumi.Output<boolean | undefined>;
  /**
   * How early the service gets new releases.
   */
  readonly releaseChannel: pulumi.Output<"slow" | "default" | "fast" | (string & {}) | undefined>;
  /**
   * The id of a bring-your-own-cloud region.
   */
  readonly byocId: pulumi.Output<string>;
  /**
   * Whether data is encrypted with a key of the service's own.
   */
  readonly hasTransparentDataEncryption: pulumi.Output<boolean>;
  /**
   * The id of the key to rotate to. Set by an update, after the creation.
   */
  readonly transparentDataEncryptionKeyId: pulumi.Output<string>;
  /**
   * The protocols to switch on or off, `mysql` for one. Protocols that are not declared are left alone. The addresses are in serviceEndpoints.
   */
  readonly endpoints: pulumi.Output<Array<{ protocol: string; enabled: boolean }> | undefined>;
  /**
   * The hardware profile.
   */
  readonly profile: pulumi.Output<
    | "v1-default"
    | "v1-highmem-xs"
    | "v1-highmem-s"
    | "v1-highmem-m"
    | "v1-highmem-l"
    | "v1-highmem-xl"
    | "v1-highcpu-s"
    | "v1-highcpu-m"
    | "v1-highcpu-l"
    | "v1-highcpu-xl"
    | (string & {})
    | undefined
  >;
  /**
   * The compliance regime that the service is set up for.
   */
  readonly complianceType: pulumi.Output<"hipaa" | "pci" | (string & {}) | undefined>;
  /**
   * The password of the new service, from the one response that carries it. Not known for a service that was taken over.
   * Kept secret.
   */
  readonly password: pulumi.Output<string | undefined>;
  /**
   * Where the service is reached: protocol, host, port and user name of each enabled endpoint.
   */
  readonly serviceEndpoints: pulumi.Output<Array<{ protocol: string; host: string; port: number; username?: string }>>;
  /**
   * The version of the database engine.
   */
  readonly engineVersion: pulumi.Output<string>;
  /**
   * When the service was created, as an ISO 8601 date and time.
   */
  readonly createdAt: pulumi.Output<string>;
  /**
   * The role that the service acts as in its cloud.
   */
  readonly iamRole: pulumi.Output<string>;
  /**
   * Whether it is the first service of its warehouse.
   */
  readonly isPrimary: pulumi.Output<boolean>;
  /**
   * The private endpoints of the organization that could lead to the service.
   */
  readonly availablePrivateEndpointIds: pulumi.Output<Array<string>>;
  /**
   * The role used for the service's own encryption.
   */
  readonly encryptionRoleId: pulumi.Output<string>;
}
