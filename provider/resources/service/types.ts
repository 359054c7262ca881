// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Service. */
export interface ServiceArgs {
  /**
   * The ID of the organization that owns the service.
   * Must be a UUID.
   * Defaults to clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * Changing this requires replacement.
   * Part of the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The ID of an existing service to adopt instead of creating one. Only what differs from the arguments is changed. It can be removed once the service is in the stack.
   * Must be a UUID.
   * Changing this requires replacement.
   * Part of the request path.
   */
  existingServiceId?: pulumi.Input<string>;
  /**
   * The name of the service: letters, digits and whitespace.
   * At most 50 characters.
   * Defaults to the resource's logical name, with any other characters replaced by spaces.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  name?: pulumi.Input<string>;
  /**
   * The cloud provider that hosts the service.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  provider?: pulumi.Input<"aws" | "gcp" | "azure" | (string & {})>;
  /**
   * The cloud provider's region that hosts the service.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  region?: pulumi.Input<Region>;
  /**
   * The tier of the service. Production services scale; development services have a fixed size.
   * The development tier is not available on Azure.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   * @deprecated In organizations of the BASIC, SCALE and ENTERPRISE tiers, use minReplicaMemoryGb, maxReplicaMemoryGb and numReplicas instead.
   */
  tier?: pulumi.Input<Tier>;
  /**
   * The IP addresses and networks that may reach the service. This is the complete list: entries on the service that the program does not declare are removed, and an empty list removes them all.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  ipAccessList?: pulumi.Input<
    Array<pulumi.Input<{ source: pulumi.Input<string>; description?: pulumi.Input<string> }>>
  >;
  /**
   * The minimum memory of all replicas together when autoscaling.
   * Must be an integer from 24 to 1068 and a multiple of 12, in GB.
   * Must not exceed maxTotalMemoryGb.
   * Only for production services.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   * @deprecated Use minReplicaMemoryGb.
   */
  minTotalMemoryGb?: pulumi.Input<number>;
  /**
   * The maximum memory of all replicas together when autoscaling.
   * Must be an integer from 24 to 1068 and a multiple of 12, in GB.
   * Must not exceed 360 for services that are not paid.
   * Only for production services.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   * @deprecated Use maxReplicaMemoryGb.
   */
  maxTotalMemoryGb?: pulumi.Input<number>;
  /**
   * The minimum memory of each replica when autoscaling.
   * Must be an integer from 8 to 356 and a multiple of 4, in GB.
   * Must not exceed maxReplicaMemoryGb.
   * With byocId, required and one of 48, 116, 172, 232.
   * Only for production services.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  minReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The maximum memory of each replica when autoscaling. Some regions allow less.
   * Must be an integer from 8 to 356 and a multiple of 4, in GB.
   * Must not exceed 120 for services that are not paid.
   * With byocId, required and one of 48, 116, 172, 232.
   * Only for production services.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  maxReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The number of replicas.
   * Must be an integer from 1 to 20.
   * Must be at least 2 for the first service of a warehouse in the SCALE and ENTERPRISE tiers.
   * Only for production services.
   * Defaults to 1 in the BASIC tier and 3 in the SCALE and ENTERPRISE tiers.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  numReplicas?: pulumi.Input<number>;
  /**
   * Whether the service may scale to zero while it is idle.
   * Only for production services.
   * Defaults to true.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleScaling?: pulumi.Input<boolean>;
  /**
   * How long the service must be without queries before it becomes idle.
   * Must be a number of at least 5, in minutes.
   * Only for production services.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleTimeoutMinutes?: pulumi.Input<number>;
  /**
   * Whether the service is read-only.
   * Requires dataWarehouseId if true.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  isReadonly?: pulumi.Input<boolean>;
  /**
   * The ID of the warehouse that the service joins. Without it, the service is the first of a new warehouse.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  dataWarehouseId?: pulumi.Input<string>;
  /**
   * The ID of the backup to restore the service from. Region and tier must match those of the service that was backed up.
   * Must be a UUID.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  backupId?: pulumi.Input<string>;
  /**
   * The customer-managed key that encrypts the service's disks. Once it has been removed from the program, a key declared later is recorded without being compared.
   * Stored as a Pulumi secret.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  encryptionKey?: pulumi.Input<string>;
  /**
   * The role that the service assumes to use the customer-managed encryption key.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  encryptionAssumedRoleIdentifier?: pulumi.Input<string>;
  /**
   * The IDs of the private endpoints that reach the service. This is the complete list: others are removed. On creation, it is set by a second request.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  privateEndpointIds?: pulumi.Input<Array<pulumi.Input<string>>>;
  /**
   * Whether the terms of a private preview are accepted. Required for the first service of an organization in a private preview.
   * Changing this has no effect.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  privatePreviewTermsChecked?: pulumi.Input<boolean>;
  /**
   * How early the service receives new releases of the database engine.
   * Only for production services.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  releaseChannel?: pulumi.Input<"slow" | "default" | "fast" | (string & {})>;
  /**
   * The ID of the bring-your-own-cloud (BYOC) region that hosts the service, as returned when the region was set up.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  byocId?: pulumi.Input<string>;
  /**
   * Whether transparent data encryption (TDE) is enabled.
   * Only for organizations of the ENTERPRISE tier.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  hasTransparentDataEncryption?: pulumi.Input<boolean>;
  /**
   * The ID of the key to rotate transparent data encryption to. On creation, it is set by a second request.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  transparentDataEncryptionKeyId?: pulumi.Input<string>;
  /**
   * The protocols to enable or disable, such as `mysql`. Protocols that are not declared are left unchanged. The addresses are in serviceEndpoints.
   * Can be changed in place.
   * Sent with POST /v1/organizations/{organizationId}/services and PATCH /v1/organizations/{organizationId}/services/{serviceId}.
   */
  endpoints?: pulumi.Input<Array<pulumi.Input<{ protocol: pulumi.Input<string>; enabled: pulumi.Input<boolean> }>>>;
  /**
   * The hardware profile of the service's replicas.
   * Only for organizations of the ENTERPRISE tier.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  profile?: pulumi.Input<Profile>;
  /**
   * The compliance standard that the service must meet.
   * Changing this requires replacement.
   * Sent with POST /v1/organizations/{organizationId}/services.
   */
  complianceType?: pulumi.Input<"hipaa" | "pci" | (string & {})>;
}

