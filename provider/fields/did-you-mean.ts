import leven from "leven";
import { coded, type Message } from "../errors";
import { NATIVE_PACKAGE, PROVIDER_KEYS, settingKey } from "../names";

/** Longer texts are not taken for misspelled names. */
const MAX_LENGTH = 60;

/** A question about the known name that is nearest to a misspelled one; undefined if none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const lower = name.toLowerCase();
  const [nearest] = known
    .map((other) => ({ other, distance: leven(lower, other.toLowerCase()) }))
    .filter(({ other, distance }) => isNear(lower, other.toLowerCase(), distance))
    .sort((one, two) => one.distance - two.distance);
  return nearest && `did you mean ${nearest.other}?`;
}

/** The end of a sentence about an unknown name. */
export function nearestOrRemove(name: string, known: readonly string[]): string {
  const question = didYouMean(name, known);
  return question ? `: ${question}` : "; remove it.";
}

/** The problem with each unknown argument of a provider or a function. */
export function describeUnknown(owner: string, names: readonly string[], known: readonly string[]): Message[] {
  return names
    .filter((name) => !known.includes(name))
    .map((name) => coded("CDB1001", `${owner} has no argument ${name}${nearestOrRemove(name, known)}`));
}

/** A warning for each unknown key of the stack's configuration. A project of the same name has keys of its own. */
export function describeUnknownKeys(project: string, keys: readonly string[], settings: readonly string[]): Message[] {
  if (project === NATIVE_PACKAGE) return [];
  return keys
    .filter((key) => !settings.includes(key) && !PROVIDER_KEYS.includes(key))
    .map((key) =>
      coded("CDB2008", `${settingKey(key)} is no setting of the provider${nearestOrRemove(key, settings)}`),
    );
}

/** Names with other digits, such as those of regions, are other names, whether or not a hyphen is before the digits. */
function isNear(name: string, other: string, distance: number): boolean {
  const [letters, otherLetters] = [name, other].map((text) => text.replace(/[\d-]/g, ""));
  const [digits, otherDigits] = [name, other].map((text) => text.replace(/\D/g, ""));
  if (letters === otherLetters && digits !== otherDigits) return false;
  return distance <= Math.max(1, Math.floor(name.length / 4)) || (name.length > 2 && other.startsWith(name));
}
