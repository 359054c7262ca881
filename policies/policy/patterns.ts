/** Stack names match in any case. */
export function matchesStack(patterns: string | readonly string[], stack: string): boolean {
  const lower = [patterns].flat().map((pattern) => pattern.toLowerCase());
  return matches(lower, stack.toLowerCase());
}

export function matches(patterns: string | readonly string[], text: string): boolean {
  return [patterns].flat().some((pattern) => matchesOne(pattern, text));
}

/** Without a regular expression: of a long pattern it would be too large, and of one with many * too slow. */
function matchesOne(pattern: string, text: string): boolean {
  const [start = "", ...parts] = pattern.split("*");
  const end = parts.pop();
  if (end === undefined) return text === pattern;
  if (!text.startsWith(start) || !text.endsWith(end)) return false;
  let at = start.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - end.length;
}

type Entry<T> = readonly [pattern: string, value: T];

/** The entries that match, the most specific last: the order of keys in a file does not matter. */
export function matchingEntries<T>(
  entries: readonly Entry<T>[],
  isMatch: (pattern: string) => boolean,
): readonly Entry<T>[] {
  const matching = entries.filter(([pattern]) => isMatch(pattern));
  return matching.sort(([one], [other]) => specificity(one) - specificity(other));
}

/** A full name is the most specific, then the pattern with the most literal characters. */
function specificity(pattern: string): number {
  return pattern.includes("*") ? pattern.replaceAll("*", "").length : Number.POSITIVE_INFINITY;
}
