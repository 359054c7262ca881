import { hasUnknown, isRecord, isUnknown, parseUrn, resourceTypeOf } from "pulumi-clouddb-facts";
import type {
  Analysis,
  Capacity,
  Operation,
  PolicyGroup,
  PropertyChange,
  ResourceChange,
} from "../json-report";
import {
  changedSteps,
  ENGINE_OPERATIONS,
  type Preview,
  type Properties,
  type ResourceStep,
  type State,
} from "../preview";
import { attentionIn } from "./attention";
import { capacityOf } from "./capacity";
import { clearedSecrets, irreversibleIn } from "./irreversible";
import { policyGroups } from "./policies";
import { compareProperties } from "./properties";
import { countText, formatValue, groupBy, joinNames, textsOf } from "./values";

export interface AnalysisOptions {
  /** The price of memory. Without a price, the report has no costs. */
  readonly pricePerGbHour?: number | undefined;
}

export function analyze(preview: Preview, { pricePerGbHour }: AnalysisOptions = {}): Analysis {
  const { organization, project, stack, outcome, command, selection } = preview;
  const { stackOperation, notCovered } = preview;
  const parents = new Map(preview.changes.map(({ urn, parent }) => [urn, parent]));
  const changed = changedSteps(preview.changes);
  const compared = changed.map((step) => ({ step, properties: compareProperties(step) }));
  const operations = groupBy(changed, ({ operation }) => operation);
  const capacity = capacityOf(preview.changes, pricePerGbHour);
  const errors = errorsOf(preview);
  // Policies fail a preview after they judged its resources.
  const hasViolation = preview.policies.some(({ result }) => result === "failed");
  const hasJudged =
    outcome === "succeeded" || (outcome === "failed" && errors.length === 0 && hasViolation);
  const policies = policyGroups(preview.policies, hasJudged);
  const outputs = outputsOf(preview);
  const missing = [...describeBroken(preview), ...unexplainedSteps(preview)];
  return {
    organization,
    project,
    stack,
    outcome,
    command,
    selection,
    lacksEvents: missing.length > 0,
    errors: [...new Set(errors.flatMap(withAdvice))],
    stackOperation,
    counts: Object.fromEntries(operations.map(([name, { length }]) => [name, length])),
    changes: compared.map(({ step, properties }) => resourceChange(step, properties, parents)),
    drift: preview.drift.map((step) => resourceChange(step, compareDrift(step), parents)),
    outputs: outputs.filter((output) => !isOpen(output)),
    openOutputs: outputs.filter(isOpen).map(({ place }) => place),
    irreversible: [...clearedSecrets(preview), ...irreversibleIn(compared)],
    attention: attentionIn(preview),
    capacity,
    policies,
    unchecked: [...missing, ...adoptionsIn(changed), ...uncheckedIn(changed, capacity, policies)],
    notCovered,
  };
}

/** The id of the resource's object, if it changes. */
function objectOf({ type, operation, before, after }: ResourceStep): string | undefined {
  if (operation === "adopt" || operation === "create") {
    const { objectArgument = "" } = resourceTypeOf(type) ?? {};
    const adopted = adoptedId(type, after) ?? after?.inputs[objectArgument];
    return typeof adopted === "string" && !isUnknown(adopted) ? adopted : undefined;
  }
  const isChosen = operation === "import" || operation === "read" || operation === "replace";
  const id = isChosen ? after?.id : undefined;
  return id === "" || id === before?.id || isUnknown(id) ? undefined : id;
}

function resourceChange(
  step: ResourceStep,
  properties: readonly PropertyChange[],
  parents: ReadonlyMap<string, string>,
): ResourceChange {
  const { urn, type, name, operation, after, parent } = step;
  return {
    urn,
    type,
    name,
    id: objectOf(step),
    operation,
    isGone: after === undefined,
    path: pathOf(parent, parents),
    properties: after ? properties : [],
  };
}

/** True if the report has more than "no changes". */
export function hasFindings(analysis: Analysis): boolean {
  const { outcome, changes, drift, outputs, openOutputs, attention, policies, unchecked } =
    analysis;
  // A policy remediates in every preview, even if the state already has the result.
  const isPresent = policies.some(({ result }) => result !== "passed" && result !== "remediated");
  return (
    outcome !== "succeeded" ||
    isPresent ||
    [changes, drift, outputs, openOutputs, attention, unchecked].some(({ length }) => length > 0)
  );
}

function errorsOf({ outcome, diagnostics }: Preview): string[] {
  if (outcome === "succeeded") return [];
  return diagnostics.flatMap(({ severity, message }) =>
    severity === "error" && message !== "preview failed" ? [message] : [],
  );
}

const RELEASE =
  "Do not unprotect a service: the API cannot delete it. To stop managing it, set `retainOnDelete: true`, run `pulumi up`, then remove it.";

/**
 * Adds this tool's advice to an error about protection. The engine's own advice leads to a failing
 * update.
 */
