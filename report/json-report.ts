import { z } from "zod";

/**
 * The data of a report: the JSON format has it, and every other format is rendered from it. Secret
 * values are "[secret]".
 */

const OPERATIONS = [
  ...(["create", "adopt", "update", "replace", "delete"] as const),
  ...(["forget", "read", "discard", "import", "same"] as const),
] as const;

/**
 * adopt: the engine says create, but the object exists. forget: removed from state; it keeps
 * running, and Pulumi no longer manages it. read: an external resource that has changed. discard:
 * it is no longer read.
 */
export type Operation = (typeof OPERATIONS)[number];

/** A change to read before merging, and the reason. */
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
  /**
   * The new value; absent if it is no longer declared. The engine's marker stands for a value that
   * is not known yet.
   */
  readonly after: unknown;
  /** For lists: removed and added entries. */
  readonly entries:
    | { readonly removed: readonly unknown[]; readonly added: readonly unknown[] }
    | undefined;
  /** True if the property is no longer declared: the server keeps the value, unmanaged. */
  readonly isReleased: boolean;
  /** True if the change requires replacement. */
  readonly replaces: boolean;
}

export interface ResourceChange {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** The object that is adopted, imported or read, or gets entries; absent otherwise. */
  readonly id: string | undefined;
  readonly operation: Operation;
  /** True if Pulumi no longer manages the resource afterwards. */
  readonly isGone: boolean;
  /** The names of the components that contain the resource, outermost first. */
  readonly path: readonly string[];
  readonly properties: readonly PropertyChange[];
}

/** Size limits of a service; unknown ones are absent. */
export interface Size {
  /** The maximum memory of a replica. */
  readonly memoryGb: number | undefined;
  readonly replicas: number | undefined;
  /** The maximum memory of all replicas together, if a deprecated argument declares it. */
  readonly totalGb: number | undefined;
}

export interface CapacityRow {
  readonly name: string;
  readonly before: Size | undefined;
  readonly after: Size | undefined;
  /** True if the service keeps running and costing money without Pulumi. */
  readonly isLeftBehind: boolean;
  /** True if the size certainly stays the same, known or not. */
  readonly isUnchanged: boolean;
  /** True if the program marks a part of the size as secret. */
  readonly isSecret: boolean;
}

/** The size that all services may grow to: memory of a replica times replicas. */
export interface Capacity {
  readonly rows: readonly CapacityRow[];
  readonly beforeGb: number;
  readonly afterGb: number;
  /** Services whose size is not known before or after. */
  readonly uncounted: readonly string[];
  /** The maximum cost of all counted services; present with --price-per-gb-hour. */
  readonly monthlyCost: { readonly before: number; readonly after: number } | undefined;
}

/** The results of policies, failed ones first. */
export const RESULTS = [
  ...(["failed", "warned", "not checked", "excepted"] as const),
  ...(["not evaluated", "remediated", "passed"] as const),
] as const;

/** The severities of policies, worst first. */
export const SEVERITIES = ["critical", "high", "medium", "low"] as const;

/** The results of one policy; a finding that many resources share is listed once. */
export interface PolicyGroup {
  readonly policy: string;
  readonly pack: string;
  /**
   * excepted: Pulumi's own exceptions allow the violation. remediated: the policy has changed
   * arguments so that they comply. not evaluated: it found nothing before the preview failed.
   */
  readonly result: (typeof RESULTS)[number];
  /** The severity that the pack gives; absent if it gives none. */
  readonly severity?: (typeof SEVERITIES)[number] | undefined;
  /** The number of results. */
  readonly count: number;
  readonly findings: readonly { readonly message: string; readonly names: readonly string[] }[];
}

