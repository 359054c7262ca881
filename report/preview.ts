import { isRecord, resourceTypeOf, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";
import { type Analysis, OPERATIONS, type Operation, type PolicyGroup } from "./json-report";

/** A preview, reduced to the data for a report. */

export type Properties = Readonly<Record<string, unknown>>;

type Copied =
  | "organization"
  | "project"
  | "stack"
  | "outcome"
  | "command"
  | "selection"
  | "stackOperation"
  | "notCovered";

export interface Preview extends Pick<Analysis, Copied> {
  /** The steps in order. An imported and then updated resource has two. */
  readonly changes: readonly ResourceStep[];
  /** Changes outside of Pulumi, if the preview checked for them. */
  readonly drift: readonly ResourceStep[];
  readonly policies: readonly PolicyResult[];
  /** The packs that ran, including packs without enabled policies. */
  readonly packs: readonly string[];
  /** The stack's outputs, if known. */
  readonly outputs: { readonly before: Properties; readonly after: Properties } | undefined;
  /** The number of steps by operation, in the engine's own summary. */
  readonly summary: Readonly<Record<string, number>> | undefined;
  /** The number of input lines that are parts of broken events. */
  readonly brokenLines: number;
  /**
   * Warnings, errors and planned migrations. Debug messages are left out, since they contain
   * secrets.
   */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ResourceStep {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly operation: Operation;
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** The changed paths in the engine's notation, such as `ipAccessList[1].description`. */
  readonly differing: readonly string[];
  /** Properties that require replacement. */
  readonly replacing: readonly string[];
  /** The URN of the enclosing component, or empty. */
  readonly parent: string;
  /** True for a replacement by the object in the option `import`. */
  readonly isImported?: boolean;
}

export interface State {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly isProtected: boolean;
  readonly isRetained: boolean;
  /** The URN of the resource's provider. */
  readonly provider: string;
  /**
   * True for a resource that an earlier update replaced but did not delete. It has its
   * replacement's URN.
   */
  readonly isPendingDeletion: boolean;
}

export interface PolicyResult extends Pick<PolicyGroup, "policy" | "pack" | "result" | "severity"> {
  readonly urn: string;
  readonly message: string;
  /** The ids and reasons of exceptions that allow a violation. */
  readonly exceptions?: string;
  /** The arguments that a remediation no longer marks as secret. */
  readonly cleared?: readonly string[];
}

export interface Diagnostic {
  /** info: a planned migration of the state. */
  readonly severity: "info" | "warning" | "error";
  readonly urn: string;
  readonly message: string;
}

/** The engine's operations on resources. Others, such as `refresh`, change no resource. */
export const ENGINE_OPERATIONS = OPERATIONS.filter((name) => name !== "adopt" && name !== "forget");

/** Replaces a secret value in the engine's events and in reports. */
export const SECRET = "[secret]";

export function isSecret(value: unknown): boolean {
  return value === SECRET || (isRecord(value) && value[SIGNATURE] === SECRET_MARK);
}

export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return isSecret(value) || (isRecord(value) && Object.values(value).some(hasSecret));
}

/** True if the program adopted the object, so that a delete releases it. */
export function isAdopted(type: string, outputs: Properties = {}): boolean {
  return (outputs[resourceTypeOf(type)?.adoptionArgument ?? ""] ?? undefined) !== undefined;
}

export function changedSteps(changes: readonly ResourceStep[]): ResourceStep[] {
  return changes.filter(({ operation }) => operation !== "same");
}
