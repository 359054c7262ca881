// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of an Organization. */
export interface OrganizationArgs {
  /**
   * The ID of the organization.
   * Must be a UUID.
   * Defaults to clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * Changing this requires replacement.
   * Part of the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The name of the organization.
   * At least one of name and privateEndpoints must be declared.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}.
   */
  name?: pulumi.Input<string>;
  /**
   * The private endpoints to add to the organization. One that is no longer declared is removed; those that were never declared here are left unchanged.
   * Can be changed in place.
   * Sent with PATCH /v1/organizations/{organizationId}.
   */
  privateEndpoints?: pulumi.Input<
    Array<pulumi.Input<{ id: pulumi.Input<string>; description?: pulumi.Input<string> }>>
  >;
}

/** The outputs of an Organization. */
export interface OrganizationOutputs {
  /**
   * The ID of the organization.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The name of the organization.
   */
  readonly name: pulumi.Output<string>;
  /**
   * The private endpoints to add to the organization. One that is no longer declared is removed; those that were never declared here are left unchanged.
   */
  readonly privateEndpoints: pulumi.Output<Array<{ id: string; description?: string }>>;
  /**
   * All private endpoints of the organization, including those not declared here, as of the last change.
   */
  readonly allPrivateEndpoints: pulumi.Output<Array<{ id: string; description?: string }>>;
  /**
   * The cloud accounts of the organization's bring-your-own-cloud (BYOC) regions.
   */
  readonly byocConfig: pulumi.Output<Array<{ id: string; accountName: string }>>;
  /**
   * When the organization was created, in ISO 8601 format.
   */
  readonly createdAt: pulumi.Output<string>;
}
