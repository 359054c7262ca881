import { z } from "zod";

/**
 * The data of a report. The build makes report.schema.json from it, and the types of an analysis come from it: a
 * description here is documentation for users.
 */

const text = z.string();
const texts = z.array(text);
const count = z.int().nonnegative();

const operation = z
  .enum(["create", "update", "replace", "delete", "forget", "read", "discard", "import", "same"])
  .meta({
    id: "operation",
    description:
      "forget: removed from state; it keeps running, and Pulumi no longer manages it. read: an external resource that has changed. discard: it is no longer read.",
  });

const finding = z
  .object({ urn: text.describe("Empty if it is not about a resource."), name: text, reason: text })
  .meta({ id: "finding" });

const property = z
  .object({
    place: text.describe("Such as settings.engineMaxThreads."),
    before: z.unknown().optional().describe("Absent if it was not declared."),
    after: z
      .unknown()
      .optional()
      .describe(
        "Absent if it is no longer declared. A value that is not known yet is the engine's marker, 04da6b54-80e4-46f7-96ec-b56ff0331ba9.",
      ),
    entries: z
      .object({ removed: z.array(z.unknown()), added: z.array(z.unknown()) })
      .optional()
      .describe("For lists: removed and added entries."),
    isReleased: z.boolean().describe("No longer declared: the server keeps the value, unmanaged."),
    replaces: z.boolean().describe("Changing it requires replacement."),
    sources: texts.describe("The names of the resources that an unknown value comes from."),
  })
  .meta({ id: "property" });

const change = z
  .object({
    urn: text,
    type: text,
    name: text,
    id: text.optional().describe("The object that is imported or read; absent for other operations."),
    operation,
    isGone: z.boolean().describe("True if Pulumi no longer manages it afterwards."),
    path: texts.describe("The names of the components that contain it, outermost first."),
    dependencies: texts.describe("The URNs it depends on, if the input has them."),
    properties: z.array(property),
  })
  .meta({ id: "change" });

const size = z
  .object({
    memoryGb: z
      .number()
      .optional()
      .describe("The maximum memory of a replica. Every field is absent if it is not known."),
    replicas: z.number().optional(),
    minMemoryGb: z.number().optional().describe("The minimum memory of a replica."),
    totalGb: z.number().optional().describe("The maximum memory of all replicas together, if the program declares it."),
    minTotalGb: z
      .number()
      .optional()
      .describe("The minimum memory of all replicas together, if the program declares it."),
    mayScaleToZero: z.boolean().optional(),
    provider: text.optional(),
    region: text.optional(),
  })
  .meta({ id: "size" });

const monthlyCost = z
  .object({
    from: z
      .number()
      .optional()
      .describe("Scaled down: minimum memory of a replica times replicas; with idle scaling, only the active hours."),
    to: z.number().optional().describe("Scaled up: maximum memory of a replica times replicas."),
  })
  .meta({ id: "monthlyCost", description: "Each amount is absent if it is not known." });

const costs = { before: monthlyCost.optional(), after: monthlyCost.optional() };
const costChange = z.object({ ...costs, unknown: texts.describe("Unknown values that the costs depend on.") });
const totalCost = z.object({ currency: text.describe("ISO 4217."), ...costs });

const capacityRow = z.object({
  name: text,
  before: size.optional(),
  after: size.optional(),
  isLeftBehind: z.boolean().describe("It keeps running and costing money without Pulumi."),
  isUnchanged: z.boolean().describe("Its size and place certainly stay as they are, known or not."),
  isSecret: z.boolean().describe("The program marks a part of its size as secret."),
  cost: costChange.optional().describe("Present with --prices."),
});

const capacity = z
  .object({
    rows: z.array(capacityRow),
    beforeGb: z.number(),
    afterGb: z.number(),
    uncounted: texts.describe("Services whose size is not known before or after."),
    cost: totalCost
      .optional()
      .describe("Present with --prices: the cost of all services together, without those whose cost is unknown."),
  })
  .meta({
    id: "capacity",
    description:
      'The size that all services may grow to: memory of a replica times replicas. If notCovered contains "unchanged resources", totals count changed services only.',
  });

const policy = z
  .object({
    policy: text,
    pack: text,
    result: z
      .enum(["failed", "warned", "not checked", "remediated", "passed"])
      .describe("remediated: it has changed arguments so that they comply."),
    count: count.describe("Results in total."),
    findings: z.array(z.object({ message: text, names: texts.describe("The affected resources.") })),
  })
  .meta({ id: "policy" });

