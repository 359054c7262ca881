import { coded, render } from "../errors";
import type { Properties } from "../fields";
import { EMPTY } from "../names";
import { type Adapter, accountOf } from "./adapters";
import { assertArguments, isGiven, isPending, markSecret } from "./arguments";
import * as pulumi from "./pulumi";
import {
  afterTransformations,
  isMocked,
  programError,
  protectionOf,
  suppressTraces,
  typeOf,
} from "./pulumi-internals";

type Options = pulumi.CustomResourceOptions;

/** The parts of a resource's table for its class, generated so that programs load no schemas. */
export interface ClassTable {
  /** The resource's name in programs. */
  readonly name: string;
  /** True if the API can create but not delete the object. */
  readonly isCreated: boolean;
  /** The argument that names the object. */
  readonly id: string;
  /** The advice to use instead of Pulumi's import option. */
  readonly adoption: string;
  /** The names of all arguments and outputs. */
  readonly properties: readonly string[];
  /** The required arguments that no setting replaces. */
  readonly required: readonly string[];
  /** The paths of secret arguments. */
  readonly secretPaths: readonly (readonly string[])[];
  /** The properties that are entirely secret. */
  readonly secretNames: readonly string[];
  /** The outputs that only a creation returns. */
  readonly fromCreation: readonly string[];
  /** The warnings for deprecated arguments. */
  readonly deprecated: Readonly<Record<string, string>>;
}

/**
 * Checks a resource and prepares its registration. Suppresses the SDK's stack traces until the
 * registration ends.
 */
export function register(
  adapter: Adapter,
  table: ClassTable,
  name: string,
  declared: object | undefined,
  given: Options = {},
) {
  const opts = withoutNull(given);
  const args = checkedArguments(adapter, table, name, declared, opts);
  const user = `${table.name} "${name}"`;
  const account = accountOf(adapter, user, opts);
  const marked = table.secretPaths.reduce(markSecret, args);
  const options = registeredOptions(adapter, table, { ...opts, ...account });
  const properties: pulumi.Inputs = {
    // The SDK needs a property for each output.
    ...Object.fromEntries(table.properties.map((property) => [property, undefined])),
    ...marked,
    ...adapter.propertiesOf(table.name, name, marked, opts.parent),
    ...(table.isCreated && { [EMPTY]: emptyName(table.id, args[table.id]) }),
  };
  const type = adapter.typeOf(table.name);
  const kept = afterTransformations(options, (left) =>
    assertKept({ adapter, table, user }, options, left),
  );
  // Last, since an error before `finish` would leave the program without traces.
  const restoreTraces = suppressTraces();
  return {
    type,
    properties,
    options: kept,
    /** Ends a registration. */
    finish(resource: pulumi.CustomResource): void {
      withoutNulls(table, resource);
      describeUnprotected(table, name, args, opts, resource);
      if (!adapter.isNative) warnOfDeprecated(table, args, resource);
      restoreTraces();
    },
    /** Ends a failed registration. Returns the error with its place in the program. */
    fail: restoreTraces,
  };
}

/** The constructor arguments for `get`, after the name. */
export function parametersOfGet<Args extends object>(
  { isCreated, id: argument }: ClassTable,
  id: pulumi.Input<pulumi.ID>,
  state: object = {},
  opts: Options = {},
): [args: Args, opts: Options] {
  // For a created type, the id's argument would adopt the object.
  const args = isCreated ? state : { ...state, [argument]: id };
  return [args as Args, { ...(isCreated && { protect: false }), ...withoutNull(opts), id }];
}

export function isOfType(type: string, value: unknown): boolean {
  return pulumi.CustomResource.isInstance(value) && typeOf(value) === type;
}

/** The valid arguments. Throws a message if the class does not support them or the options. */
function checkedArguments(
  adapter: Adapter,
  { name: className, required, adoption }: ClassTable,
  name: string,
  args: object | undefined,
  opts: Options,
): Properties {
  const resource = `${className} "${name}"`;
  if (args === undefined && required.length > 0) {
    throw programError(coded("CDB1002", `${resource} requires ${required.join(" and ")}.`));
  }
  if (args !== undefined) assertArguments(resource, args);
  if (opts.import && !adapter.isNative) {
    throw programError(
      coded("CDB1015", `${resource} does not support the import option: ${adoption}.`),
    );
  }
  if (opts.customTimeouts && !adapter.isNative) {
    const advice = "remove it, or import the class from pulumi-clouddb/native.";
    throw programError(
      coded("CDB1014", `${resource} does not support the option customTimeouts: ${advice}`),
    );
  }
  return { ...args };
}

/** The options without null values, which count as omitted. */
function withoutNull(opts: Options): Options {
  return Object.fromEntries(Object.entries(opts).filter(([, value]) => isGiven(value)));
}

