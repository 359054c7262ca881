import type * as pulumi from "@pulumi/pulumi";
import type { Definition } from "../fields";
import { assertArguments } from "../program/arguments";
import { programError } from "../program/program-error";

/** Refuses what a resource class cannot use, in one sentence; `adoption` is what there is instead of an import. */
export function assertResourceArguments(
  definition: Definition,
  resource: string,
  args: unknown,
  opts: pulumi.CustomResourceOptions,
  adoption: string,
): void {
  if (args === undefined) {
    throw programError(`${resource} needs ${requiredOf(definition).join(" and ")}.`);
  }
  assertArguments(resource, args);
  if (opts.import) throw programError(`${resource} cannot use the import option: ${adoption}.`);
}

function requiredOf({ fields }: Definition): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    "operations" in field && field.required && field.setting === undefined ? [name] : [],
  );
}
