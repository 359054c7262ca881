import type {
  EnforcementLevel,
  PolicyConfigSchema,
  ReportViolation,
  ResourceValidationArgs,
  Severity,
  StackValidationArgs,
} from "@pulumi/policy";
import { hasUnknown, type ResourceName, UNKNOWN } from "pulumi-clouddb-facts";
import type { z } from "zod";
import type { Program } from "../testing/program";
import { withExemptions } from "./exemptions";
import { plainError, unknownValueError } from "./pulumi-internals";
import {
  declaredResource,
  describeResource,
  isExcluded,
  isOurs,
  once,
  type PolicyResource,
  reportedExclusions,
} from "./resource";
import { configSchemaOf, type Settings, settingsErrors, settingsFor } from "./settings";
import { finishedResources, outputViews, type StackResource } from "./stack";

/**
 * A policy's access to values and reports. Unknown values that it reads are reported at the end.
 */
export interface PolicyContext {
  /** The value at a path such as `settings.engineMaxThreads`; undefined if absent or unknown. */
  readonly read: (resource: PolicyResource, path: string) => unknown;
  /** Like `read`, but for an undeclared argument, evaluates the output once known. */
  readonly readKnown: (resource: PolicyResource, path: string) => unknown;
  /**
   * Like `readKnown`, for a value that every new service needs. `reason` completes "declare it,
   * because …". Reported as missing only at the end, since other resources or outputs may have the
   * value.
   */
  readonly require: (resource: PolicyResource, path: string, reason: string) => unknown;
  /** Reports a violation. The default `note` says that an output is a current value. */
  readonly reportViolation: (
    resource: PolicyResource | undefined,
    text: string,
    note?: string,
  ) => void;
  /** Reports a skipped check with its reason. */
  readonly reportUnchecked: (resource: PolicyResource | undefined, text: string) => void;
}

type Evaluate<Schema extends z.ZodType, Evaluated> = (
  evaluated: Evaluated,
  settings: Settings<z.output<Schema>>,
  context: PolicyContext,
) => void;

export interface PolicyDefinition<Schema extends z.ZodType> {
  readonly name: string;
  readonly level: EnforcementLevel;
  readonly severity: Severity;
  /** The requirement, in one sentence. */
  readonly description: string;
  /** The reason for the requirement, for the documentation. */
  readonly reason: string;
  readonly settings: Schema;
  /** The problem with settings that match the schema, unless the policy is disabled. */
  readonly settingsProblem?: (values: z.output<Schema>) => string | undefined;
  /** Short programs that comply with or violate the policy, for documentation and tests. */
  readonly good: Program;
  readonly bad: Program;
  readonly resourceTypes: readonly ResourceName[];
  /** Evaluates the declared arguments of a resource, before it is changed. */
  readonly evaluate?: Evaluate<Schema, PolicyResource>;
  /** Also evaluates outputs of undeclared arguments at the end. */
  readonly evaluatesOutputs?: true;
  /** Evaluates all resources together at the end. */
  readonly evaluateStack?: Evaluate<Schema, readonly StackResource[]>;
}

/** A policy for a pack, with data for documentation and settings validation. */
export interface CloudDbPolicy<
  Name extends string = string,
  Schema extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name;
  readonly description: string;
  readonly enforcementLevel: EnforcementLevel;
  readonly severity: Severity;
  readonly configSchema: PolicyConfigSchema;
  readonly validateResource: (args: ResourceValidationArgs, report: ReportViolation) => void;
  readonly validateStack?: (args: StackValidationArgs, report: ReportViolation) => void;
  readonly definition: PolicyDefinition<z.ZodType>;
  readonly settings: Schema;
  /** The errors in the policy's settings. */
  readonly settingsErrors: (config: Readonly<Record<string, unknown>>) => string[];
}

