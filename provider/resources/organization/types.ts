// Made by `npm run build` from the tables of fields. Do not edit.
import type * as pulumi from "@pulumi/pulumi";

/** The arguments of a Organization. */
export interface OrganizationArgs {
  /**
   * The organization.
   * A UUID.
   * Default: clouddb:organizationId (CLOUDDB_ORGANIZATION_ID).
   * A change needs another object.
   * Carried by: the request path.
   */
  organizationId?: pulumi.Input<string>;
  /**
   * The name of the organization.
   * At least one of name and privateEndpoints is declared.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}.
   */
  name?: pulumi.Input<string>;
  /**
   * Private endpoints of the organization. They are added to what it has; one that is declared no more is removed. Those that were never declared are left alone.
   * A change is made in place.
   * Carried by: PATCH /v1/organizations/{organizationId}.
   */
  privateEndpoints?: pulumi.Input<
    Array<pulumi.Input<{ id: pulumi.Input<string>; description?: pulumi.Input<string> }>>
  >;
}

/** What is known of a Organization once it is in a stack. */
export interface OrganizationOutputs {
  /**
   * The organization.
   */
  readonly organizationId: pulumi.Output<string>;
  /**
   * The name of the organization.
   */
  readonly name: pulumi.Output<string>;
  /**
   * Private endpoints of the organization. They are added to what it has; one that is declared no more is removed. Those that were never declared are left alone.
   */
  readonly privateEndpoints: pulumi.Output<Array<{ id: string; description?: string }>>;
  /**
   * All private endpoints of the organization as the last change showed them, those of others too.
   */
  readonly allPrivateEndpoints: pulumi.Output<Array<{ id: string; description?: string }>>;
  /**
   * The accounts in which the organization's own cloud regions were set up.
   */
  readonly byocConfig: pulumi.Output<Array<{ id: string; accountName: string }>>;
  /**
   * When the organization was created, as an ISO 8601 date and time.
   */
  readonly createdAt: pulumi.Output<string>;
}
