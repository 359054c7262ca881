import type * as pulumi from "@pulumi/pulumi";
import { message } from "../errors";
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
    throw programError(message("CDB1002.required", { user: resource, arguments: table.required.join(" and ") }));
  }
  const properties = args === undefined ? {} : args;
  assertArguments(resource, properties);
  if (opts.import && !adapter.isNative) {
    throw programError(message("CDB1015.import", { resource, advice: adoptionHint }));
  }
  if (opts.customTimeouts && !adapter.isNative) throw programError(message("CDB1014.customTimeouts", { resource }));
  if (opts.provider !== undefined) assertProvider(adapter, resource, opts.provider);
  return properties as Args;
}
