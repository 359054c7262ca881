import { isDeepStrictEqual } from "node:util";
import { parseUrn, resourceTypeOf } from "pulumi-clouddb-facts";
import type { Operation } from "../json-report";
import {
  ENGINE_OPERATIONS,
  isAdopted,
  type Preview,
  type Properties,
  type ResourceStep,
  type State,
} from "../preview";
import type { EngineStep, RawState } from "./schema";

/** The halves of a replacement: creating the new resource and removing the old one. */
const MAKING: readonly string[] = ["create-replacement", "read-replacement", "import-replacement"];
const REMOVING: readonly string[] = ["delete-replaced", "discard-replaced"];
const STACK = "pulumi:pulumi:Stack";

export function createStepCollector() {
  const steps: { readonly op: string; readonly change: ResourceStep; readonly old: string }[] = [];
  const drift: ResourceStep[] = [];
  let stackOperation: Operation = "same";
  let hasRefreshed = false;
  let outputs: Preview["outputs"];

  function add(step: EngineStep): void {
    const operation = operationOf(step);
    if (operation === undefined || isDefaultProvider(step)) return;
    if (step.type === STACK) stackOperation = operation;
    else
      steps.push({ op: step.op, change: changeFrom(step, operation), old: identityOf(step.old) });
  }

  return {
    begin(step: EngineStep): void {
      // A read is complete only with its outputs.
      if (step.op !== "read") add(step);
    },
    finish(step: EngineStep): void {
      hasRefreshed ||= isRefreshStep(step);
      if (step.type === STACK) outputs = stackOutputs(step);
      if (step.op === "read") add(readStep(step));
      else if (isDrift(step)) drift.push(changeFrom(step, step.new ? "update" : "delete"));
    },
    drift,
    hasRefreshed: () => hasRefreshed,
    outputs: () => outputs,
    /** The operation on the stack resource, which the engine counts. */
    stackOperation: () => stackOperation,
    /**
     * One change for each step of the program. `replace` joins its halves, which may have different
     * URNs.
     */
    changes(): ResourceStep[] {
      const stepsOf = (name: string) => steps.filter(({ op }) => op === name);
      const urnsOf = (name: string) => new Set(stepsOf(name).map(({ change }) => change.urn));
      const [made, imported] = [urnsOf("replace"), urnsOf("import-replacement")];
      const removed = new Set(stepsOf("replace").map(({ old }) => old));
      const isCovered = ({ op, change, old }: (typeof steps)[number]) =>
        (MAKING.includes(op) && made.has(change.urn)) ||
        (REMOVING.includes(op) && removed.has(old));
      return steps
        .filter((step) => !isCovered(step))
        .map(({ change }) => {
          const isImported = change.operation === "replace" && imported.has(change.urn);
          return isImported ? { ...change, isImported } : change;
        });
    },
  };
}

/** True for default providers, which the engine creates but does not count. */
function isDefaultProvider({ type, urn }: EngineStep): boolean {
  return type.startsWith("pulumi:providers:") && parseUrn(urn).name.startsWith("default");
}

/** URN and id, since a replacement and the old resource may share the URN. */
function identityOf(state: RawState | null | undefined): string {
  return `${state?.urn} ${state?.id}`;
}

/**
 * A retained or adopted resource is removed from state instead of deleted. A resource that the API
 * cannot create is adopted.
 */
function operationOf({ op, old, new: now, type }: EngineStep): Operation | undefined {
  // An earlier update replaced but did not delete the resource.
  const isPendingDeletion = REMOVING.includes(op) && old?.delete;
  const isHalf = MAKING.includes(op) || REMOVING.includes(op);
  const operation = isPendingDeletion
    ? "delete"
    : isHalf
      ? "replace"
      : ENGINE_OPERATIONS.find((name) => name === op);
  const { staysWhenDeleted, removesEntries } = resourceTypeOf(type) ?? {};
  const exists = staysWhenDeleted === false && !removesEntries;
  const isReleased = old?.retainOnDelete || isAdopted(type, old?.outputs) || exists;
  if (operation === "create" && (exists || isAdopted(type, now?.inputs))) return "adopt";
  return operation === "delete" && isReleased ? "forget" : operation;
}

/** A first read, or a read without differences, is not a change, as in the engine's count. */
function readStep(step: EngineStep): EngineStep {
  const hasChanged = step.old && !isDeepStrictEqual(step.old.outputs, step.new?.outputs);
  return { ...step, op: hasChanged ? "read" : "same" };
}

/** True if the engine refreshed a resource, with or without drift. */
function isRefreshStep({ op, logical }: EngineStep): boolean {
  return !logical && ["refresh", "same", "update", "delete"].includes(op);
}

/**
 * True for a change outside of Pulumi. Previews call it `refresh`, and `pulumi refresh` calls it
 * `update` or `delete`.
 */
function isDrift(step: EngineStep): boolean {
  const { op, logical, diffs, detailedDiff, type, new: now } = step;
  if (logical || isDefaultProvider(step) || type === STACK) return false;
  const isNamed = diffs.length > 0 || Object.keys(detailedDiff).length > 0;
  return op === "refresh"
    ? !now || isNamed || hasOtherOutputs(step)
    : op === "update" || op === "delete";
}

/**
 * Compares outputs, since some providers do not list differences. This provider does, and skips
 * server-only fields.
 */
function hasOtherOutputs({ type, old, new: now }: EngineStep): boolean {
  if (resourceTypeOf(type) || !old) return false;
  const [before, after] = [old, now].map((state) => withoutInternals(state?.outputs ?? {}));
  return old.id !== now?.id || !isDeepStrictEqual(before, after);
}

function changeFrom(step: EngineStep, operation: Operation): ResourceStep {
  const { urn, type, old, new: now, keys, diffs, detailedDiff } = step;
  const detailed = Object.keys(detailedDiff);
  const parent = (now?.parent || old?.parent) ?? "";
  return {
    urn,
    type,
    name: parseUrn(urn).name,
    operation,
    before: old ? stateFrom(old) : undefined,
    after: now ? stateFrom(now) : undefined,
    differing: detailed.length > 0 ? detailed : diffs,
    replacing: keys,
    parent: parent.includes(`::${STACK}::`) ? "" : parent,
  };
}

function stateFrom(state: RawState): State {
  return {
    id: state.id,
    inputs: withoutInternals(state.inputs),
    outputs: withoutInternals(state.outputs),
    isProtected: state.protect,
    isRetained: state.retainOnDelete,
    // A provider reference ends with an id, which is unknown before the creation.
    provider: state.provider.split("::").slice(0, 4).join("::"),
    isPendingDeletion: state.delete,
  };
}

/** The engine reports the stack twice: with old outputs first, and with new outputs at the end. */
function stackOutputs({ old, new: now }: EngineStep): Preview["outputs"] {
  return now
    ? { before: withoutInternals(old?.outputs ?? {}), after: withoutInternals(now.outputs) }
    : undefined;
}

function withoutInternals(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !name.startsWith("__")));
}
