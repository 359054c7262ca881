/** Replaced with a space where a text is printed in one line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal must not get any
export const CONTROL_OR_SPACE = /[\u0000-\u001f\u007f-\u009f\s]+/g;

/** At most so many UTF-16 units of a text, cut between characters. */
export function cut(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "") : text;
}

/** A text as one line without control characters, cut. */
export function toSingleLine(text: string, maxLength: number): string {
  const line = text.replace(CONTROL_OR_SPACE, " ").trim();
  return line.length > maxLength ? `${cut(line, maxLength)}…` : line;
}

/** A JSON value in well-formed Unicode, names included: gRPC fails to encode half a surrogate pair. */
export function wellFormed<Value>(value: Value): Value;
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]));
}
