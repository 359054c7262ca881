import { type Change, nameOf, type Operation, type Preview, touched } from "../preview";
import { attentionIn } from "./attention";
import { type Capacity, capacityOf } from "./capacity";
import { type Counts, countsOf, unexplainedSteps } from "./counts";
import { irreversibleIn, type Warning } from "./irreversible";
import { withMasks } from "./masks";
import { type PolicyGroup, policyGroups } from "./policies";
import { type PropertyChange, propertyChanges } from "./properties";
import { hideIn } from "./values";
import { type SettingsFiles, weakenedPolicies } from "./weakened";

/** What a preview means: all that a report is written from, without secrets. */
export interface Analysis {
  readonly project: string;
  readonly stack: string;
  readonly outcome: Preview["outcome"];
  /** Why it failed, as the engine says it. */
  readonly errors: readonly string[];
  readonly stackOperation: Operation;
  readonly counts: Counts;
  readonly changes: readonly ResourceChange[];
  readonly drift: readonly ResourceChange[];
  /** The stack's outputs that change. */
  readonly outputs: readonly PropertyChange[];
  readonly irreversible: readonly Warning[];
  readonly attention: readonly Warning[];
  /** How many policies are disabled or weaker than before, where their settings are known. */
  readonly weakened: number | undefined;
  readonly capacity: Capacity;
  readonly policies: readonly PolicyGroup[];
  /** What could not be checked, in sentences. */
  readonly unchecked: readonly string[];
  readonly notCovered: Preview["notCovered"];
}

export interface ResourceChange {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly operation: Operation;
  readonly isGone: boolean;
  /** The names of the components that it is part of, the outermost first. */
  readonly path: readonly string[];
  readonly dependencies: readonly string[];
  readonly properties: readonly PropertyChange[];
}

export interface AnalysisOptions {
  readonly masks: readonly RegExp[];
  readonly settings?: SettingsFiles;
}

export function analyze(unmasked: Preview, { masks, settings }: AnalysisOptions): Analysis {
  const preview = withMasks(unmasked, masks);
  const changed = touched(preview.changes);
  const safe = (warnings: readonly Warning[]) =>
    warnings.map((each) => ({ ...each, reason: hideIn(each.reason, masks) }));
  const parents = new Map(preview.changes.map(({ urn, parent }) => [urn, parent]));
  const described = (change: Change, properties: readonly PropertyChange[]): ResourceChange => {
    const { urn, type, name, operation, dependencies, after } = change;
    return {
      urn,
      type,
      name,
      operation,
      isGone: after === undefined,
      path: pathOf(change.parent, parents),
      dependencies,
      properties: after ? properties : [],
    };
  };
  const weakened = settings && weakenedPolicies(settings);
  const capacity = capacityOf(preview.changes);
  const policies = policyGroups(preview.policies);
  return {
    project: preview.project,
    stack: preview.stack,
    outcome: preview.outcome,
    errors: errorsOf(preview),
    stackOperation: preview.stackOperation,
    counts: countsOf(changed),
    changes: changed.map((change) => described(change, propertyChanges(change, masks))),
    drift: preview.drift.map((change) => described(change, driftOf(change, masks))),
    outputs: outputsOf(preview, masks),
    irreversible: safe(irreversibleIn(changed, masks)),
    attention: safe([...attentionIn(preview, masks), ...(weakened ?? [])]),
    weakened: weakened === undefined ? undefined : weakened.length,
    capacity,
    policies,
    unchecked: [...unexplainedSteps(preview), ...uncheckedIn(preview, capacity, policies)],
    notCovered: preview.notCovered,
  };
}

/** Whether there is anything to say beside that nothing changes. */
export function hasNews(analysis: Analysis): boolean {
  const { outcome, changes, drift, outputs, attention, policies, unchecked } = analysis;
  const found = policies.some(({ result }) => result !== "passed");
  return (
    outcome !== "succeeded" || found || [changes, drift, outputs, attention, unchecked].some(({ length }) => length > 0)
  );
}

function errorsOf({ outcome, diagnostics }: Preview): string[] {
  if (outcome === "succeeded") return [];
  const errors = diagnostics.filter(({ severity, message }) => severity === "error" && message !== "preview failed");
  return [...new Set(errors.map(({ message }) => message))];
}

function pathOf(parent: string, parents: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  for (let urn = parent; urn !== "" && !seen.has(urn); urn = parents.get(urn) ?? "") {
    seen.add(urn);
    path.unshift(nameOf(urn));
  }
  return path;
}

/** Where the inputs are as they were, it is the outputs that differ. */
function driftOf(change: Change, masks: readonly RegExp[]): PropertyChange[] {
  const found = propertyChanges(change, masks);
  const [before, after] = [change.before, change.after].map((state) => state && { ...state, inputs: state.outputs });
  return found.length > 0 ? found : propertyChanges({ ...change, before, after }, masks);
}

function outputsOf({ outputs, outcome }: Preview, masks: readonly RegExp[]): PropertyChange[] {
  // A program that fails has not come to its outputs.
  if (!outputs || outcome !== "succeeded") return [];
  const state = { id: "", outputs: {}, isProtected: false, isRetained: false, isLeftOver: false, provider: "" };
  const [before, after] = [outputs.before, outputs.after].map((inputs) => ({ ...state, inputs }));
  const lists = { differing: [], replacing: [], dependencies: [], sources: {} };
  const stack = { urn: "", type: "", name: "", parent: "", operation: "update" as const, ...lists };
  return propertyChanges({ ...stack, before, after }, masks);
}

function uncheckedIn(
  { notCovered, changes }: Preview,
  { uncounted }: Capacity,
  policies: readonly PolicyGroup[],
): string[] {
  const open = policies.filter(({ result }) => result === "not checked").map(({ policy }) => policy);
  return [
    ...(notCovered.includes("outputs") ? ["outputs of the stack: this input leaves them out"] : []),
    ...(notCovered.includes("unchanged resources")
      ? ["protection, retention and providers of resources that stay as they are: this input leaves them out"]
      : []),
    ...(uncounted.length > 0 && touched(changes).length > 0
      ? [`capacity of ${listOf(uncounted)}: the size is not known yet`]
      : []),
    ...(open.length > 0 ? [`policies on values that are not known yet: ${listOf(open)}`] : []),
  ];
}

const MOST_NAMES = 10;

function listOf(names: readonly string[]): string {
  const rest = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}
