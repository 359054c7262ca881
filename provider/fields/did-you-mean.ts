import leven from "leven";

/** Longer texts are no misspelled names. */
const MAX_LENGTH = 60;

/** A question about the known name that is nearest to a misspelled one; undefined if none is near. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const [nearest] = known
    .map((other) => ({ other, distance: leven(name.toLowerCase(), other.toLowerCase()) }))
    .sort((one, two) => one.distance - two.distance);
  const isNear = nearest !== undefined && nearest.distance < name.length;
  if (!isNear || nearest.distance > Math.max(2, name.length / 4)) return undefined;
  return `did you mean ${nearest.other}?`;
}
