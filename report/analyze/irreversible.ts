import { isRecord, isUnknown, networkOf, resourceTypeOf } from "pulumi-clouddb-facts";
import type { PropertyChange, Warning } from "../json-report";
import { hasSecret, isAdopted, type Preview, type ResourceStep } from "../preview";
import { type ComparedStep, FINGERPRINTS, isReferenceChange } from "./properties";
import { formatValue, warningsOf } from "./values";

type OurType = ReturnType<typeof resourceTypeOf>;

/** Changes that restoring the old program does not undo. */
export function irreversibleIn(compared: readonly ComparedStep[]): Warning[] {
  // Replacements by an import come first, since protection does not prevent them.
  const rank = ({ step }: ComparedStep) => (step.isImported ? 0 : 1);
  const ranked = [...compared].sort((left, right) => rank(left) - rank(right));
  return ranked.flatMap(({ step, properties }) =>
    warningsOf(step.urn, reasonsFor(step, properties)),
  );
}

/** Secrets that the state and its history would store in plain text. */
export function clearedSecrets({ policies }: Preview): Warning[] {
  return policies.flatMap(({ urn, policy, pack, cleared = [] }) =>
    warningsOf(
      urn,
      cleared.map(
        (place) =>
          `${place} is no longer a secret, because the policy ${policy} of ${pack} drops its mark: the state and its history would hold it in clear text`,
      ),
    ),
  );
}

function reasonsFor(step: ResourceStep, properties: readonly PropertyChange[]): string[] {
  const { type, operation, before } = step;
  const ours = resourceTypeOf(type);
  // Deleting a provider loses nothing: the program can create it again.
  if (type.startsWith("pulumi:providers:")) return [];
  if (operation === "replace") return [replacement(step, ours)];
  if (operation === "forget") {
    const stays = ours?.staysWhenDeleted ? "keeps running and costing money" : "stays as it is";
    return [`is removed from state: it ${stays}, and Pulumi no longer manages it`];
  }
  if (operation === "delete") return [deletion(step, ours?.staysWhenDeleted ?? false)];
  if (operation !== "update" || !ours) return [];
  // The API fills in undeclared values.
  const known = (property: PropertyChange) => property.before ?? before?.outputs[property.place];
  return properties.flatMap(
    (property) =>
      rotation(step, property) ?? reasonFor(step, { ...property, before: known(property) }) ?? [],
  );
}

/**
 * The reason for an irreversible change of a secret by reference. States only have fingerprints.
 */
function rotation(
  { type, name, before, after }: ResourceStep,
  { place }: PropertyChange,
): string | undefined {
  const states = [before, after].map((state) => state?.inputs[FINGERPRINTS]);
  if (!states.every((fingerprints) => isRecord(fingerprints) && place in fingerprints))
    return undefined;
  const secret =
    place.split(".").find((part) => resourceTypeOf(type)?.secrets.includes(part)) ?? place;
  const words = secret.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `the ${words} of ${name} ${words.endsWith("s") ? "are" : "is"} rotated`;
}

const CANNOT_DELETE =
  "the API cannot delete it: the update will fail, and the service keeps running";

function deletion({ before }: ResourceStep, stays: boolean): string {
  if (before?.isPendingDeletion)
    return `was replaced earlier, and ${stays ? CANNOT_DELETE : "the old one is deleted"}`;
  if (!stays) return "is deleted";
  return before?.isProtected
    ? "is removed from the program, but is protected: Pulumi will refuse to delete it"
    : `is removed from the program, but ${CANNOT_DELETE}`;
}

function replacement(step: ResourceStep, ours: OurType): string {
  const { type, before, after, replacing } = step;
  const isReleased = before?.isRetained || isAdopted(type, before?.outputs);
  const old = oldObject(ours, isReleased);
  const stays = ours?.staysWhenDeleted ?? false;
  if (step.isImported) {
    const end =
      stays && !isReleased ? ", so the update fails at its end, with both in the state" : "";
    return `is replaced by the object that its option import names, and protection does not prevent it: ${old}${end}`;
  }
  const why = replacing.length > 0 ? ` because of ${replacing.join(", ")}` : "";
  // The same change of the program can remove the protection.
  const isRefused = before?.isProtected && after?.isProtected !== false;
  return `is replaced${why}: ${old}${stays && isRefused ? "; it is protected, so Pulumi will refuse" : ""}`;
}

function oldObject(ours: OurType, isReleased = false): string {
  if (ours?.staysWhenDeleted)
    return isReleased
      ? "the old service keeps running and costing money, unmanaged"
      : "the API cannot delete the old service";
  if (isReleased) return "the old one is removed from state and keeps running";
  if (ours?.removesEntries) return "the entries of the old one are removed";
  return `the old one is ${ours ? "removed from state and stays as it is" : "deleted"}`;
}

function reasonFor(
  step: ResourceStep,
  { place, before, after, entries, isReleased }: PropertyChange,
): string | undefined {
  if (isReleased || isReferenceChange(step, place)) return undefined;
  if (hasSecret(before) && (hasSecret(after) || isUnknown(after)))
    return `${place} changes; the old secret cannot be recovered`;
  const irreversible = resourceTypeOf(step.type)?.irreversible?.[place];
  if (irreversible === "whenChanged")
    return `${place} changes from ${formatValue(before)} to ${formatValue(after)}`;
  const isLowered = typeof before === "number" && typeof after === "number" && after < before;
  if (irreversible === "whenLowered" && isLowered)
    return `${place} is lowered from ${before} to ${after}`;
  if (place === "ipAccessList" && isUnknown(after))
    return "gets access entries that are not known yet";
  if (place === "ipAccessList" && entries) {
    const sourceOf = (entry: unknown) => (isRecord(entry) ? entry.source : entry);
    const networkIn = (entry: unknown) =>
      networkOf(`${sourceOf(entry)}`)?.text ?? formatValue(sourceOf(entry));
    const before = new Set(entries.removed.map(networkIn));
    const opened = entries.added.filter((entry) => !before.has(networkIn(entry)));
    if (opened.length > 0)
      return `opens access to ${opened.map(sourceOf).map(formatValue).join(", ")}`;
  }
  return undefined;
}
