import * as pulumi from "@pulumi/pulumi";
import { managedProperties, warnOfDeprecated, withoutTraces, withSecretOutputs } from "../../dynamic/custom-resource";
import { assertResourceArguments } from "../../dynamic/resource-arguments";
import { readSettings } from "../../settings/settings";
import { organizationDefinition as definition } from "./definition";
import type { OrganizationArgs, OrganizationOutputs } from "./types";

const TYPE = "pulumi-nodejs:dynamic/clouddb:Organization";
const ADOPTION = "it adopts the existing organization that organizationId names";

/**
 * The name and the private endpoints of an organization that exists.
 *
 * Private endpoints are added to those that it has, and only those that were declared here before are ever removed.
 * The API cannot read an organization, so drift is seen in the answer to the next change; a removal leaves
 * everything as it is.
 */
export class Organization extends pulumi.CustomResource {
  /** The type under which states know it. */
  static readonly __pulumiType = TYPE;

  constructor(name: string, args: OrganizationArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
    assertResourceArguments(definition, `Organization "${name}"`, args, opts, ADOPTION);
    const standard = standardOrganization(opts);
    const claims = [{ thing: "organization", id: pulumi.output(args.organizationId).apply((id) => id ?? standard) }];
    const properties = managedProperties(definition, "organization", name, args, claims);
    const end = withoutTraces();
    try {
      super(TYPE, name, properties, withSecretOutputs(definition, opts));
    } catch (error) {
      throw end(error);
    }
    end();
    warnOfDeprecated(definition, args, this);
  }
}

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Organization extends OrganizationOutputs {}

/** The organization of the default provider; which provider a parent hands down is not known here. */
function standardOrganization(opts: pulumi.CustomResourceOptions): string | undefined {
  if (opts.provider !== undefined || opts.parent !== undefined) return undefined;
  return readSettings((key) => pulumi.runtime.getConfig(key), process.env).settings.organizationId;
}
