import type * as pulumi from "@pulumi/pulumi";
import { assertArguments } from "../arguments";
import type { Definition } from "../fields";
import { programError } from "../program-error";

/** Refuses what a resource class cannot use, in one sentence; `adoption` is what there is instead of an import. */
export function assertUsable(
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
    "via" in field && field.required && field.setting === undefined ? [name] : [],
  );
}
