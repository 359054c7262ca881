import * as pulumi from "@pulumi/pulumi";
import { managedProperties, warnOfDeprecated, withoutTraces, withSecretOutputs } from "../../dynamic/custom-resource";
import { assertResourceArguments } from "../../dynamic/resource-arguments";
import { pipeDefinition as definition } from "./definition";
import type { PipeArgs, PipeOutputs } from "./types";

const TYPE = "pulumi-nodejs:dynamic/clouddb:Pipe";
const ADOPTION = "it adopts the existing pipe that pipeId names";

/**
 * An ingestion pipe that exists: its name, source, destination, field mappings and settings.
 *
 * The API cannot create or delete pipes. The first `up` reads the pipe and changes what differs from the arguments;
 * a removal leaves it as it is. What is not declared is left alone. Credentials, access keys and connection strings
 * are secrets that no response gives back: they are sent when they change in the program.
 */
export class Pipe extends pulumi.CustomResource {
  /** The type under which states know it. */
  static readonly __pulumiType = TYPE;

  /** Reads a pipe that exists without managing it. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: { serviceId: pulumi.Input<string>; organizationId?: pulumi.Input<string> },
    opts: pulumi.CustomResourceOptions = {},
  ): Pipe {
    return new Pipe(name, { ...state, pipeId: id }, { ...opts, id });
  }

  constructor(name: string, args: PipeArgs, opts: pulumi.CustomResourceOptions = {}) {
    assertResourceArguments(definition, `Pipe "${name}"`, args, opts, ADOPTION);
    const claims = opts.id === undefined ? [{ thing: "pipe", id: args.pipeId }] : [];
    const properties = managedProperties(definition, "pipe", name, args, claims);
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
export interface Pipe extends PipeOutputs {}
