import * as pulumi from "@pulumi/pulumi";
import { conflictOver } from "../claims";
import { managedProperties, warnOfDeprecated, withoutTraces, withSecretOutputs } from "../managed";
import { scalingFields } from "../scaling";
import { serviceDefinition } from "./definition";
import type { ServiceArgs, ServiceOutputs } from "./types";

const TYPE = "pulumi-nodejs:dynamic/clouddb:Service";
const SCALING = Object.keys(scalingFields()) as (keyof ServiceArgs)[];

/**
 * A database service of an organization.
 *
 * The API cannot delete a service, so a service that leaves the program goes on running and costing money. That is
 * why it is protected (`protect: true`) unless the program sets `protect` or `retainOnDelete`: the preview then
 * refuses to destroy, remove, rename or replace it. To let one go on purpose, set `retainOnDelete: true`, run
 * `pulumi up`, and then remove it.
 *
 * Arguments that are not declared are left to the API, whatever it fills in.
 */
export class Service extends pulumi.CustomResource {
  /** The type under which states know it. */
  static readonly __pulumiType = TYPE;

  /**
   * Reads a service that exists without managing it.
   *
   * @param name The name of the resource in the program.
   * @param id The id of the service.
   * @param state The organization of the service; by default the one of the provider's configuration.
   * @param opts Pulumi's options, an explicit provider for one.
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: { organizationId?: pulumi.Input<string> } = {},
    opts: pulumi.CustomResourceOptions = {},
  ): Service {
    return new Service(name, state, { protect: false, ...opts, id });
  }

  /** True for an instance of this class, whichever copy of the package it came from. */
  static override isInstance(value: unknown): value is Service {
    return pulumi.CustomResource.isInstance(value) && (value as { __pulumiType?: string }).__pulumiType === TYPE;
  }

  constructor(name: string, args: ServiceArgs = {}, opts: pulumi.CustomResourceOptions = {}) {
    const things = ["service", ...(declaresScaling(args) ? ["the scaling of service"] : [])];
    const claimsOf = (id: pulumi.Input<string | undefined>) => things.map((thing) => ({ thing, id }));
    // A service that is taken over is known before it is registered, one that is created only afterwards.
    const before =
      opts.id === undefined && args.existingServiceId !== undefined ? claimsOf(args.existingServiceId) : [];
    const properties = managedProperties(serviceDefinition, "service", name, args, before);
    const end = withoutTraces();
    try {
      super(TYPE, name, properties, withSecretOutputs(serviceDefinition, protectedByDefault(opts)));
    } catch (error) {
      throw end(error);
    }
    end();
    if (opts.id === undefined && before.length === 0) {
      // Too late to be refused; whoever came first has been accepted already.
      conflictOver(name, claimsOf(this.id)).apply((conflict) => conflict && pulumi.log.warn(conflict, this));
    }
    warnOfDeprecated(serviceDefinition, args, this);
  }
}

// The outputs are declared where they are generated, from the same table as the arguments.
export interface Service extends ServiceOutputs {}

/** Protects what the program says nothing about. What its parent says about protection holds for it, too. */
function protectedByDefault(opts: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions {
  const parent = opts.parent as { __protect?: boolean } | undefined;
  const isDecided = opts.protect !== undefined || opts.retainOnDelete === true || parent?.__protect !== undefined;
  return isDecided ? opts : { ...opts, protect: true };
}

function declaresScaling(args: ServiceArgs): boolean {
  return SCALING.some((field) => args[field] !== undefined);
}
