import { isRecord } from "pulumi-clouddb-facts";
import { z } from "zod";
import { SEVERITIES } from "../json-report";
import type { Properties } from "../preview";

/**
 * The engine's events. Other members and events are skipped, and null counts as absent. A member of
 * another type is an error: without it, a report could lack a change.
 */

function or<T>(schema: z.ZodType<T>, absent: NoInfer<T>) {
  return schema.nullish().transform((value) => value ?? absent);
}

const text = or(z.string(), "");
const flag = or(z.boolean(), false);
const texts = or(z.array(z.string()), []);
const properties = or(
  z.custom<Properties>((value) => isRecord(value)),
  {},
);

/** A resource's state. */
const rawState = z.object({
  ...{ urn: text, id: text, inputs: properties, outputs: properties, parent: text, provider: text },
  ...{ protect: flag, retainOnDelete: flag, delete: flag },
});
export type RawState = z.output<typeof rawState>;

const step = z.object({
  ...{
    op: z.string(),
    urn: z.string(),
    type: z.string(),
    old: rawState.nullish(),
    new: rawState.nullish(),
  },
  ...{ keys: texts, diffs: texts, detailedDiff: properties },
  /** Not set for the halves of a replacement and for refreshes. */
  logical: flag,
});
export type EngineStep = z.output<typeof step>;

const policy = { resourceUrn: text, policyName: z.string(), policyPackName: z.string() };
/** Pulumi's own exception from a policy: it allows the violation, whose level stays. */
const exception = z.object({ id: text, reason: text });
const policyFinding = z.object({
  ...policy,
  ...{ message: z.string(), enforcementLevel: text, exceptions: or(z.array(exception), []) },
  // Another severity hides no finding.
  severity: z.enum(SEVERITIES).optional().catch(undefined),
});
export type PolicyFinding = z.output<typeof policyFinding>;
const remediation = z.object({ ...policy, before: properties, after: properties });
export type Remediation = z.output<typeof remediation>;

const passed = z.object({ policyPackName: z.string(), passed: texts }).nullish();
const resource = z.object({ metadata: step }).nullish();

export const engineEvent = z.object({
  resourcePreEvent: resource,
  resOutputsEvent: resource,
  resOpFailedEvent: z.object({ metadata: step, awaited: flag }).nullish(),
  policyEvent: policyFinding.nullish(),
  policyRemediationEvent: remediation.nullish(),
  policyAnalyzeSummaryEvent: passed,
  policyAnalyzeStackSummaryEvent: passed,
  // A diagnostic with missing members hides no change.
  diagnosticEvent: z
    .object({ urn: text.catch(""), message: text.catch(""), severity: text.catch("") })
    .nullish(),
  preludeEvent: z.object({}).nullish(),
  summaryEvent: z.object({ resourceChanges: or(z.record(z.string(), z.number()), {}) }).nullish(),
  cancelEvent: z.object({}).nullish(),
});
export type EngineEvent = z.output<typeof engineEvent>;

/** The value of a JSON text; undefined if it is not one. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
