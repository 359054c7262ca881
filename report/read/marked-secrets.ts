import { isUnknown, SECRET_MARK, SIGNATURE } from "pulumi-clouddb-facts";

const HIDDEN = "[secret]";

/**
 * Texts that an event marks as secret and shows elsewhere: as the plain text of the mark, or at the same place in
 * another state of the resource.
 */
export function markedSecrets(states: readonly unknown[]): string[] {
  const objects = states.filter((state) => typeof state === "object" && state !== null) as Record<string, unknown>[];
  const isMarked = states.includes(HIDDEN) || objects.some((state) => state[SIGNATURE] === SECRET_MARK);
  if (isMarked) return states.flatMap(textsIn);
  const names = new Set(objects.flatMap(Object.keys));
  return [...names].flatMap((name) => markedSecrets(objects.map((state) => state[name])));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") return value === HIDDEN || isUnknown(value) ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const { [SIGNATURE]: signature, plaintext } = value as Record<string, unknown>;
  if (signature !== SECRET_MARK) return Object.values(value).flatMap(textsIn);
  return typeof plaintext === "string" ? textsIn(parsed(plaintext)) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
