import * as pulumi from "@pulumi/pulumi";
import { createResourceClass } from "../../dynamic/custom-resource";
import type { ResourceClass } from "../../dynamic/resource-class";
import { readSettings } from "../../settings/settings";
import { organizationDefinition } from "./definition";
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
  createResourceClass({
    name: "Organization",
    definition: organizationDefinition,
    adoptionHint: "it adopts the existing organization that organizationId names",
    ownedObjects({ organizationId }, opts) {
      const fallback = defaultOrganization(opts);
      return [{ thing: "organization", id: pulumi.output(organizationId).apply((id) => id ?? fallback) }];
    },
  });

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Organization extends pulumi.CustomResource, OrganizationOutputs {}

/** The organization of the default provider. Which provider a parent passes on is unknown here. */
function defaultOrganization(opts: pulumi.CustomResourceOptions): string | undefined {
  if (opts.provider !== undefined || opts.parent !== undefined) return undefined;
  return readSettings((key) => pulumi.runtime.getConfig(key), process.env).settings.organizationId;
}