/** Everything that a report is rendered from, already redacted. */
export interface Analysis {
  /** The organization; empty if it is unknown, since events do not name it. */
  readonly organization: string;
  readonly project: string;
  /** The stack; empty if the preview failed before it named one. */
  readonly stack: string;
  readonly outcome: "succeeded" | "failed" | "cut off";
  /** The flags of the command that select resources, such as `--target` and a URN. */
  readonly selection: readonly string[];
  /**
   * The command of Pulumi that applies the preview; not known if a script hides it. Absent for
   * events from a file.
   */
  readonly command?: "up" | "destroy" | "refresh" | "not known" | undefined;
  /**
   * True if events are missing or broken: there may be more changes, policy results and errors than
   * the report has.
   */
  readonly lacksEvents: boolean;
  /** The reasons of a failure, in the engine's words. */
  readonly errors: readonly string[];
  /** The operation on the stack's own entry. */
  readonly stackOperation: Operation;
  /** The number of changes by operation. */
  readonly counts: Readonly<Record<string, number>>;
  /** One for each step that changes something. */
  readonly changes: readonly ResourceChange[];
  /** Changes outside of Pulumi. */
  readonly drift: readonly ResourceChange[];
  /** Stack outputs that change. */
  readonly outputs: readonly PropertyChange[];
  /** Names of stack outputs that may change: their values are not known yet. */
  readonly openOutputs: readonly string[];
  /** Changes that going back to the old program does not undo. */
  readonly irreversible: readonly Warning[];
  /** Protection, retention, providers, access and policies that need a reviewer's attention. */
  readonly attention: readonly Warning[];
  readonly capacity: Capacity;
  /** The results of policies, worst first. */
  readonly policies: readonly PolicyGroup[];
  /** Skipped checks, in sentences. */
  readonly unchecked: readonly string[];
  /** Checks that the preview did not make. */
  readonly notCovered: readonly ("policies" | "drift")[];
}

/**
 * The report of --format json. Adding a field does not change the version; changing or removing one
 * does.
 */
export interface JsonReport {
  readonly version: 1;
  readonly about: {
    /** The first line of the report: --notice. */
    readonly notice: string | undefined;
    readonly commit: string | undefined;
    readonly runUrl: string | undefined;
    /** The time of the report; present with commit or runUrl. */
    readonly time: string | undefined;
  };
  readonly stacks: readonly Analysis[];
}

/** An optional value: JSON has no undefined. */
function maybe<T>(schema: z.ZodType<T>) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A value of any type, or none. */
const value = z
  .unknown()
  .optional()
  .transform((any) => any);

const { array, boolean, enum: oneOf, number, object, record, string, unknown } = z;
const texts = array(string());
const warnings = array(object({ urn: string(), name: string(), reason: string() }));
const property = object({
  ...{ place: string(), before: value, after: value },
  entries: maybe(object({ removed: array(unknown()), added: array(unknown()) })),
  ...{ isReleased: boolean(), replaces: boolean() },
});
const change = object({
  ...{ urn: string(), type: string(), name: string(), id: maybe(string()) },
  ...{ operation: oneOf(OPERATIONS), isGone: boolean(), path: texts, properties: array(property) },
});
const size = object({
  ...{ memoryGb: maybe(number()), replicas: maybe(number()), totalGb: maybe(number()) },
});
const row = object({
  ...{ name: string(), before: maybe(size), after: maybe(size) },
  ...{ isLeftBehind: boolean(), isUnchanged: boolean(), isSecret: boolean() },
});
const capacity = object({
  ...{ rows: array(row), beforeGb: number(), afterGb: number(), uncounted: texts },
  monthlyCost: maybe(object({ before: number(), after: number() })),
});
const policy = object({
  ...{ policy: string(), pack: string(), result: oneOf(RESULTS), count: number() },
  severity: maybe(oneOf(SEVERITIES)),
  findings: array(object({ message: string(), names: texts })),
});

/** A JSON report that an untrusted program may have written. */
export const JSON_REPORT = object({
  version: z.literal(1),
  stacks: array(
    object({
      ...{ organization: string(), project: string(), stack: string(), lacksEvents: boolean() },
      outcome: oneOf(["succeeded", "failed", "cut off"]),
      command: maybe(oneOf(["up", "destroy", "refresh", "not known"])),
      ...{ selection: texts, errors: texts, unchecked: texts, openOutputs: texts },
      ...{ stackOperation: oneOf(OPERATIONS), counts: record(string(), number()), capacity },
      ...{ changes: array(change), drift: array(change), outputs: array(property) },
      ...{ irreversible: warnings, attention: warnings, policies: array(policy) },
      notCovered: array(oneOf(["policies", "drift"])),
    }),
  ).min(1) satisfies z.ZodType<readonly Analysis[]>,
});
