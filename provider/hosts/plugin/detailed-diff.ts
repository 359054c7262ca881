import type { Difference } from "../../core/handlers";
import {
  entriesOf,
  type FieldPath,
  isOthersIn,
  type Properties,
  UNKNOWN,
  valueAt,
  wasDeclared,
  without,
} from "../../fields";

export type ChangeKind = "ADD" | "DELETE" | "UPDATE";

/** One changed place as the engine names it: `ipAccessList[1]`. */
export interface PlaceChange {
  readonly place: string;
  readonly kind: ChangeKind;
  readonly replaces: boolean;
  /** No longer declared: nothing is sent, and the server keeps the value. */
  readonly isReleased: boolean;
}

type Change = Pick<PlaceChange, "place" | "kind"> & Partial<PlaceChange>;

/** Every place that differs between the state and what the program declares; of a list, each entry by itself. */
export function detailedDiff(
  { changed, replacing }: Pick<Difference, "changed" | "replacing">,
  state: Properties,
  inputs: Properties,
): PlaceChange[] {
  return changed.flatMap((fieldPath) =>
    changesOf(fieldPath, state, inputs).map((change) => ({
      isReleased: false,
      ...change,
      replaces: replacing.includes(fieldPath),
    })),
  );
}

function changesOf(fieldPath: FieldPath, state: Properties, inputs: Properties): Change[] {
  const group = unknownGroup(fieldPath, inputs);
  if (group !== undefined) {
    return [{ place: group.join("."), kind: valueAt(state, group) === undefined ? "ADD" : "UPDATE" }];
  }
  const [before, after] = [valueAt(state, fieldPath.path), valueAt(inputs, fieldPath.path)];
  if (after === undefined) return [{ place: fieldPath.name, kind: "DELETE", isReleased: true }];
  if (before === undefined || !wasDeclared(state, fieldPath)) return [{ place: fieldPath.name, kind: "ADD" }];
  const isComparable = fieldPath.field.list !== undefined && after !== UNKNOWN;
  const entries = isComparable ? entryChanges(fieldPath, before, after, isOthersIn(state, fieldPath)) : [];
  return entries.length > 0 ? entries : [{ place: fieldPath.name, kind: "UPDATE" }];
}

/** The group around a field whose value is unknown as a whole: it shows as one place, not as all that may be in it. */
function unknownGroup({ path }: FieldPath, inputs: Properties): readonly string[] | undefined {
  const groups = path.slice(0, -1).map((_, index) => path.slice(0, index + 1));
  return groups.find((group) => valueAt(inputs, group) === UNKNOWN);
}

/** An entry that left and one that came in the same place are one change. */
function entryChanges(
  { name, field }: FieldPath,
  before: unknown,
  after: unknown,
  isOthers: (entry: unknown) => boolean,
): Change[] {
  const rules = field.list as NonNullable<typeof field.list>;
  const [old, wanted] = [entriesOf(before), entriesOf(after)];
  const [removals, come] = [new Set(without(rules, old, wanted)), new Set(without(rules, wanted, old))];
  return Array.from({ length: Math.max(old.length, wanted.length) }).flatMap((_, index): Change[] => {
    const [isGone, isNew] = [
      index < old.length && removals.has(old[index] as never),
      index < wanted.length && come.has(wanted[index] as never),
    ];
    if (!isGone && !isNew) return [];
    const place = `${name}[${index}]`;
    if (isNew) return [{ place, kind: isGone ? "UPDATE" : "ADD" }];
    return [{ place, kind: "DELETE", isReleased: rules.send === "changed" || isOthers(old[index]) }];
  });
}