/**
 * The program's options, with the API's secrets marked and an alias for the other adapter. A
 * created object is protected unless the program or its parent sets protection. With
 * deleteBeforeReplace, replacing an unprotected object fails before a second one is created, and
 * other resources pass their entries to their replacements. This also covers `pulumi state taint`
 * and `--replace`, which diff does not see.
 */
export function registeredOptions(
  adapter: Adapter,
  { name, isCreated, secretNames }: ClassTable,
  opts: Options,
): Options {
  const isRetained = isCreated && opts.retainOnDelete === true;
  const isDecided = isRetained || isGiven(opts.protect) || isGiven(protectionOf(opts.parent));
  return {
    ...adapter.options,
    ...(!isRetained && { deleteBeforeReplace: true }),
    ...opts,
    ...(isCreated && !isDecided && { protect: true }),
    additionalSecretOutputs: [
      ...new Set([...(opts.additionalSecretOutputs ?? []), ...secretNames]),
    ],
    aliases: withType(opts.aliases ?? [], adapter.otherTypeOf(name)),
  };
}

/** Throws if transformations dropped an option without a replacement. */
function assertKept(
  { adapter, table, user }: { adapter: Adapter; table: ClassTable; user: string },
  options: Options,
  left: Options,
): void {
  const { protect, retainOnDelete, provider, parent } = options;
  const isMoved =
    provider !== undefined &&
    !isGiven(left.provider) &&
    !isGiven((left as pulumi.ComponentResourceOptions).providers) &&
    parent?.getProvider(adapter.typeOf("")) !== provider;
  const isKept = protect === true || (table.isCreated && retainOnDelete === true);
  const isLeft = left.retainOnDelete === true || isGiven(left.protect);
  const isOpen = isKept && !isLeft && protectionOf(left.parent) !== true;
  const [name, instead] = isMoved
    ? ["provider", "another provider"]
    : [protect === true ? "protect" : "retainOnDelete", "`protect` or `retainOnDelete`"];
  if (!isMoved && !isOpen) return;
  throw programError(
    coded(
      "CDB2013",
      `A transformation drops the option ${name} of ${user}: return \`opts\` with it,`,
      `such as \`pulumi.mergeOptions(opts, { … })\`, or set ${instead}.`,
    ),
  );
}

/**
 * The name of an argument whose Output resolves to undefined, probably because of a misspelled
 * name.
 */
function emptyName(name: string, value: unknown): pulumi.Output<string | undefined> | undefined {
  if (!isPending(value)) return undefined;
  return pulumi
    .unsecret(pulumi.output(value))
    .apply((known) => (isGiven(known) ? undefined : name));
}

type Aliases = NonNullable<Options["aliases"]>;

/** The aliases, also with the other adapter's type, and an alias with only that type. */
function withType(aliases: Aliases, type: string): Aliases {
  const renamed = aliases.flatMap((alias) =>
    typeof alias === "object" && !isPending(alias) && !("type" in alias)
      ? [{ ...alias, type }]
      : [],
  );
  return [...aliases, ...renamed, { type }];
}

/**
 * Logs in a preview that deleting an unprotected object would fail only in the update, since the
 * engine does not ask providers in a destroy's preview. The class cannot see a parent's options.
 */
function describeUnprotected(
  { name: className, isCreated, id }: ClassTable,
  name: string,
  args: Properties,
  { protect, retainOnDelete, parent, id: isRead }: Options,
  resource: pulumi.Resource,
): void {
  const isLost =
    isCreated && protect === false && !retainOnDelete && !parent && !isRead && !isGiven(args[id]);
  if (!isLost || !pulumi.isDryRun()) return;
  const warning = coded(
    "CDB5001",
    `${className} "${name}" is not protected: its removal and \`pulumi destroy\``,
    "succeed in the preview and then fail, because the API cannot delete it.",
    "To stop managing it, set `retainOnDelete: true`, run `pulumi up`, then remove it.",
  );
  void pulumi.log.info(render(warning), resource);
}

/**
 * Replaces null by undefined for create-only outputs that the object lacks, such as the password.
 */
function withoutNulls(
  { fromCreation, secretNames }: ClassTable,
  resource: pulumi.CustomResource,
): void {
  const outputs = resource as unknown as Record<string, pulumi.Output<unknown>>;
  for (const name of fromCreation) {
    const output = outputs[name]?.apply((value) => value ?? undefined) as pulumi.Output<unknown>;
    // Unlike the engine, mocks do not mark outputs.
    outputs[name] = isMocked() && secretNames.includes(name) ? pulumi.secret(output) : output;
  }
}

/** Warns of deprecated arguments in the preview. */
function warnOfDeprecated(
  { deprecated }: ClassTable,
  args: Properties,
  resource: pulumi.Resource,
): void {
  for (const [name, warning] of Object.entries(deprecated)) {
    if (!isGiven(args[name])) continue;
    pulumi
      .output(args[name])
      .apply((value) => isGiven(value) && pulumi.log.warn(warning, resource));
  }
}
