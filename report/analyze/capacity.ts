import { isDeepStrictEqual } from "node:util";
import { isUnknown, maxMonthlyCost, resourceTypeOf } from "pulumi-clouddb-facts";
import type { Capacity, CapacityRow, Size } from "../json-report";
import type { ResourceStep } from "../preview";
import { capacityGb, hasSecretSize, hasUnknownSize, readSize, sizeBefore } from "./size";

/** The maximum size of all services of a stack, before and after. Unmanaged services keep costing money, so they count. */
export function capacityOf(changes: readonly ResourceStep[], pricePerGbHour?: number): Capacity {
  const rows = rowsFor(changes);
  // A size that is unknown on one side would look like growth or loss.
  const isCounted = ({ before, after }: CapacityRow) =>
    [before, after].every((size) => !size || capacityGb(size) !== undefined);
  const counted = rows.filter(isCounted);
  const sum = (sizes: readonly (Size | undefined)[]) =>
    sizes.reduce((total, size) => total + (capacityGb(size) ?? 0), 0);
  const [beforeGb, afterGb] = [sum(counted.map(({ before }) => before)), sum(counted.map(({ after }) => after))];
  const cost = (gb: number) => maxMonthlyCost(gb, pricePerGbHour ?? 0);
  return {
    rows,
    beforeGb,
    afterGb,
    uncounted: rows.filter((row) => !isCounted(row)).map(({ name }) => name),
    monthlyCost: pricePerGbHour === undefined ? undefined : { before: cost(beforeGb), after: cost(afterGb) },
  };
}

function rowsFor(changes: readonly ResourceStep[]): CapacityRow[] {
  const resources = joinSteps(changes);
  const services = resources.filter(({ type }) => resourceTypeOf(type)?.name === "Service");
  const scalings = resources.filter(({ type }) => resourceTypeOf(type)?.name === "ServiceScaling");
  const ids = new Set(services.map(({ before }) => before?.id).filter((id) => id !== undefined && id !== ""));
  // A scaling of a service in this stack changes the size in that service's row.
  const scalingOf = ({ before }: ResourceStep) =>
    scalings.find((scaling) => before?.id && targetOf(scaling) === before.id);
  const others = scalings.filter((scaling) => !ids.has(targetOf(scaling)));
  return [
    ...services.flatMap((service) => rowsOf(service, scalingOf(service))),
    ...others.flatMap((scaling) => (isUnknown(targetOf(scaling)) ? [openRow(scaling)] : rowsOf(scaling, undefined))),
  ];
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
  return { name, before: undefined, after: readSize({}, {}), isLeftBehind: false, isUnchanged: false, isSecret: false };
}

function rowsOf({ name, operation, before, after }: ResourceStep, scaling: ResourceStep | undefined): CapacityRow[] {
  const was = before && sizeBefore(before, scaling?.before?.inputs ?? {});
  const leftBehind = { name, before: was, after: was, isLeftBehind: true, isUnchanged: true, isSecret: false };
  // A protected service stays: the engine refuses to delete it.
  if (operation === "delete" || operation === "forget") return [{ ...leftBehind, isLeftBehind: !before?.isProtected }];
  const isNew = operation === "replace";
  // Declared sizes apply after the change; others stay as they were.
  const declared = { ...after?.inputs, ...scaling?.after?.inputs };
  const is = after && readSize(declared, (!isNew && was) || {});
  const isSame = operation === "same" && (scaling?.operation ?? "same") === "same";
  const isUnchanged = isSame || (!isNew && isDeepStrictEqual(was, is) && !hasUnknownSize(declared));
  const isSecret = hasSecretSize(declared);
  const row = { name, before: isNew ? undefined : was, after: is, isLeftBehind: false, isUnchanged, isSecret };
  return isNew ? [leftBehind, row] : [row];
}
