import { z } from "zod";

/**
 * The data of a report. The JSON format contains it, and all other formats are rendered from it.
 * Secret values are "[secret]".
 */

export const OPERATIONS = [
  "create",
  "adopt",
  "update",
  "replace",
  "delete",
  "forget",
  "read",
  "discard",
  "import",
  "same",
] as const;

/**
 * adopt: the object exists, although the engine reports a creation. forget: removed from state, but
 * still running. read: a changed external resource. discard: an external resource that is no longer
 * read.
 */
export type Operation = (typeof OPERATIONS)[number];

/** A change that needs a review, with the reason. */
export interface Warning {
  /** Empty if the warning is not about a resource. */
  readonly urn: string;
  readonly name: string;
  readonly reason: string;
}

export interface PropertyChange {
  /** The path of the property, such as settings.engineMaxThreads. */
  readonly place: string;
  /** The value before the change; absent if it was not declared. */
  readonly before: unknown;
  /** The new value; absent if no longer declared. An unknown value is the engine's marker. */
  readonly after: unknown;
  /** For lists: removed and added entries. */
  readonly entries:
    | { readonly removed: readonly unknown[]; readonly added: readonly unknown[] }
    | undefined;
  /** True if the program no longer declares the property, so that the server keeps the value. */
  readonly isReleased: boolean;
  /** True if the change requires replacement. */
  readonly replaces: boolean;
}

export interface ResourceChange {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** The object that is adopted, imported, read or given entries; absent otherwise. */
  readonly id: string | undefined;
  readonly operation: Operation;
  /** True if Pulumi no longer manages the resource afterwards. */
  readonly isGone: boolean;
  /** The names of the enclosing components, outermost first. */
  readonly path: readonly string[];
  readonly properties: readonly PropertyChange[];
}

/** Size limits of a service. Unknown limits are absent. */
export interface Size {
  /** The maximum memory of a replica. */
  readonly memoryGb: number | undefined;
  readonly replicas: number | undefined;
  /** The maximum memory of all replicas, if a deprecated argument declares it. */
  readonly totalGb: number | undefined;
}

export interface CapacityRow {
  readonly name: string;
  readonly before: Size | undefined;
  readonly after: Size | undefined;
  /** True if the service keeps running and costing money without Pulumi. */
  readonly isLeftBehind: boolean;
  /** True if the size certainly stays the same, even if unknown. */
  readonly isUnchanged: boolean;
  /** True if the program marks a part of the size as secret. */
  readonly isSecret: boolean;
}

/** The maximum size of all services: memory of a replica times replicas. */
export interface Capacity {
  readonly rows: readonly CapacityRow[];
  readonly beforeGb: number;
  readonly afterGb: number;
  /** Services whose size is unknown before or after. */
  readonly uncounted: readonly string[];
  /** The maximum cost of the counted services, with --price-per-gb-hour. */
  readonly monthlyCost: { readonly before: number; readonly after: number } | undefined;
}

/** The results of policies, failed ones first. */
export const RESULTS = [
  "failed",
  "warned",
  "not checked",
  "excepted",
  "not evaluated",
  "remediated",
  "passed",
] as const;

/** The severities of policies, worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** The results of a policy. A finding of many resources is listed once. */
export interface PolicyGroup {
  readonly policy: string;
  readonly pack: string;
  /**
   * excepted: allowed by Pulumi's own exceptions. remediated: the policy changed arguments to
   * comply. not evaluated: without findings when the preview failed.
   */
  readonly result: (typeof RESULTS)[number];
  /** The severity in the pack, if any. */
  readonly severity?: (typeof SEVERITIES)[number] | undefined;
  readonly count: number;
  readonly findings: readonly { readonly message: string; readonly names: readonly string[] }[];
}

