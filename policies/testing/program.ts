import { type PolicyResource, unknownCheckingProxy } from "@pulumi/policy";
import { isRecord, type ResourceName, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";
import { isClassOf } from "../core/pulumi-internals";
import { recordSecrets } from "../core/resource";

/** A program for policy tests. */
export interface Program {
  /** The stack's name. Default: `dev`. */
  readonly stack?: string;
  /** The policy's settings, as in a configuration file. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly resources: readonly ProgramResource[];
}

export interface ProgramResource {
  /**
   * The type: a short name such as `Service`, or another package's full type such as
   * `aws:s3/bucket:Bucket`.
   */
  readonly type: ResourceName | (string & {});
  readonly name: string;
  /** The arguments. `UNKNOWN` replaces an unknown value. */
  readonly args: Readonly<Record<string, unknown>>;
  /** A Service is protected by default. */
  readonly options?: { readonly protect?: boolean };
  /** The properties for policies over the stack: outputs, if known. Default: the arguments. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /**
   * The resources that arguments come from, such as `{ serviceId: "analytics" }` for `serviceId:
   * analytics.id`.
   */
  readonly from?: Readonly<Record<string, string>>;
  /**
   * True if `--target` or `--exclude` excludes the resource, so that the engine passes no
   * arguments.
   */
  readonly isExcluded?: boolean;
}

type Args = ProgramResource["args"];

/** Resources of example programs. */
export const service = (args: Args, name = "analytics"): ProgramResource => ({
  type: "Service",
  name,
  args,
});
export const scaling = (args: Args, name = "size"): ProgramResource => ({
  type: "ServiceScaling",
  name,
  args,
});
export const access = (args: Args, name = "reporting"): ProgramResource => ({
  type: "ServiceAccess",
  name,
  args,
});
export const pipe = (args: Args, name = "orders"): ProgramResource => ({
  type: "Pipe",
  name,
  args,
});

/** Thrown by `args.notApplicable`. */
export class NotApplicable extends Error {}

/** Common arguments of resource and stack policies. */
export function commonArgs({ settings = {} }: Program) {
  return {
    stackTags: new Map<string, string>(),
    getConfig: <T extends object>() => structuredClone(settings) as T,
    notApplicable(reason?: string): never {
      throw new NotApplicable(reason);
    },
  };
}

/** The resources as policies receive them: with arguments first, and with outputs at the end. */
export function judgedResources(program: Program) {
  const judged = program.resources.map((resource) => {
    const { args, outputs = args, from = {} } = resource;
    const declared = { ...resourceArgs(resource, program, args), ...commonArgs(program) };
    const finished = {
      ...resourceArgs(resource, program, outputs),
      dependencies: [],
      propertyDependencies: {},
    };
    return { declared, finished: finished as PolicyResource, from };
  });
  const named = (name: string) =>
    judged.flatMap(({ finished }) => (finished.name === name ? [finished] : []));
  for (const { finished, from } of judged) {
    for (const [argument, source] of Object.entries(from))
      finished.propertyDependencies[argument] = named(source);
  }
  return judged;
}

const ORGANIZATION = "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01";

function resourceArgs(
  { type, name, options, isExcluded }: ProgramResource,
  { stack = "dev" }: Program,
  values: object,
) {
  const token = type.includes(":") ? type : `pulumi-nodejs:dynamic/clouddb:${type}`;
  const isOurs = /\bclouddb:/.test(token);
  // The provider's check adds the organization to every resource.
  const all = { ...(isOurs && { organizationId: ORGANIZATION }), ...structuredClone(values) };
  const urn = `urn:pulumi:${stack}::program::${token}::${name}`;
  recordSecrets(urn, all);
  const props = unknownCheckingProxy(isExcluded ? {} : (withoutMarks(all) as object));
  const isType = (resourceClass: object) => isClassOf(token, resourceClass);
  return {
    type: token,
    name,
    urn,
    props,
    opts: {
      protect: options?.protect ?? type === "Service",
      ignoreChanges: [],
      aliases: [],
      additionalSecretOutputs: [],
      customTimeouts: { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 },
    },
    isType,
    asType: (resourceClass: object) => (isType(resourceClass) ? props : undefined) as never,
  };
}

/** A value without secret marks, as the SDK passes it. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isRecord(value)) return value;
  if (value[SIGNATURE] === SECRET_MARK) return withoutMarks(value.value);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutMarks(inner)]),
  );
}
