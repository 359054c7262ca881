import * as pulumi from "@pulumi/pulumi";
import { managedProperties, warnOfDeprecated, withoutTraces, withSecretOutputs } from "../../dynamic/custom-resource";
import { findOwnerConflict, type OwnedObject } from "../../dynamic/duplicate-owners";
import { assertResourceArguments } from "../../dynamic/resource-arguments";
import { isGiven, isPending } from "../../program/arguments";
import { scalingFields } from "../service-scaling/scaling-fields";
import { serviceDefinition } from "./definition";
import type { ServiceArgs, ServiceOutputs } from "./types";

const TYPE = "pulumi-nodejs:dynamic/clouddb:Service";
const ADOPTION = "set existingServiceId to adopt a service that exists";
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
    assertResourceArguments(serviceDefinition, `Service "${name}"`, args, opts, ADOPTION);
    const isRead = opts.id !== undefined;
    const { existingServiceId } = args;
    // A service that is adopted is known before it is registered, one that is created only afterwards.
    const before = isRead || !isGiven(existingServiceId) ? [] : claimsOf(args, existingServiceId);
    const properties = managedProperties(serviceDefinition, "service", name, args, before);
    const end = withoutTraces();
    try {
      super(TYPE, name, properties, withSecretOutputs(serviceDefinition, protectedByDefault(opts)));
    } catch (error) {
      throw end(error);
    }
    end();
    if (!isRead && typeof existingServiceId !== "string") {
      const created = pulumi
        .all([this.id, existingServiceId])
        .apply(([id, other]) => (isGiven(other) ? undefined : id));
      // Too late to be refused; whoever came first has been accepted already.
      findOwnerConflict(name, claimsOf(args, created)).apply((conflict) => conflict && pulumi.log.warn(conflict, this));
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

/** The service, and how it is scaled where the program says anything about that. */
function claimsOf(args: ServiceArgs, id: OwnedObject["id"]): OwnedObject[] {
  const claims = [{ thing: "service", id }];
  const scaling = SCALING.map((field) => args[field]).filter(isGiven);
  if (scaling.length === 0) return claims;
  // Who comes first in the program claims first: what is known at once is not waited for.
  const scaled = scaling.every(isPending)
    ? pulumi.all([id, ...scaling]).apply(([known, ...values]) => (values.some(isGiven) ? (known as string) : undefined))
    : id;
  return [...claims, { thing: "the scaling of service", id: scaled }];
}
