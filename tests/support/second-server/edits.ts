import type { ServerVariant, Shape } from "./variants";

/**
 * Changes by path (`source.kafka.offset`, `ipAccessList[].source`): the new value, or a function of the old one. Undefined
 * removes it. A path without a parent is ignored, and so is a function of a value that does not exist.
 */
export type Edits = Readonly<Record<string, unknown>>;

export function applyEdits(value: unknown, edits: Edits = {}): unknown {
  let result = value;
  for (const [path, change] of Object.entries(edits)) result = editAt(result, pathSteps(path), change);
  return result;
}

const EACH = "[]";

function pathSteps(path: string): string[] {
  return path.split(".").flatMap((step) => (step.endsWith(EACH) ? [step.slice(0, -EACH.length), EACH] : [step]));
}

function editAt(value: unknown, [step, ...rest]: readonly string[], change: unknown): unknown {
  if (step === undefined) return typeof change === "function" ? change(value) : change;
  if (step === EACH) return Array.isArray(value) ? value.map((entry) => editAt(entry, rest, change)) : value;
  if (typeof value !== "object" || value === null) return value;
  const parent = value as Record<string, unknown>;
  if ((rest.length > 0 || typeof change === "function") && !(step in parent)) return value;
  return { ...parent, [step]: editAt(parent[step], rest, change) };
}

/** The response of a server of this variant; the response to a creation contains a service. */
export function applyVariant(variant: ServerVariant | undefined, shape: Shape, response: object): unknown {
  const { result, ...envelope } = response as { readonly result?: Readonly<Record<string, unknown>> };
  const { responses } = variant ?? {};
  if (responses === undefined || result === undefined) return response;
  const whole = shape === "creation" ? { ...result, service: applyEdits(result.service, responses.service) } : result;
  return applyEdits({ ...envelope, result: applyEdits(whole, responses[shape]) }, responses.envelope);
}