export function createPolicy<const Name extends string, Schema extends z.ZodObject>(
  definition: PolicyDefinition<Schema> & { readonly name: Name },
): CloudDbPolicy<Name, Schema> {
  const { name, description, level, severity, settings: schema, resourceTypes } = definition;
  const { evaluate, evaluatesOutputs, evaluateStack, settingsProblem } = definition;

  function errorsIn({
    enforcementLevel = level,
    ...config
  }: Readonly<Record<string, unknown>>): string[] {
    const errors = settingsErrors(name, schema, config);
    if (errors.length > 0 || enforcementLevel === "disabled") return errors;
    const problem = settingsProblem?.(schema.parse(config));
    return problem === undefined ? [] : [`${name}: ${problem}`];
  }
  function parseSettings(config: object, stack: string): Settings<z.output<Schema>> {
    // This package's own pack validates settings earlier, unlike a pack of single policies.
    const errors = errorsIn({ ...config, enforcementLevel: "mandatory" });
    if (errors.length > 0) throw plainError(`Invalid policy settings: ${errors.join("; ")}.`);
    const settings = settingsFor(schema.parse(config), stack);
    // Two patterns may contradict each other only for a stack that matches both.
    const problem = settingsProblem?.(settings.values);
    if (problem === undefined) return settings;
    throw plainError(`Invalid policy settings for the stack ${stack}: ${name}: ${problem}.`);
  }
  let last: { readonly key: string; readonly settings: Settings<z.output<Schema>> } | undefined;
  function settingsOf(
    args: Pick<StackValidationArgs, "getConfig">,
    stack: string,
  ): Settings<z.output<Schema>> {
    const config = args.getConfig<object>();
    const key = JSON.stringify([stack, config]);
    if (last?.key !== key) last = { key, settings: parseSettings(config, stack) };
    return last.settings;
  }

  return {
    name,
    description,
    enforcementLevel: level,
    severity,
    configSchema: configSchemaOf(schema),
    settings: schema,
    definition: definition as unknown as PolicyDefinition<z.ZodType>,
    settingsErrors: errorsIn,
    // Also called for policies over the stack, to record resources.
    validateResource(args, report) {
      if (!isOurs(args)) return;
      const resource = once(args.urn, () => declaredResource(args));
      if (isExcluded(args)) return reportExcluded(resource);
      if (evaluate === undefined || !resourceTypes.includes(resource.type)) return;
      const settings = settingsOf(args, resource.stack);
      runEvaluation(withExemptions(report, definition), (context) =>
        evaluate(resource, settings, context),
      );
    },
    ...((evaluateStack || evaluatesOutputs) && {
      validateStack(args, report) {
        const resources = once("resources", () => finishedResources(args));
        const [first] = resources;
        if (first === undefined) return;
        const settings = settingsOf(args, first.stack);
        runEvaluation(withExemptions(report, definition), (context) => {
          evaluateStack?.(resources, settings, context);
          for (const view of evaluatesOutputs ? once("views", () => outputViews(resources)) : []) {
            if (resourceTypes.includes(view.type)) evaluate?.(view, settings, context);
          }
        });
      },
    }),
  };
}

function reportExcluded(resource: PolicyResource): void {
  if (reportedExclusions.has(resource.urn)) return;
  reportedExclusions.add(resource.urn);
  throw unknownValueError(
    `${describeResource(resource)}: no policy has checked it, because its arguments are not known: this run excludes it (--target, --exclude), or its provider is not configured yet.`,
  );
}

const CURRENT_VALUE = " The program does not declare it; this is its current value.";

/**
 * Evaluates a policy. Reports skipped checks last, in an error that the SDK shows as an advisory at
 * any level. Earlier violations keep their level.
 */
function runEvaluation(report: ReportViolation, evaluate: (context: PolicyContext) => void): void {
  const unchecked = new Map<string, Set<string>>();
  const reportUnchecked: PolicyContext["reportUnchecked"] = (resource, text) => {
    const label = resource === undefined ? "" : `${describeResource(resource)}: `;
    unchecked.set(label, (unchecked.get(label) ?? new Set()).add(text));
  };
  const reportViolation: PolicyContext["reportViolation"] = (resource, text, note) => {
    if (resource === undefined) return report(text);
    const suffix = note ?? (resource.evaluates === "outputs" ? CURRENT_VALUE : "");
    report(`${describeResource(resource)}: ${text}${suffix}`, resource.urn);
  };
  const read: PolicyContext["read"] = (resource, path) => {
    const value = resource.value(path);
    if (hasUnknown(value)) reportUnchecked(resource, `${path} is not known yet`);
    return value === UNKNOWN ? undefined : value;
  };
  const isMissing = (resource: PolicyResource, path: string) =>
    resource.evaluates === "outputs" &&
    resource.isUndeclared(path) &&
    resource.value(path) === undefined;
  const readKnown: PolicyContext["readKnown"] = (resource, path) => {
    if (isMissing(resource, path))
      reportUnchecked(resource, `${path} is not declared and not known yet`);
    return read(resource, path);
  };
  const require: PolicyContext["require"] = (resource, path, reason) => {
    if (!resource.mayBeCreated || !isMissing(resource, path)) return readKnown(resource, path);
    reportViolation(resource, describeUndeclared(path, reason), "");
    return undefined;
  };
  evaluate({ read, readKnown, require, reportViolation, reportUnchecked });
  if (unchecked.size === 0) return;
  const parts = [...unchecked].map(([label, texts]) => label + [...texts].join(", "));
  throw unknownValueError(`${parts.join("; ")}. All known values were checked.`);
}

export function describeUndeclared(path: string, reason: string): string {
  return `${path} is not declared and its value is not known; declare it, because ${reason}.`;
}
