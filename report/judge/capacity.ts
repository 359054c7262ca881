import { kindOf } from "../kinds";
import type { Change, State } from "../preview";

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
  const services = changes.filter(({ type }) => kindOf(type)?.name === "Service");
  const scalings = changes.filter(({ type }) => kindOf(type)?.name === "ServiceScaling");
  const ids = new Set(services.map(({ before }) => before?.id).filter((id) => id !== undefined && id !== ""));
  // A scaling of a service that is here is this service's size, which its own row shows.
  const scalingOf = (service: Change) => scalings.find((each) => targetOf(each) === (service.before?.id ?? ""));
  const outside = scalings.filter((each) => !ids.has(targetOf(each)));
  const rows = [
    ...services.flatMap((service) => serviceRows(service, scalingOf(service))),
    ...outside.flatMap((each) => serviceRows(each, undefined)),
  ];
  const sum = (sizes: readonly (Size | undefined)[]) => sizes.reduce((total, size) => total + (gbOf(size) ?? 0), 0);
  const isOpen = (size: Size | undefined) => size !== undefined && gbOf(size) === undefined;
  return {
    rows,
    beforeGb: sum(rows.map(({ before }) => before)),
    afterGb: sum(rows.map(({ after }) => after)),
    uncounted: rows.filter(({ before, after }) => isOpen(before) || isOpen(after)).map(({ name }) => name),
  };
}

function targetOf({ before, after }: Change): string {
  return String(after?.inputs.serviceId ?? before?.inputs.serviceId ?? "");
}

function serviceRows({ name, operation, before, after }: Change, scaling: Change | undefined): CapacityRow[] {
  const was = before && sizeOf(before);
  const isGone = operation === "delete" || operation === "forget";
  const leftBehind = { name, before: was, after: was, isLeftBehind: true };
  // What is protected stays: the engine refuses to let it go.
  if (isGone) return [before?.isProtected ? { ...leftBehind, isLeftBehind: false } : leftBehind];
  const own = after && sizeAfter(after, operation === "replace" ? undefined : before);
  const scaled = scaling?.after && own ? { ...own, ...declaredSize(scaling.after) } : own;
  if (operation === "replace") return [leftBehind, { name, before: undefined, after: scaled, isLeftBehind: false }];
  return [{ name, before: was, after: scaled, isLeftBehind: false }];
}

function declaredSize({ inputs }: State): Partial<Size> {
  const { maxReplicaMemoryGb: memoryGb, numReplicas: replicas } = inputs;
  return {
    ...(typeof memoryGb === "number" && { memoryGb }),
    ...(typeof replicas === "number" && { replicas }),
  };
}

export function gbOf(size: Size | undefined): number | undefined {
  return size?.memoryGb === undefined || size.replicas === undefined ? undefined : size.memoryGb * size.replicas;
}

function sizeOf({ inputs, outputs }: State): Size {
  const number = (name: string) => [outputs[name], inputs[name]].find((value) => typeof value === "number");
  return { memoryGb: number("maxReplicaMemoryGb"), replicas: number("numReplicas") };
}

/** What is declared holds after the change; what is not declared stays as it was. */
function sizeAfter({ inputs }: State, before: State | undefined): Size {
  const was = before && sizeOf(before);
  const number = (name: string, otherwise: number | undefined) => {
    const value = inputs[name];
    return typeof value === "number" ? value : value === undefined ? otherwise : undefined;
  };
  return {
    memoryGb: number("maxReplicaMemoryGb", was?.memoryGb),
    replicas: number("numReplicas", was?.replicas),
  };
}
