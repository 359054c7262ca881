// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a ServiceScaling. */
export interface ServiceScalingArgs {
  /**
   * The ID of the organization that owns the service.
   * Must be a UUID.
   * Defaults to clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * Changing this requires replacement.
   * Part of the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The ID of the service to scale.
   * Must be a UUID.
   * Changing this requires replacement.
   * Part of the request path.
   */
  serviceId: pulumi.Input<string>;
  /**
   * The minimum memory of each replica when autoscaling.
   * Must be an integer from 8 to 356 and a multiple of 4, in GB.
   * Must not exceed maxReplicaMemoryGb.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  minReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The maximum memory of each replica when autoscaling. Some regions allow less.
   * Must be an integer from 8 to 356 and a multiple of 4, in GB.
   * Must not exceed 120 for services that are not paid.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  maxReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The number of replicas.
   * Must be an integer from 1 to 20.
   * Defaults to 1 in the BASIC tier and 3 in the SCALE and ENTERPRISE tiers.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  numReplicas?: pulumi.Input<number>;
  /**
   * Whether the service may scale to zero while it is idle.
   * Defaults to true.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleScaling?: pulumi.Input<boolean>;
  /**
   * How long the service must be without queries before it becomes idle.
   * Must be a number of at least 5, in minutes.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleTimeoutMinutes?: pulumi.Input<number>;
}

/** The outputs of a ServiceScaling. */
export interface ServiceScalingOutputs {
  /**
   * The ID of the organization that owns the service.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The ID of the service to scale.
   */
  readonly serviceId: pulumi.Output<string>;
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
}
