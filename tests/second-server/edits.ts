/**
 * What an answer shows otherwise, by place (`source.kafka.offset`, `ipAccessList[].source`): the value that stands there,
 * or a function of the one that does. Undefined takes it out; a place whose parent is not there is left alone, and so is
 * one that is to be made from a value that is not there.
 */
export type Edits = Readonly<Record<string, unknown>>;

export function edited(value: unknown, edits: Edits = {}): unknown {
  let result = value;
  for (const [place, change] of Object.entries(edits)) result = editedAt(result, stepsOf(place), change);
  return result;
}

const EACH = "[]";

function stepsOf(place: string): string[] {
  return place.split(".").flatMap((step) => (step.endsWith(EACH) ? [step.slice(0, -EACH.length), EACH] : [step]));
}

function editedAt(value: unknown, [step, ...rest]: readonly string[], change: unknown): unknown {
  if (step === undefined) return typeof change === "function" ? change(value) : change;
  if (step === EACH) return Array.isArray(value) ? value.map((entry) => editedAt(entry, rest, change)) : value;
  if (typeof value !== "object" || value === null) return value;
  const parent = value as Record<string, unknown>;
  if ((rest.length > 0 || typeof change === "function") && !(step in parent)) return value;
  return { ...parent, [step]: editedAt(parent[step], rest, change) };
}
