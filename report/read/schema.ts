import { isRecord } from "pulumi-clouddb-facts";
import { z } from "zod";
import { SEVERITIES } from "../json-report";
import type { Properties } from "../preview";

/**
 * The engine's events. Unknown members and events are skipped, and null counts as absent. A member
 * of another type is an error, since the report could lack a change.
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

const rawState = z.object({
  urn: text,
  id: text,
  inputs: properties,
  outputs: properties,
  parent: text,
  provider: text,
  protect: flag,
  retainOnDelete: flag,
  delete: flag,
});
export type RawState = z.output<typeof rawState>;

const step = z.object({
  op: z.string(),
  urn: z.string(),
  type: z.string(),
  old: rawState.nullish(),
  new: rawState.nullish(),
  keys: texts,
  diffs: texts,
  detailedDiff: properties,
  /** Unset for refreshes and for the halves of a replacement. */
  logical: flag,
});
export type EngineStep = z.output<typeof step>;

const policy = { resourceUrn: text, policyName: z.string(), policyPackName: z.string() };
/** Pulumi's own exception. It allows a violation, but keeps its level. */
const exception = z.object({ id: text, reason: text });
const policyFinding = z.object({
  ...policy,
  message: z.string(),
  enforcementLevel: text,
  exceptions: or(z.array(exception), []),
  // An unknown severity must not hide the finding.
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
  // A diagnostic without some members must not hide a change.
  diagnosticEvent: z
    .object({ urn: text.catch(""), message: text.catch(""), severity: text.catch("") })
    .nullish(),
  preludeEvent: z.object({}).nullish(),
  summaryEvent: z.object({ resourceChanges: or(z.record(z.string(), z.number()), {}) }).nullish(),
  cancelEvent: z.object({}).nullish(),
});
export type EngineEvent = z.output<typeof engineEvent>;

/** Parses JSON; undefined for other texts. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
