/** The places at which a value holds one of these texts, such as `currentSource.kafka.password`. */
export function placesOf(value: unknown, texts: readonly string[], place = ""): string[] {
  if (typeof value === "string") return texts.some((text) => value.includes(text)) ? [place] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => placesOf(each, texts, place ? `${place}.${name}` : name));
}
