/** Hides matches of the masks in a text. */
export type Redact = (text: string) => string;

export function redactWith(masks: readonly RegExp[]): Redact {
  // An empty match hides nothing, and a placeholder there would make the text unreadable.
  const hide = (secret: string) => (secret === "" ? "" : "[secret]");
  return (text) => masks.reduce((safe, mask) => safe.replace(mask, hide), text);
}

/** Our own placeholders, which no mask may hide. */
const OWN_WORDS: readonly string[] = ["operation", "stackOperation", "outcome", "result", "notCovered", "currency"];

/** A copy in which every text that came from the program, the engine or a file is redacted. */
export function redactTexts<T>(value: T, redact: Redact): T;
export function redactTexts(value: unknown, redact: Redact): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((entry) => redactTexts(entry, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, OWN_WORDS.includes(name) ? inner : redactTexts(inner, redact)]),
  );
}
