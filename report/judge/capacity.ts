import { kindOf } from "../kinds";
import type { Change, State } from "../preview";
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
  /** It goes on running and costing without Pulumi. */
  readonly isLeftBehind: boolean;
}

export interface Capacity {
  readonly rows: readonly CapacityRow[];
  readonly beforeGb: number;
  readonly afterGb: number;
  /** Services whose size is not known before or after. */
  readonly uncounted: readonly string[];
}

/** What all services of a stack may grow to, before and after. What is left behind goes on costing, so it counts. */
export function capacityOf(changes: readonly Change[]): Capacity {
  const resources = withStepsJoined(changes);
  const services = resources.filter(({ type }) => kindOf(type)?.name === "Service");
  const scalings = resources.filter(({ type }) => kindOf(type)?.name === "ServiceScaling");
  const ids = new Set(services.map(({ before }) => before?.id).filter((id) => id !== undefined && id !== ""));
  // A scaling of a service that is here is this service's size, which its own row shows.
  const scalingOf = ({ before }: Change) => scalings.find((each) => before?.id && targetOf(each) === before.id);
  const others = scalings.filter((each) => !ids.has(targetOf(each)));
  const rows = [
    ...services.flatMap((service) => rowsOf(service, scalingOf(service))),
    ...others.flatMap((scaling) => (isUnknown(targetOf(scaling)) ? [openRow(scaling)] : rowsOf(scaling, undefined))),
  ];
  // What is not known on one side would look like growth or loss.
  const isCounted = ({ before, after }: CapacityRow) =>
    [before, after].every((size) => !size || gbOf(size) !== undefined);
  const counted = rows.filter(isCounted);
  const sum = (sizes: readonly (Size | undefined)[]) => sizes.reduce((total, size) => total + (gbOf(size) ?? 0), 0);
  return {
    rows,
    beforeGb: sum(counted.map(({ before }) => before)),
    afterGb: sum(counted.map(({ after }) => after)),
    uncounted: rows.filter((row) => !isCounted(row)).map(({ name }) => name),
  };
}

/** One change for each resource, from before its first step to after its last. */
function withStepsJoined(changes: readonly Change[]): Change[] {
  const joined = new Map<string, Change>();
  for (const change of changes) {
    const isLeftOver = change.after === undefined && change.before?.isLeftOver;
    const key = isLeftOver ? `${change.urn} ${change.before.id}` : change.urn;
    joined.set(key, { ...change, before: joined.get(key)?.before ?? change.before });
  }
  return [...joined.values()];
}

function targetOf({ before, after }: Change): string {
  return String(after?.inputs.serviceId ?? before?.inputs.serviceId ?? "");
}

/** A scaling of a service that nobody can tell yet: it may be one that has a row already. */
function openRow({ name }: Change): CapacityRow {
  return { name, before: undefined, after: { memoryGb: undefined, replicas: undefined }, isLeftBehind: false };
}

function rowsOf({ name, operation, before, after }: Change, scaling: Change | undefined): CapacityRow[] {
  const was = before && { ...sizeOf(before), ...declaredSize(scaling?.before) };
  const leftBehind = { name, before: was, after: was, isLeftBehind: true };
  // What is protected stays: the engine refuses to let it go.
  if (operation === "delete" || operation === "forget") return [{ ...leftBehind, isLeftBehind: !before?.isProtected }];
  const isNew = operation === "replace";
  const is = after && { ...sizeAfter(after, isNew ? undefined : was), ...declaredSize(scaling?.after) };
  const row = { name, before: isNew ? undefined : was, after: is, isLeftBehind: false };
  return isNew ? [leftBehind, row] : [row];
}

/** What a scaling says of a size; what it does not know yet is not known. */
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

export function gbOf(size: Size | undefined): number | undefined {
  return size?.memoryGb === undefined || size.replicas === undefined ? undefined : size.memoryGb * size.replicas;
}

function sizeOf({ inputs, outputs }: State): Size {
  const size = (name: string) => numberOf(outputs[name]) ?? numberOf(inputs[name]);
  return { memoryGb: size("maxReplicaMemoryGb"), replicas: size("numReplicas") };
}

/** What is declared holds after the change; what is not declared stays as it was. */
function sizeAfter({ inputs }: State, was: Size | undefined): Size {
  const size = (name: string, otherwise: number | undefined) =>
    inputs[name] === undefined ? otherwise : numberOf(inputs[name]);
  return { memoryGb: size("maxReplicaMemoryGb", was?.memoryGb), replicas: size("numReplicas", was?.replicas) };
}
