import type { Properties } from "../fields";
import { OWNER_CONFLICT } from "../names";
import { isGiven, isPending } from "./arguments";
import type { ClassAdapter, ClassDescription, ClassTable } from "./class-description";
import { findOwnerConflict } from "./duplicate-owners";
import * as pulumi from "./pulumi";

/** The properties that a class registers for its arguments: marked secrets, and an entry for each output. */
export function registeredProperties<Args extends object>(
  adapter: ClassAdapter,
  { name: className, table, ownedObjects }: ClassDescription<Args>,
  name: string,
  args: Args,
  opts: pulumi.CustomResourceOptions,
): Properties {
  let properties = { ...args } as Properties;
  for (const path of table.secretPaths) properties = markSecret(properties, path);
  const owned = ownedObjects(args, opts);
  return {
    ...Object.fromEntries(table.properties.map((property) => [property, undefined])),
    ...properties,
    ...(owned.length > 0 && { [OWNER_CONFLICT]: findOwnerConflict(name, owned) }),
    ...adapter.propertiesOf(className, name, properties, opts),
  };
}

/** Options that mark the API's own secret outputs, with the alias that leads from one adapter to the other. */
export function registeredOptions<Args>(
  adapter: ClassAdapter,
  { name: className, table }: ClassDescription<Args>,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const names = [...(opts.additionalSecretOutputs ?? []), ...table.secretNames];
  return {
    ...adapter.options,
    ...opts,
    additionalSecretOutputs: [...new Set(names)],
    aliases: withType(opts.aliases ?? [], adapter.otherTypeOf(className)),
  };
}

type Aliases = NonNullable<pulumi.CustomResourceOptions["aliases"]>;

/** The aliases, each under the other type as well, and that type alone. */
function withType(aliases: Aliases, type: string): Aliases {
  const renamed = aliases.flatMap((alias) =>
    typeof alias === "object" && !isPending(alias) && !("type" in alias) ? [{ ...alias, type }] : [],
  );
  return [...aliases, ...renamed, { type }];
}

/** A state has null for a secret that an object does not have, such as the password of an adopted service. */
export function withoutNulls(resource: pulumi.CustomResource, { secretNames }: ClassTable): void {
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const name of secretNames) outputs[name] = outputs[name]?.apply((value) => value ?? undefined) as never;
}

/** Says in the preview which declared arguments are deprecated. */
export function warnOfDeprecated({ deprecated }: ClassTable, args: object, resource: pulumi.Resource): void {
  for (const [name, warning] of Object.entries(deprecated)) {
    const declared = (args as Properties)[name];
    if (!isGiven(declared)) continue;
    pulumi.output(declared).apply((value) => isGiven(value) && pulumi.log.warn(warning, resource));
  }
}

function markSecret(properties: Properties, path: readonly string[]): Properties {
  const [name = "", ...rest] = path;
  const value = properties[name];
  if (!isGiven(value)) return properties;
  return { ...properties, [name]: markedValue(value, rest) };
}

/** A value in which the one at a path is a secret; what comes later is one as a whole, if it holds that. */
function markedValue(value: unknown, path: readonly string[]): unknown {
  if (isPending(value) && path.length > 0) {
    const later = pulumi.output(value) as pulumi.Output<unknown>;
    return later.apply((known) => (holds(known, path) ? pulumi.secret(known) : known));
  }
  const isGroup = typeof value === "object" && !isPending(value) && path.length > 0;
  return isGroup ? markSecret({ ...value } as Properties, path) : pulumi.secret(value);
}

/** True if there is something at a path, or a value that cannot have one. */
function holds(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (!isGiven(value)) return false;
  return name === undefined || typeof value !== "object" || holds((value as Properties)[name], rest);
}
