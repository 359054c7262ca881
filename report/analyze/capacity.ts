import type { ResourceStep, State } from "../preview";
import { resourceTypeOf } from "../resource-types";
import { isUnknown } from "./values";

/** How large a service may grow: memory of a replica times replicas. */
export interface Size {
  readonly memoryGb: number | undefined;
  readonly replicas: number | undefined;
}

export interface CapacityRow {
  readonly name: string;
  readonly before: Size | undefined;
  readonly after: Size | undefined;
  /** It keeps running and costing money without Pulumi. */
  readonly isLeftBehind: boolean;
}

export interface Capacity {
  readonly rows: readonly CapacityRow[];
  readonly beforeGb: number;
  readonly afterGb: number;
  /** Services whose size is not known before or after. */
  readonly uncounted: readonly string[];
}

/** The maximum size of all services of a stack, before and after. Unmanaged services keep costing money, so they count. */
export function capacityOf(changes: readonly ResourceStep[]): Capacity {
  const resources = joinSteps(changes);
  const services = resources.filter(({ type }) => resourceTypeOf(type)?.name === "Service");
  const scalings = resources.filter(({ type }) => resourceTypeOf(type)?.name === "ServiceScaling");
  const ids = new Set(services.map(({ before }) => before?.id).filter((id) => id !== undefined && id !== ""));
  // A scaling of a service in this stack changes the size in that service's row.
  const scalingOf = ({ before }: ResourceStep) => scalings.find((each) => before?.id && targetOf(each) === before.id);
  const others = scalings.filter((each) => !ids.has(targetOf(each)));
  const rows = [
    ...services.flatMap((service) => rowsOf(service, scalingOf(service))),
    ...others.flatMap((scaling) => (isUnknown(targetOf(scaling)) ? [openRow(scaling)] : rowsOf(scaling, undefined))),
  ];
  // A size that is unknown on one side would look like growth or loss.
  const isCounted = ({ before, after }: CapacityRow) =>
    [before, after].every((size) => !size || capacityGb(size) !== undefined);
  const counted = rows.filter(isCounted);
  const sum = (sizes: readonly (Size | undefined)[]) =>
    sizes.reduce((total, size) => total + (capacityGb(size) ?? 0), 0);
  return {
    rows,
    beforeGb: sum(counted.map(({ before }) => before)),
    afterGb: sum(counted.map(({ after }) => after)),
    uncounted: rows.filter((row) => !isCounted(row)).map(({ name }) => name),
  };
}

/** One change for each resource, from before its first step to after its last. */
function joinSteps(changes: readonly ResourceStep[]): ResourceStep[] {
  const joined = new Map<string, ResourceStep>();
  for (const change of changes) {
    const isPendingDeletion = change.after === undefined && change.before?.isPendingDeletion;
    const key = isPendingDeletion ? `${change.urn} ${change.before.id}` : change.urn;
    joined.set(key, { ...change, before: joined.get(key)?.before ?? change.before });
  }
  return [...joined.values()];
}

function targetOf({ before, after }: ResourceStep): string {
  return String(after?.inputs.serviceId ?? before?.inputs.serviceId ?? "");
}

/** The service is not known yet: it may have a row already. */
function openRow({ name }: ResourceStep): CapacityRow {
  return { name, before: undefined, after: { memoryGb: undefined, replicas: undefined }, isLeftBehind: false };
}

function rowsOf({ name, operation, before, after }: ResourceStep, scaling: ResourceStep | undefined): CapacityRow[] {
  const was = before && { ...sizeOf(before), ...declaredSize(scaling?.before) };
  const leftBehind = { name, before: was, after: was, isLeftBehind: true };
  // A protected service stays: the engine refuses to delete it.
  if (operation === "delete" || operation === "forget") return [{ ...leftBehind, isLeftBehind: !before?.isProtected }];
  const isNew = operation === "replace";
  const is = after && { ...sizeAfter(after, isNew ? undefined : was), ...declaredSize(scaling?.after) };
  const row = { name, before: isNew ? undefined : was, after: is, isLeftBehind: false };
  return isNew ? [leftBehind, row] : [row];
}

/** The sizes that a scaling declares; unknown ones stay unknown. */
function declaredSize(state: State | undefined): Partial<Size> {
  const { maxReplicaMemoryGb: memory, numReplicas: replicas } = state?.inputs ?? {};
  return {
    ...(memory !== undefined && { memoryGb: numberOf(memory) }),
    ...(replicas !== undefined && { replicas: numberOf(replicas) }),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function capacityGb(size: Size | undefined): number | undefined {
  return size?.memoryGb === undefined || size.replicas === undefined ? undefined : size.memoryGb * size.replicas;
}

function sizeOf({ inputs, outputs }: State): Size {
  const size = (name: string) => numberOf(outputs[name]) ?? numberOf(inputs[name]);
  return { memoryGb: size("maxReplicaMemoryGb"), replicas: size("numReplicas") };
}

/** Declared sizes apply after the change; others stay as they were. */
function sizeAfter({ inputs }: State, was: Size | undefined): Size {
  const size = (name: string, otherwise: number | undefined) =>
    inputs[name] === undefined ? otherwise : numberOf(inputs[name]);
  return { memoryGb: size("maxReplicaMemoryGb", was?.memoryGb), replicas: size("numReplicas", was?.replicas) };
}
