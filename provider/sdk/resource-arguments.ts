import type * as pulumi from "@pulumi/pulumi";
import { coded } from "../errors";
import { assertArguments } from "./arguments";
import type { ClassAdapter, ClassDescription } from "./class-description";
import { assertProvider } from "./provider-option";
import { programError } from "./pulumi-internals";

/** The arguments of a resource class, or one sentence about why it cannot use what it was given. */
export function assertResourceArguments<Args extends object>(
  adapter: ClassAdapter,
  { name: className, table, adoptionHint }: ClassDescription<Args>,
  name: string,
  args: Args | undefined,
  opts: pulumi.CustomResourceOptions,
): Args {
  const resource = `${className} "${name}"`;
  if (args === undefined && table.required.length > 0) {
    throw programError(coded("CDB1002", `${resource} requires ${table.required.join(" and ")}.`));
  }
  const properties = args === undefined ? {} : args;
  assertArguments(resource, properties);
  if (opts.import && !adapter.isNative) {
    throw programError(coded("CDB1015", `${resource} does not support the import option: ${adoptionHint}.`));
  }
  if (opts.customTimeouts && !adapter.isNative)
    throw programError(
      coded(
        "CDB1014",
        `${resource} does not support the option customTimeouts: remove it, or import the class from pulumi-clouddb/native.`,
      ),
    );
  if (opts.provider !== undefined) assertProvider(adapter, resource, opts.provider);
  return properties as Args;
}