function withAdvice(error: string): string[] {
  const [urn = ""] = /urn:pulumi:[^"'\s]+/.exec(error) ?? [];
  const isOurs = resourceTypeOf(parseUrn(urn).type)?.staysWhenDeleted;
  return isOurs && error.includes("remove the `protect` flag") ? [error, RELEASE] : [error];
}

function pathOf(parent: string, parents: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  const seen = new Set<string>();
  for (let urn = parent; urn !== "" && !seen.has(urn); urn = parents.get(urn) ?? "") {
    seen.add(urn);
    path.unshift(parseUrn(urn).name);
  }
  return path;
}

/** Compares outputs if the inputs are unchanged. A value that the server lacks is not released. */
function compareDrift(step: ResourceStep): PropertyChange[] {
  const read = { ...step, operation: "read" } as const;
  const properties = compareProperties(read);
  if (properties.length > 0) return properties;
  const [before, after] = [step.before, step.after].map(
    (state) => state && { inputs: state.outputs },
  );
  return compareProperties({ ...read, before, after });
}

function outputsOf({ outputs, outcome }: Preview): PropertyChange[] {
  // A failed program has not reached its outputs.
  if (!outputs || outcome !== "succeeded") return [];
  const before = { inputs: outputs.before };
  const after = { inputs: withoutPreviewMembers(outputs.after, outputs.before) as Properties };
  return compareProperties({
    type: "",
    operation: "update",
    differing: [],
    replacing: [],
    before,
    after,
  });
}

const RESOURCE_MARK = "@isPulumiResource";

/**
 * Removes members that the SDK adds to exported resources only in previews: a mark, and unknown
 * members that the stored output lacks.
 */
function withoutPreviewMembers(after: unknown, before: unknown, inResource = false): unknown {
  if (Array.isArray(after)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    return after.map((entry, index) => withoutPreviewMembers(entry, old[index], inResource));
  }
  if (!isRecord(after)) return after;
  const isResource = inResource || RESOURCE_MARK in after;
  const old = isRecord(before) ? before : {};
  const members = Object.entries(after).filter(
    ([name, value]) =>
      name !== RESOURCE_MARK && !(isResource && isUnknown(value) && !(name in old)),
  );
  return Object.fromEntries(
    members.map(([name, value]) => [name, withoutPreviewMembers(value, old[name], isResource)]),
  );
}

/** True if a value is only unknown, and may stay the same. */
function isOpen({ before, after, entries }: PropertyChange): boolean {
  const { removed = [], added = [] } = entries ?? {};
  const isOpenList = added.length > 0 && added.length === removed.length && added.every(hasUnknown);
  return before !== undefined && (isUnknown(after) || isOpenList);
}

/** The engine's names for operations with a different name here. */
const ENGINE_WORDS: Readonly<Partial<Record<Operation, string>>> = {
  adopt: "create",
  forget: "delete",
};

function describeBroken({ brokenLines: count }: Preview): string[] {
  if (count === 0) return [];
  const lines = countText(count, "line of the input is", "lines of the input are");
  return [`${lines} broken: its changes, policy results or errors are not in this report`];
}

/** Steps that the engine's summary counts but its events do not describe. */
function unexplainedSteps({
  changes,
  drift,
  stackOperation,
  summary = {},
  outcome,
}: Preview): string[] {
  // The summary of a failed preview is incomplete.
  if (outcome !== "succeeded") return [];
  const all = [stackOperation, ...[...changes, ...drift].map(({ operation }) => operation)];
  const known = (name: string) =>
    all.filter((operation) => (ENGINE_WORDS[operation] ?? operation) === name);
  return Object.entries(summary).flatMap(([name, count]) => {
    const isCounted = name !== "same" && ENGINE_OPERATIONS.some((operation) => operation === name);
    const missing = isCounted ? count - known(name).length : 0;
    return missing > 0
      ? [`${missing} more to ${name} in the engine's summary than its events describe`]
      : [];
  });
}

function adoptedId(type: string, state: State | undefined): unknown {
  return state?.inputs[resourceTypeOf(type)?.adoptionArgument ?? ""];
}

/** Adoptions, which a preview cannot compare: only the update reads the object. */
function adoptionsIn(changes: readonly ResourceStep[]): string[] {
  return changes.flatMap(({ type, name, operation, after }) => {
    const adopted = adoptedId(type, after);
    if (adopted === undefined || !["adopt", "replace"].includes(operation)) return [];
    return [
      `adoption by ${name}: the update changes what differs in ${formatValue(adopted)}, which it reads first`,
    ];
  });
}

function uncheckedIn(
  changed: readonly ResourceStep[],
  { rows, uncounted }: Capacity,
  policies: readonly PolicyGroup[],
): string[] {
  const secret = new Set(rows.filter(({ isSecret }) => isSecret).map(({ name }) => name));
  const hidden = uncounted.filter((name) => secret.has(name));
  const unknown = uncounted.filter((name) => !secret.has(name));
  const open = policies
    .filter(({ result }) => result === "not checked")
    .map(({ policy }) => policy);
  const hasChanges = changed.length > 0;
  return textsOf(
    hasChanges && unknown.length > 0 && `capacity of ${joinNames(unknown)}: size not known yet`,
    hasChanges && hidden.length > 0 && `capacity of ${joinNames(hidden)}: size is secret`,
    open.length > 0 && `policies that could not check everything: ${joinNames(open)}`,
  );
}
