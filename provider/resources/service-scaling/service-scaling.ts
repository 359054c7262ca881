import * as pulumi from "@pulumi/pulumi";
import { managedProperties, warnOfDeprecated, withoutTraces, withSecretOutputs } from "../../dynamic/custom-resource";
import { assertResourceArguments } from "../../dynamic/resource-arguments";
import { serviceScalingDefinition as definition } from "./definition";
import type { ServiceScalingArgs, ServiceScalingOutputs } from "./types";

const TYPE = "pulumi-nodejs:dynamic/clouddb:ServiceScaling";
const ADOPTION = "it adopts the existing service that serviceId names";

/**
 * How a service that exists is scaled, apart from the service itself: for a program that may change a service's size
 * and nothing else of it. The first `up` reads the service and changes what differs; a removal leaves it as it is.
 *
 * A service that declares scaling arguments itself must not have one.
 */
export class ServiceScaling extends pulumi.CustomResource {
  /** The type under which states know it. */
  static readonly __pulumiType = TYPE;

  /** Reads how a service is scaled, without managing it. The id is the service's. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: { organizationId?: pulumi.Input<string> } = {},
    opts: pulumi.CustomResourceOptions = {},
  ): ServiceScaling {
    return new ServiceScaling(name, { ...state, serviceId: id }, { ...opts, id });
  }

  constructor(name: string, args: ServiceScalingArgs, opts: pulumi.CustomResourceOptions = {}) {
    assertResourceArguments(definition, `ServiceScaling "${name}"`, args, opts, ADOPTION);
    const claims = opts.id === undefined ? [{ thing: "the scaling of service", id: args.serviceId }] : [];
    const properties = managedProperties(definition, "serviceScaling", name, args, claims);
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
export interface ServiceScaling extends ServiceScalingOutputs {}
