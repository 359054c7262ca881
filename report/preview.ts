/** What a preview has told, as far as a report needs it. */

export type Properties = Readonly<Record<string, unknown>>;

export interface Preview {
  readonly project: string;
  readonly stack: string;
  /** What happens to the stack's own entry, which is none of its resources. */
  readonly stackOperation: Operation;
  /** In the order of the steps: what is imported and then updated, or kept and then deleted, is here twice. */
  readonly changes: readonly Change[];
  /** What has changed behind the program's back, where the preview looked. */
  readonly drift: readonly Change[];
  readonly policies: readonly PolicyResult[];
  /** The packs that ran, also those with no policy that is on. */
  readonly packs: readonly string[];
  /** The stack's outputs, where the input tells them. */
  readonly outputs: { readonly before: Properties; readonly after: Properties } | undefined;
  /** The engine's own summary: how many steps of each operation. */
  readonly summary: Readonly<Record<string, number>> | undefined;
  /** What this kind of input says nothing about. */
  readonly notCovered: readonly ("policies" | "drift" | "outputs" | "unchanged resources")[];
  /** Warnings and errors, without those that hold secrets. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether it ended, and ended well. */
  readonly outcome: "succeeded" | "failed" | "cut off";
}

/** `read` is what had changed when it was read; `discard` ends the reading. */
export type Operation = "create" | "update" | "replace" | "delete" | "forget" | "read" | "discard" | "import" | "same";

/** One step of one resource. */
export interface Change {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly operation: Operation;
  readonly before: State | undefined;
  readonly after: State | undefined;
  /** The places that differ, as the engine writes them: `ipAccessList[1].description`. */
  readonly differing: readonly string[];
  /** The properties that only a new resource can have otherwise. */
  readonly replacing: readonly string[];
  /** The resources that it depends on, and those that a property's value comes from, where the input tells. */
  readonly dependencies: readonly string[];
  /** The URN of the component that it is part of, or empty. */
  readonly parent: string;
  readonly sources: Readonly<Record<string, readonly string[]>>;
}

export interface State {
  readonly id: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
  readonly isProtected: boolean;
  readonly isRetained: boolean;
  /** The URN of the provider that manages it. */
  readonly provider: string;
  /** An earlier update has replaced it, and it is still there. Its URN is that of what replaced it. */
  readonly isLeftOver: boolean;
}

export interface PolicyResult {
  readonly policy: string;
  readonly pack: string;
  readonly result: "failed" | "warned" | "not checked" | "passed";
  readonly urn: string;
  readonly message: string;
}

export interface Diagnostic {
  readonly severity: "warning" | "error";
  readonly urn: string;
  readonly message: string;
}

/** What is done to something, as against what stays. */
export function touched(changes: readonly Change[]): Change[] {
  return changes.filter(({ operation }) => operation !== "same");
}

/** The name at the end of a URN. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** `urn:pulumi:<stack>::<project>::…` */
export function placeOf(urn: string): { readonly stack: string; readonly project: string } {
  const [head = "", project = ""] = urn.split("::");
  return { stack: head.split(":")[2] ?? "", project };
}
