// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a ServiceScaling. */
export interface ServiceScalingArgs {
  /**
   * The organization that owns the service.
   * A UUID.
   * Default: clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * A change needs another object.
   * Carried by: the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The service whose replicas are scaled.
   * A UUID.
   * A change needs another object.
   * Carried by: the request path.
   */
  serviceId: pulumi.Input<string>;
  /**
   * The memory of each replica when scaled down.
   * From 8 to 356, a multiple of 4.
   * Unit: GB.
   * At most maxReplicaMemoryGb.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  minReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The memory of each replica when scaled up. The region's hardware may allow less than the bound.
   * From 8 to 356, a multiple of 4.
   * Unit: GB.
   * At most 120 for services that are not paid.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  maxReplicaMemoryGb?: pulumi.Input<number>;
  /**
   * The number of replicas.
   * From 1 to 20.
   * Default: 1 in the BASIC tier, 3 in the SCALE and ENTERPRISE tiers.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  numReplicas?: pulumi.Input<number>;
  /**
   * Whether the service may scale down to nothing while it is idle.
   * Default: true.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleScaling?: pulumi.Input<boolean>;
  /**
   * How long the service waits without queries before it idles.
   * At least 5.
   * Unit: minutes.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}/services/{serviceId}/replicaScaling.
   */
  idleTimeoutMinutes?: pulumi.Input<number>;
}

/** What is known of a ServiceScaling once it is in a stack. */
export interface ServiceScalingOutputs {
  /**
   * The organization that owns the service.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The service whose replicas are scaled.
   */
  readonly serviceId: pulumi.Output<string>;
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
}
