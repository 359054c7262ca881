import { isRecord, resourceTypeOf, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";
import type { Analysis, Operation, PolicyGroup } from "./json-report";

/** The contents of a preview that a report needs. */

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
  /** The steps in order; a resource that is imported and then updated has two. */
  readonly changes: readonly ResourceStep[];
  /** Changes made outside of Pulumi, if the preview checked. */
  readonly drift: readonly ResourceStep[];
  readonly policies: readonly PolicyResult[];
  /** The packs that ran, including those with no policy enabled. */
  readonly packs: readonly string[];
  /** The stack's outputs, if the input has them. */
  readonly outputs: { readonly before: Properties; readonly after: Properties } | undefined;
  /** The engine's own summary: how many steps of each operation. */
  readonly summary: Readonly<Record<string, number>> | undefined;
  /** The number of lines of the input that are parts of events. */
  readonly brokenLines: number;
  /** Warnings, errors and planned migrations, without those that hold secrets. */
  readonly diagnostics: readonly Diagnostic[];
}

/** One step of one resource. */
export interface ResourceStep {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly operation: Operation;
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** Paths that differ, as the engine writes them: `ipAccessList[1].description`. */
  readonly differing: readonly string[];
  /** The properties whose change requires replacement. */
  readonly replacing: readonly string[];
  /** The URN of the component that contains the resource, or empty. */
  readonly parent: string;
  /** True for a replacement by the object that the option `import` names. */
  readonly isImported?: boolean;
}

export interface State {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly isProtected: boolean;
  readonly isRetained: boolean;
  /** The URN of the provider that manages the resource. */
  readonly provider: string;
  /**
   * True if an earlier update replaced the resource without deleting it. It has the URN of its
   * replacement.
   */
  readonly isPendingDeletion: boolean;
}

export interface PolicyResult extends Pick<PolicyGroup, "policy" | "pack" | "result" | "severity"> {
  readonly urn: string;
  readonly message: string;
  /** The ids and reasons of the exceptions that allow a violation. */
  readonly exceptions?: string;
  /** The arguments from which a remediation has removed the mark of a secret. */
  readonly cleared?: readonly string[];
}

export interface Diagnostic {
  /** info: a planned migration of the state. */
  readonly severity: "info" | "warning" | "error";
  readonly urn: string;
  readonly message: string;
}

/** Stands for a secret value, in the engine's events and in reports. */
export const SECRET = "[secret]";

export function isSecret(value: unknown): boolean {
  return value === SECRET || (isRecord(value) && value[SIGNATURE] === SECRET_MARK);
}

export function hasSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSecret);
  return isSecret(value) || (isRecord(value) && Object.values(value).some(hasSecret));
}

/** True if the state says that the program has adopted the object: a delete then releases it. */
export function isAdopted(type: string, outputs: Properties = {}): boolean {
  return (outputs[resourceTypeOf(type)?.adoptionArgument ?? ""] ?? undefined) !== undefined;
}

/** The steps that change something. */
export function changedSteps(changes: readonly ResourceStep[]): ResourceStep[] {
  return changes.filter(({ operation }) => operation !== "same");
}
