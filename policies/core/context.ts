import type { ReportViolation } from "@pulumi/policy";
import { hasUnknown, UNKNOWN } from "pulumi-clouddb-facts";
import { unknownValueError } from "./pulumi-internals";
import { describeResource, type PolicyResource } from "./resource";

/** A policy's access to values and reports. Unknown values that are read here are reported at the end. */
export interface PolicyContext {
  /** The value at a path such as `settings.engineMaxThreads`; undefined where it is absent or unknown. */
  readonly read: (resource: PolicyResource, path: string) => unknown;
  /** `read` for a value that is evaluated even if the program does not declare it: by its output, once known. */
  readonly readKnown: (resource: PolicyResource, path: string) => unknown;
  /**
   * `readKnown` for a value that every new service needs; `reason` completes "declare it, because …". Only the
   * evaluation at the end can report it as missing: siblings or outputs may have it.
   */
  readonly require: (resource: PolicyResource, path: string, reason: string) => unknown;
  /** Reports a violation; unless `note` says otherwise, with a note that an output is a current value. */
  readonly reportViolation: (resource: PolicyResource | undefined, text: string, note?: string) => void;
  /** Reports a skipped check and its reason. */
  readonly reportUnchecked: (resource: PolicyResource | undefined, text: string) => void;
}

const CURRENT_VALUE = " The program does not declare it; this is its current value.";

/**
 * Evaluates a policy. Skipped checks are reported last, in the error that the SDK shows as an advisory at any level.
 * Violations reported before it keep their level.
 */
export function runEvaluation(report: ReportViolation, evaluate: (context: PolicyContext) => void): void {
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
    resource.evaluates === "outputs" && resource.isUndeclared(path) && resource.value(path) === undefined;
  const readKnown: PolicyContext["readKnown"] = (resource, path) => {
    if (isMissing(resource, path)) reportUnchecked(resource, `${path} is not declared and not known yet`);
    return read(resource, path);
  };
  const require: PolicyContext["require"] = (resource, path, reason) => {
    if (!resource.mayBeCreated || !isMissing(resource, path)) return readKnown(resource, path);
    reportViolation(resource, describeMissing(path, reason), "");
    return undefined;
  };
  evaluate({ read, readKnown, require, reportViolation, reportUnchecked });
  if (unchecked.size === 0) return;
  const parts = [...unchecked].map(([label, texts]) => label + [...texts].join(", "));
  throw unknownValueError(`${parts.join("; ")}. All known values were checked.`);
}

export function describeMissing(path: string, reason: string): string {
  return `${path} is not declared and its value is not known; declare it, because ${reason}.`;
}
