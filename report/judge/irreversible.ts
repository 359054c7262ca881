import { kindOf } from "../kinds";
import type { Change } from "../preview";
import { type PropertyChange, propertyChanges } from "./properties";
import { hasSecret, isObject, isUnknown, shown } from "./values";

/** Something that going back to the old program will not undo, and why. */
export interface Warning {
  readonly urn: string;
  readonly name: string;
  readonly reason: string;
}

export function irreversibleIn(changes: readonly Change[], masks: readonly RegExp[]): Warning[] {
  return changes.flatMap((change) =>
    reasonsFor(change, masks).map((reason) => ({ urn: change.urn, name: change.name, reason })),
  );
}

function reasonsFor(change: Change, masks: readonly RegExp[]): string[] {
  const kind = kindOf(change.type);
  const { operation, before, replacing } = change;
  // A provider is a setting of the program, and comes back with it.
  if (change.type.startsWith("pulumi:providers:")) return [];
  if (operation === "replace") return [replacement(change, kind?.staysWhenDeleted ?? false, replacing.join(", "))];
  if (operation === "forget") {
    const cost = kind?.staysWhenDeleted ? " and goes on costing" : "";
    return [`it is let go of: it stays as it is${cost}, and Pulumi no longer manages it`];
  }
  if (operation === "delete") {
    if (before?.isLeftOver) {
      return [`an earlier update replaced it, and ${kind?.staysWhenDeleted ? CANNOT_GO : "what is left is deleted"}`];
    }
    if (!kind?.staysWhenDeleted) return ["it is deleted"];
    return [
      before?.isProtected
        ? "it leaves the program, and the engine refuses that: it is protected"
        : `it leaves the program, and ${CANNOT_GO}`,
    ];
  }
  if (operation !== "update" || !kind) return [];
  // What was not declared was what the API had filled in.
  const known = (property: PropertyChange) => property.before ?? before?.outputs[property.place];
  return propertyChanges(change, masks).flatMap((each) => reasonFor({ ...each, before: known(each) }) ?? []);
}

const CANNOT_GO = "the API cannot delete it: the update will fail, and the service goes on running";

function replacement({ before }: Change, stays: boolean, because: string): string {
  const why = because ? ` because of ${because}` : "";
  if (!stays) return `it is replaced${why}: the old one is ${before?.isRetained ? "let go of" : "deleted"}`;
  const ways = before?.isRetained
    ? "the old service goes on running and costing, unmanaged"
    : "the API cannot delete the old service";
  return `it is replaced${why}: ${ways}${before?.isProtected ? ", and it is protected, so the engine refuses" : ""}`;
}

const ENCRYPTION = /encryption/i;

function reasonFor({ place, before, after, entries, isReleased }: PropertyChange): string | undefined {
  if (isReleased) return undefined;
  if (hasSecret(before) && hasSecret(after)) return `${place} gets another value; the old secret is gone`;
  if (ENCRYPTION.test(place)) return `${place} changes from ${shown(before)} to ${shown(after)}`;
  if (typeof before === "number" && typeof after === "number" && after < before && /Memory|Replicas/.test(place)) {
    return `${place} is lowered from ${before} to ${after}`;
  }
  if (place === "ipAccessList" && isUnknown(after)) return "who may reach it is not known yet";
  if (place === "ipAccessList" && entries) {
    const sourceOf = (entry: unknown) => shown(isObject(entry) ? entry.source : entry);
    const before = new Set(entries.removed.map(sourceOf));
    const opened = entries.added.map(sourceOf).filter((source) => !before.has(source));
    if (opened.length > 0) return `access is opened to ${opened.join(", ")}`;
  }
  return undefined;
}
