import type { RULES } from "./variants";

/**
 * Changes by path (`source.kafka.offset`, `ipAccessList[].source`): the new value, or a function of the old one. Undefined
 * removes it. A path without a parent is ignored, and so is a function of a value that does not exist.
 */
export type Edits = Readonly<Record<string, unknown>>;

export function applyEdits(value: unknown, edits: Edits = {}): unknown {
  let result = value;
  for (const [path, change] of Object.entries(edits))
    result = editAt(result, pathSteps(path), change);
  return result;
}

const EACH = "[]";

function pathSteps(path: string): string[] {
  return path
    .split(".")
    .flatMap((step) => (step.endsWith(EACH) ? [step.slice(0, -EACH.length), EACH] : [step]));
}

function editAt(value: unknown, [step, ...rest]: readonly string[], change: unknown): unknown {
  if (step === undefined) return typeof change === "function" ? change(value) : change;
  if (step === EACH)
    return Array.isArray(value) ? value.map((entry) => editAt(entry, rest, change)) : value;
  if (typeof value !== "object" || value === null) return value;
  const parent = value as Record<string, unknown>;
  if ((rest.length > 0 || typeof change === "function") && !(step in parent)) return value;
  return { ...parent, [step]: editAt(parent[step], rest, change) };
}

/** Which part of a response: any service, the members next to a created service, the members next to the result, and so on. */
export type Shape = "service" | "creation" | "organization" | "pipe" | "settings" | "envelope";

/** The differences in responses. */
export type Responses = Readonly<Partial<Record<Shape, Edits>>>;

export interface ServerVariant {
  readonly rule: keyof typeof RULES;
  readonly responses?: Responses;
  /** The differences in request bodies as the server reads them. */
  readonly requests?: Edits;
  /** The message that the user gets about the variant. */
  readonly message?: RegExp;
  readonly gateway?: GatewayResponse;
}

/** A response that a gateway sends instead of the server. */
export interface GatewayResponse {
  readonly method: "GET" | "PATCH";
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body; a string is sent as it is. */
  readonly body: unknown;
  /** The number of responses; if absent, all. */
  readonly times?: number;
  /** The client's expected delay before a retry, in seconds: minimum and maximum. */
  readonly waits?: readonly [number, number];
}

/** The response of a server of this variant; the response to a creation contains a service. */
export function applyVariant(
  variant: ServerVariant | undefined,
  shape: Shape,
  response: object,
): unknown {
  const { result, ...envelope } = response as {
    readonly result?: Readonly<Record<string, unknown>>;
  };
  const { responses } = variant ?? {};
  if (responses === undefined || result === undefined) return response;
  const whole =
    shape === "creation"
      ? { ...result, service: applyEdits(result.service, responses.service) }
      : result;
  return applyEdits(
    { ...envelope, result: applyEdits(whole, responses[shape]) },
    responses.envelope,
  );
}
