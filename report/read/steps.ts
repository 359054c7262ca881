import { operationOn } from "../kinds";
import { type Change, nameOf, type Operation, type Properties, type State } from "../preview";

/** The engine's steps, from events or from a digest, and the changes that they come to. */

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

export interface Step {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old?: RawState | null;
  readonly new?: RawState | null;
  readonly differing?: readonly string[] | null;
  readonly detailedDiff?: Readonly<Record<string, unknown>> | null;
  readonly replacing?: readonly string[] | null;
  readonly dependencies?: readonly string[];
  readonly sources?: Readonly<Record<string, readonly string[]>>;
}

/** What is missing here is the engine's own business: `refresh`, `remove-pending-replace`. */
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

/** The halves of a replacement: the one makes what is new, the other removes what was there. */
const MAKING: readonly string[] = ["create-replacement", "read-replacement", "import-replacement"];
const REMOVING: readonly string[] = ["delete-replaced", "discard-replaced"];

/** Collects steps, and tells at the end which changes they come to. */
export function createStepCollector() {
  const steps: { readonly op: string; readonly change: Change; readonly old: string }[] = [];
  let stackOperation: Operation = "same";

  return {
    add(step: Step): void {
      const operation = operationOf(step);
      if (operation === undefined || isDefaultProvider(step)) return;
      if (step.type === "pulumi:pulumi:Stack") stackOperation = operation;
      else steps.push({ op: step.op, change: changeFrom(step, operation), old: identityOf(step.old) });
    },
    /** What happens to the stack's own entry, which the engine counts among the resources. */
    stackOperation: () => stackOperation,
    /** One for each step of the program: `replace` stands for its halves, which come under the old URN and the new. */
    changes(): Change[] {
      const replaced = steps.filter(({ op }) => op === "replace");
      const made = new Set(replaced.map(({ change }) => change.urn));
      const removed = new Set(replaced.map(({ old }) => old));
      const isTold = ({ op, change, old }: (typeof steps)[number]) =>
        (MAKING.includes(op) && made.has(change.urn)) || (REMOVING.includes(op) && removed.has(old));
      return steps.filter((step) => !isTold(step)).map(({ change }) => change);
    },
  };
}

/** The engine makes these by itself, and does not count them. */
export function isDefaultProvider({ type, urn }: { readonly type: string; readonly urn: string }): boolean {
  return type.startsWith("pulumi:providers:") && nameOf(urn).startsWith("default");
}

/** Several states may have one URN: what replaced something has it too. */
function identityOf(state: RawState | null | undefined): string {
  return `${state?.urn} ${state?.id}`;
}

function operationOf({ op, old, type }: Step): Operation | undefined {
  // What an earlier update has replaced, but not yet removed.
  const isLeftOver = REMOVING.includes(op) && old?.delete;
  const operation = isLeftOver ? "delete" : OPERATIONS[op];
  return operation && operationOn(type, operation, old?.retainOnDelete ?? false);
}

export function changeFrom(step: Step, operation: Operation): Change {
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
    dependencies: step.dependencies ?? [],
    parent: parentOf(step),
    sources: step.sources ?? {},
  };
}

function stateFrom(raw: RawState): State {
  return {
    id: raw.id ?? "",
    inputs: withoutInternals(raw.inputs ?? {}),
    outputs: withoutInternals(raw.outputs ?? {}),
    isProtected: raw.protect ?? false,
    isRetained: raw.retainOnDelete ?? false,
    // A reference to a provider ends with its id, which is not known before it is there.
    provider: (raw.provider ?? "").split("::").slice(0, 4).join("::"),
    isLeftOver: raw.delete ?? false,
  };
}

function parentOf({ old, new: now }: Step): string {
  const parent = now?.parent ?? old?.parent ?? "";
  return parent.includes("::pulumi:pulumi:Stack::") ? "" : parent;
}

export function withoutInternals(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
