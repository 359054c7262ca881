import type * as pulumi from "@pulumi/pulumi";
import { organizationClass } from "../classes";
import { createResourceClass } from "../custom-resource";
import { dynamicAdapter } from "../dynamic";
import type { ResourceClass } from "../resource-class";
import type { OrganizationArgs, OrganizationOutputs } from "./types";

/**
 * The name and private endpoints of an existing organization.
 *
 * Declared private endpoints are added to the existing ones. Only endpoints that this resource declared before are
 * removed. The API cannot read an organization, so drift becomes visible in the response to the next update.
 * Destroying the resource removes it from the stack and changes nothing else.
 *
 * @example
 * ```ts
 * import * as clouddb from "pulumi-clouddb";
 *
 * new clouddb.Organization("organization", {
 *   name: "Example organization",
 *   privateEndpoints: [{ id: "vpce-0a1b2c3d4e5f60009", description: "new network" }],
 * });
 * ```
 */
export const Organization: ResourceClass<Organization, [args?: OrganizationArgs, opts?: pulumi.CustomResourceOptions]> =
  createResourceClass(dynamicAdapter, organizationClass);

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Organization extends pulumi.CustomResource, OrganizationOutputs {}
