import { isDeepStrictEqual } from "node:util";
import {
  canonicalId,
  capacityGb,
  isUnknown,
  maxMonthlyCost,
  resourceTypeOf,
} from "pulumi-clouddb-facts";
import type { Capacity, CapacityRow, Size } from "../json-report";
import { isSecret, type Properties, type ResourceStep, type State } from "../preview";

/**
 * The maximum size of a stack's services, before and after. Includes unmanaged services, which keep
 * costing money.
 */
export function capacityOf(changes: readonly ResourceStep[], pricePerGbHour?: number): Capacity {
  const rows = rowsFor(changes);
  // A size that is only known on one side would look like growth or loss.
  const counted = rows.filter((row) => !lacksSize(row));
  const sum = (side: "before" | "after") =>
    counted.reduce((total, row) => total + (capacityGb(row[side]) ?? 0), 0);
  const [beforeGb, afterGb] = [sum("before"), sum("after")];
  const uncounted = rows.filter(lacksSize).map(({ name }) => name);
  return withCost({ rows, beforeGb, afterGb, uncounted, monthlyCost: undefined }, pricePerGbHour);
}

export function withCost(capacity: Capacity, pricePerGbHour: number | undefined): Capacity {
  if (pricePerGbHour === undefined) return capacity;
  const costOf = (gb: number) => maxMonthlyCost(gb, pricePerGbHour);
  const monthlyCost = { before: costOf(capacity.beforeGb), after: costOf(capacity.afterGb) };
  return { ...capacity, monthlyCost };
}

export function lacksSize({ before, after }: CapacityRow): boolean {
  return [before, after].some((size) => size && capacityGb(size) === undefined);
}

/** The growth, such as `+50 %`; empty if the former size is 0. */
export function percentText(before: number, after: number): string {
  if (before === 0) return "";
  return `${after >= before ? "+" : "−"}${Math.round((100 * Math.abs(after - before)) / before)} %`;
}

function rowsFor(changes: readonly ResourceStep[]): CapacityRow[] {
  const resources = joinSteps(changes);
  const services = resources.filter(({ type }) => resourceTypeOf(type)?.name === "Service");
  const scalings = resources.filter(({ type }) => resourceTypeOf(type)?.name === "ServiceScaling");
  const ids = new Set(services.map(({ before }) => canonicalId(before?.id)).filter(Boolean));
  // A ServiceScaling in this stack changes the size in its service's row.
  const scalingOf = ({ before }: ResourceStep) =>
    scalings.find((scaling) => before?.id && targetOf(scaling) === canonicalId(before.id));
  const others = scalings.filter((scaling) => !ids.has(targetOf(scaling)));
  return [
    ...services.flatMap((service) => rowsOf(service, scalingOf(service))),
    ...others.flatMap((scaling) =>
      isUnknown(targetOf(scaling)) ? [openRow(scaling)] : rowsOf(scaling, undefined),
    ),
  ];
}

/** Joins the steps of each resource into one change. */
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
  return canonicalId(String(after?.inputs.serviceId ?? before?.inputs.serviceId ?? ""));
}

/** The row of a ServiceScaling with an unknown service, which may have its own row. */
function openRow({ name }: ResourceStep): CapacityRow {
  return {
    name,
    before: undefined,
    after: readSize({}, {}),
    isLeftBehind: false,
    isUnchanged: false,
    isSecret: false,
  };
}

function rowsOf(
  { name, operation, before, after }: ResourceStep,
  scaling: ResourceStep | undefined,
): CapacityRow[] {
  const was = before && sizeBefore(before, scaling?.before?.inputs ?? {});
  const leftBehind = {
    name,
    before: was,
    after: was,
    isLeftBehind: true,
    isUnchanged: true,
    isSecret: false,
  };
  // A protected service stays, because the engine refuses to delete it.
  if (operation === "delete" || operation === "forget")
    return [{ ...leftBehind, isLeftBehind: !before?.isProtected }];
  const isNew = operation === "replace";
  // Declared sizes apply after the change. Other sizes stay unchanged.
  const declared = { ...after?.inputs, ...scaling?.after?.inputs };
  const is = after && readSize(declared, (!isNew && was) || {});
  const values = Object.values(ARGUMENTS).map((argument) => declared[argument] ?? undefined);
  // An unknown or secret value may be any value.
  const hasUnknown = values.some((value) => value !== undefined && typeof value !== "number");
  const isSame = operation === "same" && (scaling?.operation ?? "same") === "same";
  const isUnchanged = isSame || (!isNew && isDeepStrictEqual(was, is) && !hasUnknown);
  const sizes = { before: isNew ? undefined : was, after: is };
  const row = { name, ...sizes, isLeftBehind: false, isUnchanged, isSecret: values.some(isSecret) };
  return isNew ? [leftBehind, row] : [row];
}

/** The argument for each size limit. */
const ARGUMENTS = {
  memoryGb: "maxReplicaMemoryGb",
  replicas: "numReplicas",
  totalGb: "maxTotalMemoryGb",
} as const satisfies Record<keyof Size, string>;

/** The size before a change, including the arguments of the service's ServiceScaling. */
function sizeBefore({ inputs, outputs }: State, scaling: Properties): Size {
  return readSize({ ...outputs, ...scaling }, readSize(inputs, {}), { ...inputs, ...scaling });
}

/** The declared size. Undeclared limits stay unchanged. */
function readSize(properties: Properties, before: Partial<Size>, declared = properties): Size {
  const read = (name: keyof Size) => {
    const value = properties[ARGUMENTS[name]] ?? undefined;
    return value === undefined ? before[name] : typeof value === "number" ? value : undefined;
  };
  const size = { memoryGb: read("memoryGb"), replicas: read("replicas"), totalGb: read("totalGb") };
  const isDeclared = (name: keyof Size) => (declared[ARGUMENTS[name]] ?? undefined) !== undefined;
  const isOpen = (["memoryGb", "totalGb"] as const).some(
    (name) => isDeclared(name) && size[name] === undefined,
  );
  if (isOpen) return { ...size, memoryGb: undefined, totalGb: undefined };
  // An undeclared total may be outdated, so it only counts if the other limits are unknown.
  const isKnown = size.memoryGb !== undefined && size.replicas !== undefined;
  return isKnown && !isDeclared("totalGb") ? { ...size, totalGb: undefined } : size;
}
