/** What goes wrong, for requests that a rule fits. The first rule that fits is the one that counts. */
export interface FaultRule {
  /** Any method where absent. */
  readonly method?: string;
  /** A part of the path; any path where absent. */
  readonly path?: string;
  /** How many requests it lasts for; for ever where absent. */
  readonly times?: number;
  readonly effect: FaultEffect;
}

export type FaultEffect =
  /** Answered instead of being carried out. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: unknown;
    }
  /** Carried out after a while. */
  | { readonly kind: "latency"; readonly milliseconds: number }
  /** The connection is reset, before or after the change is made. */
  | { readonly kind: "reset"; readonly when: "before" | "after" }
  /** Carried out, and the answer is cut in the middle. */
  | { readonly kind: "truncated" }
  /** Carried out, and the answer is no JSON. */
  | { readonly kind: "malformed" }
  /** Carried out, and these members of `result` (of a creation: of its service) are answered otherwise. */
  | { readonly kind: "answer"; readonly result: Record<string, unknown>; readonly password?: unknown };

export interface Faults {
  readonly rules: () => readonly FaultRule[];
  readonly replace: (rules: readonly FaultRule[]) => void;
  /** The effect for a request, used up by one. */
  readonly effectFor: (method: string, path: string) => FaultEffect | undefined;
}

export function createFaults(): Faults {
  let rules: { rule: FaultRule; left: number }[] = [];
  return {
    rules: () => rules.filter(({ left }) => left > 0).map(({ rule, left }) => ({ ...rule, times: left })),
    replace(given) {
      rules = given.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
    },
    effectFor(method, path) {
      const found = rules.find(
        ({ rule, left }) => left > 0 && (rule.method ?? method) === method && path.includes(rule.path ?? ""),
      );
      if (found === undefined) return undefined;
      found.left -= 1;
      return found.rule.effect;
    },
  };
}
