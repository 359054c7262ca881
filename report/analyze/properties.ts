import {
  isRecord,
  isUnknown,
  networkOf,
  overlap,
  resourceTypeOf,
  sourcesIn,
} from "pulumi-clouddb-facts";
import type { PropertyChange } from "../json-report";
import {
  hasSecret,
  isSecret,
  type Properties,
  type ResourceStep,
  SECRET,
  type State,
} from "../preview";
import { canonicalText, redactValue } from "./values";

export interface ComparedStep {
  readonly step: ResourceStep;
  readonly properties: readonly PropertyChange[];
}

type Compared = Pick<ResourceStep, "type" | "operation" | "differing" | "replacing"> & {
  readonly [side in "before" | "after"]: (Pick<State, "inputs"> & Partial<State>) | undefined;
};

/** The redacted differences between inputs before and after. */
export function compareProperties(step: Compared): PropertyChange[] {
  const { type, operation, differing, replacing } = step;
  const ours = resourceTypeOf(type);
  const isSecretName = (name = "") => ours?.secrets.includes(name) ?? false;
  // Converts a name with dots in brackets, such as
  // `secretFingerprints["source.kafka.credentials.password"]`.
  const touched = differing.map((text) => text.replace(/\["([^"]+)"\]/g, ".$1"));
  const isTouched = (place: string) => touched.some((text) => overlap(text, place));
  // Redacts after the comparison, since redacted values look equal.
  const after = step.after?.inputs ?? {};
  const changes = between(step.before?.inputs ?? {}, after, "", isTouched);
  const outputs = step.before?.outputs;
  // Unchanged inputs are updated if the object differs from them.
  const isInState = ours && operation === "update" && changes.length === 0 && outputs;
  const differences = isInState
    ? between(sharedMembers(outputs, after), after, "", isTouched)
    : changes;
  return (ours ? differences.flatMap(withoutFingerprint) : differences).map((difference) => {
    const { place, before, after } = difference;
    const stored =
      operation === "update" && before === undefined ? storedList(step, place) : undefined;
    const isComparable =
      stored !== undefined && Array.isArray(after) && !hasSecret([stored, after]);
    const entries = isComparable
      ? entriesBetween(withNamesOf(after, stored), after)
      : difference.entries;
    const path = place.split(".");
    const redacted = (value: unknown) =>
      isSecretName(path.at(-1)) ? SECRET : redactValue(value, isSecretName);
    // The other value may be the secret before the program marked it.
    const isHidden = isSecret(before) || isSecret(after);
    const isOpen = (value: unknown) => value === undefined || isUnknown(value);
    const show = (value: unknown) => (isOpen(value) ? value : isHidden ? SECRET : redacted(value));
    const isOnServer = ours && place !== ours.adoptionArgument && !ours.unsent?.includes(place);
    const twin = twinOf(type, place);
    const isMoved = twin !== undefined && valueAt(step.after?.inputs, twin) !== undefined;
    const isGone = after === undefined && !isMoved;
    const isReleased = isOnServer === true && operation === "update" && isGone;
    return {
      place,
      before: show(before),
      after: show(after),
      entries:
        isReleased || !entries
          ? undefined
          : { removed: entries.removed.map(redacted), added: entries.added.map(redacted) },
      isReleased,
      replaces: replacing.includes(path[0] ?? ""),
    };
  });
}

function sharedMembers(outputs: Properties, inputs: Properties): Properties {
  const members = Object.entries(inputs).map(([name, input]) => {
    const output = outputs[name];
    const isGroup = isRecord(output) && isRecord(input) && !isSecret(output) && !isSecret(input);
    return [name, isGroup ? sharedMembers(output, input) : output];
  });
  return Object.fromEntries(members);
}

type Difference = Pick<PropertyChange, "place" | "before" | "after" | "entries">;

/** The property with the fingerprints of secrets by reference. */
export const FINGERPRINTS = "secretFingerprints";

/**
 * Shows a changed fingerprint as a change of its secret. A new or removed fingerprint only follows
 * its reference.
 */
function withoutFingerprint(difference: Difference): Difference[] {
  const { place, before, after } = difference;
  if (!overlap(place, FINGERPRINTS)) return [difference];
  const secret = place.slice(FINGERPRINTS.length + 1);
  const isRotated = secret !== "" && before !== undefined && after !== undefined;
  return isRotated ? [{ place: secret, before: SECRET, after: SECRET, entries: undefined }] : [];
}

/** The reference to a secret, or the secret of a reference; undefined for other arguments. */
function twinOf(type: string, place: string): string | undefined {
  const pair = Object.entries(resourceTypeOf(type)?.references ?? {}).find((pair) =>
    pair.includes(place),
  );
  return pair?.find((twin) => twin !== place);
}

/**
 * True if a secret moves between literal and reference, or if a reference names another variable.
 */
export function isReferenceChange({ type, before, after }: Compared, place: string): boolean {
  const sides = [before, after].map((state) => state?.inputs);
  return Object.entries(resourceTypeOf(type)?.references ?? {}).some(
    ([secret, twin]) =>
      (overlap(place, secret) || overlap(place, twin)) &&
      sides.some((inputs) => valueAt(inputs, twin) !== undefined) &&
      sides.every((inputs) => valueAt(inputs, twin) !== undefined || isLiteral(inputs, secret)),
  );
}

/** True if a literal secret is declared, visibly or inside of a secret object. */
function isLiteral(inputs: unknown, secret: string): boolean {
  const parent = secret.split(".").slice(0, -1).join(".");
  return valueAt(inputs, secret) !== undefined || isSecret(valueAt(inputs, parent));
}

/** The value at a place; undefined inside of a secret. */
function valueAt(properties: unknown, place: string): unknown {
  return place
    .split(".")
    .reduce(
      (value, name) => (isRecord(value) && !isSecret(value) ? value[name] : undefined),
      properties,
    );
}

function between(
  before: Properties,
  after: Properties,
  prefix: string,
  isTouched: (place: string) => boolean,
): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => {
    const place = prefix + name;
    const [old, now] = [before[name], after[name]];
    if (isRecord(old) && isRecord(now) && !isSecret(old) && !isSecret(now)) {
      return between(old, now, `${place}.`, isTouched);
    }
    // Secrets look equal, but the engine knows if they differ.
    if (canonicalText(old) === canonicalText(now))
      return hasSecret(now) && isTouched(place)
        ? [{ place, before: old, after: now, entries: undefined }]
        : [];
    // An undeclared list has no entries, and an unknown list is not an array.
    const [from, to] = [old ?? [], now ?? []];
    const entries = Array.isArray(from) && Array.isArray(to) ? entriesBetween(from, to) : undefined;
    return [{ place, before: old, after: now, entries }];
  });
}