/** The redacted contents of a report. */
export interface Analysis {
  /** The organization; empty if unknown, since events do not contain it. */
  readonly organization: string;
  readonly project: string;
  /** The stack; empty if the preview failed without naming it. */
  readonly stack: string;
  readonly outcome: "succeeded" | "failed" | "cut off";
  /** The flags that select resources, such as `--target` and a URN. */
  readonly selection: readonly string[];
  /**
   * The Pulumi command that applies the preview; "not known" if a script hides it. Absent for
   * events from a file.
   */
  readonly command?: "up" | "destroy" | "refresh" | "not known" | undefined;
  /**
   * True if events are missing or broken, so that the report may lack changes, policy results and
   * errors.
   */
  readonly lacksEvents: boolean;
  /** The reasons of a failure, in the engine's words. */
  readonly errors: readonly string[];
  /** The operation on the stack's own entry. */
  readonly stackOperation: Operation;
  readonly counts: Readonly<Record<string, number>>;
  /** One change for each step with an effect. */
  readonly changes: readonly ResourceChange[];
  /** Changes outside of Pulumi. */
  readonly drift: readonly ResourceChange[];
  /** Stack outputs that change. */
  readonly outputs: readonly PropertyChange[];
  /** The names of outputs with unknown values, which may change. */
  readonly openOutputs: readonly string[];
  /** Changes that restoring the old program does not undo. */
  readonly irreversible: readonly Warning[];
  /** Protection, retention, providers, access and policies that need a reviewer's attention. */
  readonly attention: readonly Warning[];
  readonly capacity: Capacity;
  /** The results of policies, worst first. */
  readonly policies: readonly PolicyGroup[];
  /** Skipped checks as sentences. */
  readonly unchecked: readonly string[];
  /** Checks that the preview did not run. */
  readonly notCovered: readonly ("policies" | "drift")[];
}

/**
 * The report with --format json. Adding a field keeps the version; changing or removing one
 * increases it.
 */
export interface JsonReport {
  readonly version: 1;
  readonly about: {
    /** The notice above the report, from --notice. */
    readonly notice: string | undefined;
    readonly commit: string | undefined;
    readonly runUrl: string | undefined;
    /** The time of the report, with commit or runUrl. */
    readonly time: string | undefined;
  };
  readonly stacks: readonly Analysis[];
}

/** An optional value. JSON has no undefined. */
function maybe<T>(schema: z.ZodType<T>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const value = z
  .unknown()
  .optional()
  .transform((any) => any);

const { array, boolean, enum: oneOf, number, object, record, string, unknown } = z;
const texts = array(string());
const warnings = array(object({ urn: string(), name: string(), reason: string() }));
const property = object({
  place: string(),
  before: value,
  after: value,
  entries: maybe(object({ removed: array(unknown()), added: array(unknown()) })),
  isReleased: boolean(),
  replaces: boolean(),
});
const change = object({
  urn: string(),
  type: string(),
  name: string(),
  id: maybe(string()),
  operation: oneOf(OPERATIONS),
  isGone: boolean(),
  path: texts,
  properties: array(property),
});
const size = object({
  memoryGb: maybe(number()),
  replicas: maybe(number()),
  totalGb: maybe(number()),
});
const row = object({
  name: string(),
  before: maybe(size),
  after: maybe(size),
  isLeftBehind: boolean(),
  isUnchanged: boolean(),
  isSecret: boolean(),
});
const capacity = object({
  rows: array(row),
  beforeGb: number(),
  afterGb: number(),
  uncounted: texts,
  monthlyCost: maybe(object({ before: number(), after: number() })),
});
const policy = object({
  policy: string(),
  pack: string(),
  result: oneOf(RESULTS),
  count: number(),
  severity: maybe(oneOf(SEVERITIES)),
  findings: array(object({ message: string(), names: texts })),
});
const stack = object({
  organization: string(),
  project: string(),
  stack: string(),
  lacksEvents: boolean(),
  outcome: oneOf(["succeeded", "failed", "cut off"]),
  command: maybe(oneOf(["up", "destroy", "refresh", "not known"])),
  selection: texts,
  errors: texts,
  unchecked: texts,
  openOutputs: texts,
  stackOperation: oneOf(OPERATIONS),
  counts: record(string(), number()),
  capacity,
  changes: array(change),
  drift: array(change),
  outputs: array(property),
  irreversible: warnings,
  attention: warnings,
  policies: array(policy),
  notCovered: array(oneOf(["policies", "drift"])),
});

/** The schema of a JSON report, which may come from an untrusted program. */
export const JSON_REPORT = object({
  version: z.literal(1),
  stacks: array(stack).min(1) satisfies z.ZodType<readonly Analysis[]>,
});