const position = z
  .object({
    file: text.describe("Relative to the root of the repository."),
    line: z.int().positive(),
    column: z.int().positive().optional(),
  })
  .meta({ id: "position" });

const policyResult = z
  .object({
    policy: text,
    description: text.describe("The policy's description, or empty if the input does not have it."),
    pack: text,
    result: z.enum(["failed", "warned", "not checked", "exempt", "remediated", "passed"]),
    urn: text.describe("Empty if it is not about a resource."),
    message: text,
    exemption: text.optional().describe("exempt: its last day, the reason, and who approved it."),
    position: position.optional().describe("Where the program declares the resource, if the input has it."),
  })
  .meta({ id: "policyResult" });

const analysis = z.object({
  project: text,
  stack: text.describe("Empty if the preview failed before it named one."),
  outcome: z.enum(["succeeded", "failed", "cut off"]),
  audit: z
    .object({
      updated: text.optional().describe("The time of its last update."),
      isEmpty: z.boolean().optional().describe("True if the stack has no resources."),
    })
    .optional()
    .describe("Present for an audit of the stored state, which has no changes."),
  errors: texts.describe("The reasons of a failure, in the engine's words."),
  stackOperation: operation.describe("The operation on the stack's own entry."),
  counts: z.record(text, count).describe("The number of changes by operation."),
  changes: z.array(change).describe("One for each step that changes something."),
  drift: z.array(change).describe("Changes outside of Pulumi."),
  outputs: z.array(property).describe("Stack outputs that change."),
  irreversible: z.array(finding).describe("Changes that going back to the old program does not undo."),
  attention: z
    .array(
      finding.extend({
        isEnding: z.boolean().describe("True for an exemption that only time brings closer to its end."),
      }),
    )
    .describe("Protection, retention, providers, access and policies that need a reviewer's attention."),
  weakened: count.optional().describe("The number of policies that are disabled or weaker; absent without --policies."),
  capacity,
  policies: z.array(policy).describe("Worst first."),
  results: z
    .array(policyResult)
    .describe("The results behind policies, one per violation; exempt ones are listed under the policy they violate."),
  unchecked: texts.describe("Skipped checks, in sentences."),
  notCovered: z
    .array(z.enum(["policies", "drift", "outputs", "unchanged resources"]))
    .describe("The parts that this kind of input does not contain."),
});

const stack = analysis
  .extend({
    labels: texts.describe("Labels for a pull request: no-changes, irreversible, policy-failed, an operation ..."),
  })
  .meta({ id: "stack" });

/** Adding a field does not change the version. */
export const VERSION = 1;

export const jsonReport = z
  .object({
    version: z.literal(VERSION),
    about: z.object({
      notice: text.optional().describe("The first line of the report: --notice."),
      commit: text.optional(),
      runUrl: text.optional(),
      time: text.optional().describe("The time of the report; present with commit or runUrl."),
    }),
    stacks: z.array(stack),
  })
  .meta({
    title: "The report of clouddb-report --format json",
    description:
      'Version 1. Fields may be added within a version; changing or removing one makes a new version. Secret values are replaced with "[secret]".',
  });

/** Read-only, and with every key: an absent value is undefined. */
type Data<T> = T extends readonly (infer Entry)[]
  ? readonly Data<Entry>[]
  : T extends object
    ? { readonly [Name in keyof T]-?: Data<T[Name]> }
    : T;

export type Operation = z.infer<typeof operation>;
/** A change to read before merging, and the reason. */
export type Warning = Data<z.infer<typeof finding>>;
export type PropertyChange = Data<z.infer<typeof property>>;
export type ResourceChange = Data<z.infer<typeof change>>;
export type CostChange = Data<z.infer<typeof costChange>>;
export type TotalCost = Data<z.infer<typeof totalCost>>;
export type CapacityRow = Data<z.infer<typeof capacityRow>>;
export type Capacity = Data<z.infer<typeof capacity>>;
/** The results of one policy; a finding that many resources share is listed once. */
export type PolicyGroup = Data<z.infer<typeof policy>>;
export type Position = Data<z.infer<typeof position>>;
/** One result of one policy. */
export type ResultEntry = Data<z.infer<typeof policyResult>>;
/** Everything that a report is rendered from, already redacted. */
export type Analysis = Data<z.infer<typeof analysis>>;
export type JsonReport = Data<z.infer<typeof jsonReport>>;