/** The current entries of a completely declared list, from the former outputs. */
export function storedList(
  { type, before }: Pick<Compared, "type" | "before">,
  place: string,
): unknown[] | undefined {
  const lists = resourceTypeOf(type)?.completeLists ?? {};
  // A property may have the same name as a member of Object.prototype.
  const path = Object.hasOwn(lists, place) ? lists[place] : undefined;
  const stored = path && valueAt(before?.outputs, path.join("."));
  return Array.isArray(stored) ? stored : undefined;
}

/** Entries without members that the server fills in: those that no declared entry has. */
function withNamesOf(declared: readonly unknown[], stored: readonly unknown[]): unknown[] {
  // An access entry without a description has an empty one.
  const names = new Set(["description", ...declared.filter(isRecord).flatMap(Object.keys)]);
  if (declared.length === 0) return [...stored];
  return stored.map((entry) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).filter(([name]) => names.has(name)))
      : entry,
  );
}

/** Removed and added entries; undefined if there are none. */
function entriesBetween(
  before: readonly unknown[],
  after: readonly unknown[],
): PropertyChange["entries"] {
  const [removed, added] = [missingIn(before, after), missingIn(after, before)];
  return removed.length + added.length > 0 ? { removed, added } : undefined;
}

export function missingIn<Entry>(list: readonly Entry[], others: readonly Entry[]): Entry[] {
  const prints = new Set(others.map(entryText));
  return list.filter((entry) => !prints.has(entryText(entry)));
}

/** A text that all spellings of an access entry share. */
function entryText(entry: unknown): string {
  const [source] = sourcesIn([entry]);
  const network = isRecord(entry) && source !== undefined ? networkOf(source) : undefined;
  if (!isRecord(entry) || network === undefined) return canonicalText(entry);
  return canonicalText({ ...entry, source: network.text, description: entry.description ?? "" });
}
