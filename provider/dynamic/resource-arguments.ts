import type * as pulumi from "@pulumi/pulumi";
import type { Definition } from "../fields";
import { assertArguments } from "../program/arguments";
import { programError } from "../program/program-error";

/** The arguments of a resource class, or one sentence about why it cannot use what it was given. */
export function assertResourceArguments<Args extends object>(
  definition: Definition,
  resource: string,
  args: Args | undefined,
  opts: pulumi.CustomResourceOptions,
  adoptionHint: string,
): Args {
  const required = requiredArguments(definition);
  if (args === undefined && required.length > 0) {
    throw programError(`${resource} requires ${required.join(" and ")}.`);
  }
  const given = args === undefined ? {} : args;
  assertArguments(resource, given);
  if (opts.import) throw programError(`${resource} does not support the import option: ${adoptionHint}.`);
  return given as Args;
}

function requiredArguments({ fields }: Definition): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    "operations" in field && field.required && field.setting === undefined ? [name] : [],
  );
}