/** The outputs of a Service. */
export interface ServiceOutputs {
  /**
   * The ID of the organization that owns the service.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The ID of an existing service to adopt instead of creating one. Only what differs from the arguments is changed. It can be removed once the service is in the stack.
   */
  readonly existingServiceId: pulumi.Output<string | undefined>;
  /**
   * The name of the service: letters, digits and whitespace.
   */
  readonly name: pulumi.Output<string>;
  /**
   * The cloud provider that hosts the service.
   */
  readonly provider: pulumi.Output<"aws" | "gcp" | "azure" | (string & {}) | undefined>;
  /**
   * The cloud provider's region that hosts the service.
   */
  readonly region: pulumi.Output<Region | undefined>;
  /**
   * The tier of the service. Production services scale; development services have a fixed size.
   */
  readonly tier: pulumi.Output<Tier | undefined>;
  /**
   * The IP addresses and networks that may reach the service. This is the complete list: entries on the service that the program does not declare are removed, and an empty list removes them all.
   */
  readonly ipAccessList: pulumi.Output<Array<{ source: string; description?: string }>>;
  /**
   * The minimum memory of all replicas together when autoscaling.
   */
  readonly minTotalMemoryGb: pulumi.Output<number>;
  /**
   * The maximum memory of all replicas together when autoscaling.
   */
  readonly maxTotalMemoryGb: pulumi.Output<number>;
  /**
   * The minimum memory of each replica when autoscaling.
   */
  readonly minReplicaMemoryGb: pulumi.Output<number>;
  /**
   * The maximum memory of each replica when autoscaling. Some regions allow less.
   */
  readonly maxReplicaMemoryGb: pulumi.Output<number>;
  /**
   * The number of replicas.
   */
  readonly numReplicas: pulumi.Output<number>;
  /**
   * Whether the service may scale to zero while it is idle.
   */
  readonly idleScaling: pulumi.Output<boolean>;
  /**
   * How long the service must be without queries before it becomes idle.
   */
  readonly idleTimeoutMinutes: pulumi.Output<number>;
  /**
   * Whether the service is read-only.
   */
  readonly isReadonly: pulumi.Output<boolean>;
  /**
   * The ID of the warehouse that the service joins. Without it, the service is the first of a new warehouse.
   */
  readonly dataWarehouseId: pulumi.Output<string>;
  /**
   * The ID of the backup to restore the service from. Region and tier must match those of the service that was backed up.
   */
  readonly backupId: pulumi.Output<string | undefined>;
  /**
   * The customer-managed key that encrypts the service's disks. Once it has been removed from the program, a key declared later is recorded without being compared.
   */
  readonly encryptionKey: pulumi.Output<string | undefined>;
  /**
   * The role that the service assumes to use the customer-managed encryption key.
   */
  readonly encryptionAssumedRoleIdentifier: pulumi.Output<string>;
  /**
   * The IDs of the private endpoints that reach the service. This is the complete list: others are removed. On creation, it is set by a second request.
   */
  readonly privateEndpointIds: pulumi.Output<Array<string>>;
  /**
   * Whether the terms of a private preview are accepted. Required for the first service of an organization in a private preview.
   */
  readonly privatePreviewTermsChecked: pulumi.Output<boolean | undefined>;
  /**
   * How early the service receives new releases of the database engine.
   */
  readonly releaseChannel: pulumi.Output<"slow" | "default" | "fast" | (string & {}) | undefined>;
  /**
   * The ID of the bring-your-own-cloud (BYOC) region that hosts the service, as returned when the region was set up.
   */
  readonly byocId: pulumi.Output<string>;
  /**
   * Whether transparent data encryption (TDE) is enabled.
   */
  readonly hasTransparentDataEncryption: pulumi.Output<boolean>;
  /**
   * The ID of the key to rotate transparent data encryption to. On creation, it is set by a second request.
   */
  readonly transparentDataEncryptionKeyId: pulumi.Output<string>;
  /**
   * The protocols to enable or disable, such as `mysql`. Protocols that are not declared are left unchanged. The addresses are in serviceEndpoints.
   */
  readonly endpoints: pulumi.Output<Array<{ protocol: string; enabled: boolean }> | undefined>;
  /**
   * The hardware profile of the service's replicas.
   */
  readonly profile: pulumi.Output<Profile | undefined>;
  /**
   * The compliance standard that the service must meet.
   */
  readonly complianceType: pulumi.Output<"hipaa" | "pci" | (string & {}) | undefined>;
  /**
   * The password of the new service, from the only response that contains it. Not known for an adopted service.
   * Stored as a Pulumi secret.
   */
  readonly password: pulumi.Output<string | undefined>;
  /**
   * The protocol, host, port and username of each enabled endpoint.
   */
  readonly serviceEndpoints: pulumi.Output<Array<{ protocol: string; host: string; port: number; username?: string }>>;
  /**
   * The version of the database engine.
   */
  readonly engineVersion: pulumi.Output<string>;
  /**
   * When the service was created, in ISO 8601 format.
   */
  readonly createdAt: pulumi.Output<string>;
  /**
   * The IAM role of the service, which it uses to access other cloud resources.
   */
  readonly iamRole: pulumi.Output<string>;
  /**
   * Whether the service is the primary service of its warehouse.
   */
  readonly isPrimary: pulumi.Output<boolean>;
  /**
   * The IDs of the organization's private endpoints that the service could use.
   */
  readonly availablePrivateEndpointIds: pulumi.Output<Array<string>>;
  /**
   * The role used for transparent data encryption.
   */
  readonly encryptionRoleId: pulumi.Output<string>;
}

type Profile =
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
  | (string & {});

type Region =
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
  | (string & {});

type Tier =
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
  | (string & {});
