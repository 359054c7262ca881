/** The paths under which a value contains one of these texts, such as `currentSource.kafka.password`. */
export function pathsContaining(value: unknown, texts: readonly string[], path = ""): string[] {
  if (typeof value === "string") return texts.some((text) => value.includes(text)) ? [path] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => pathsContaining(item, texts, path ? `${path}.${name}` : name));
}
