import { resourceTypeOf } from "pulumi-clouddb-facts";
import type { Operation } from "../json-report";
import { nameOf, type Properties, type ResourceStep, type State } from "../preview";

/** Turns the engine's steps into steps of resources. */

/** A resource's state as the engine writes it. */
export interface RawState {
  readonly urn?: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly delete?: boolean;
  readonly parent?: string;
  readonly provider?: string;
}

export interface EngineStep {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old?: RawState | null;
  readonly new?: RawState | null;
  readonly differing?: readonly string[] | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
  readonly replacing?: readonly string[] | null;
}

/** Others, such as `refresh` and `remove-pending-replace`, change no resource by themselves. */
const OPERATIONS: Readonly<Record<string, Operation>> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  "create-replacement": "replace",
  "read-replacement": "replace",
  "import-replacement": "replace",
  "delete-replaced": "replace",
  "discard-replaced": "replace",
  read: "read",
  discard: "discard",
  import: "import",
  same: "same",
};

/** The halves of a replacement: one makes the new resource, the other removes the old one. */
const MAKING: readonly string[] = ["create-replacement", "read-replacement", "import-replacement"];
const REMOVING: readonly string[] = ["delete-replaced", "discard-replaced"];

/** Collects steps. */
export function createStepCollector() {
  const steps: { readonly op: string; readonly change: ResourceStep; readonly old: string }[] = [];
  let stackOperation: Operation = "same";

  return {
    add(step: EngineStep): void {
      const operation = operationOf(step);
      if (operation === undefined || isDefaultProvider(step)) return;
      if (step.type === "pulumi:pulumi:Stack") stackOperation = operation;
      else steps.push({ op: step.op, change: changeFrom(step, operation), old: identityOf(step.old) });
    },
    /** The operation on the stack's own entry, which the engine counts as a resource. */
    stackOperation: () => stackOperation,
    /** One for each step of the program: `replace` covers its halves, which have the old and the new URN. */
    changes(): ResourceStep[] {
      const replaced = steps.filter(({ op }) => op === "replace");
      const made = new Set(replaced.map(({ change }) => change.urn));
      const removed = new Set(replaced.map(({ old }) => old));
      const isCovered = ({ op, change, old }: (typeof steps)[number]) =>
        (MAKING.includes(op) && made.has(change.urn)) || (REMOVING.includes(op) && removed.has(old));
      return steps.filter((step) => !isCovered(step)).map(({ change }) => change);
    },
  };
}

/** The engine creates these itself and does not count them. */
export function isDefaultProvider({ type, urn }: { readonly type: string; readonly urn: string }): boolean {
  return type.startsWith("pulumi:providers:") && nameOf(urn).startsWith("default");
}

/** Several states can share a URN: a replacement has that of the old resource. */
function identityOf(state: RawState | null | undefined): string {
  return `${state?.urn} ${state?.id}`;
}

/** A resource that is retained or was adopted is removed from state instead of deleted. */
function operationOf({ op, old, type }: EngineStep): Operation | undefined {
  // An earlier update replaced it without deleting it.
  const isPendingDeletion = REMOVING.includes(op) && old?.delete;
  const operation = isPendingDeletion ? "delete" : OPERATIONS[op];
  const { staysWhenDeleted, removesEntries } = resourceTypeOf(type) ?? {};
  const isReleased = old?.retainOnDelete || (staysWhenDeleted === false && !removesEntries);
  return operation === "delete" && isReleased ? "forget" : operation;
}

export function changeFrom(step: EngineStep, operation: Operation): ResourceStep {
  const detailed = Object.keys(step.detailedDiff ?? {});
  return {
    urn: step.urn,
    type: step.type,
    name: nameOf(step.urn),
    operation,
    before: step.old ? stateFrom(step.old) : undefined,
    after: step.new ? stateFrom(step.new) : undefined,
    differing: detailed.length > 0 ? detailed : (step.differing ?? []),
    replacing: step.replacing ?? [],
    parent: parentOf(step),
  };
}

function stateFrom(raw: RawState): State {
  return {
    id: raw.id ?? "",
    inputs: withoutInternals(raw.inputs ?? {}),
    outputs: withoutInternals(raw.outputs ?? {}),
    isProtected: raw.protect ?? false,
    isRetained: raw.retainOnDelete ?? false,
    // A reference to a provider ends with its id, which is unknown before it is created.
    provider: (raw.provider ?? "").split("::").slice(0, 4).join("::"),
    isPendingDeletion: raw.delete ?? false,
  };
}

function parentOf({ old, new: now }: EngineStep): string {
  const parent = now?.parent ?? old?.parent ?? "";
  return parent.includes("::pulumi:pulumi:Stack::") ? "" : parent;
}

export function withoutInternals(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
