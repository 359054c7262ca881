import leven from "leven";

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

/** Names with other digits, such as those of regions, are other names, whether or not a hyphen is before the digits. */
function isNear(name: string, other: string, distance: number): boolean {
  const [letters, otherLetters] = [name, other].map((text) => text.replace(/[\d-]/g, ""));
  const [digits, otherDigits] = [name, other].map((text) => text.replace(/\D/g, ""));
  if (letters === otherLetters && digits !== otherDigits) return false;
  return distance <= Math.max(1, Math.floor(name.length / 4)) || (name.length > 2 && other.startsWith(name));
}
