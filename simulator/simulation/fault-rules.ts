import { isDeepStrictEqual } from "node:util";
import { redact } from "./redact";

/** The moment of an effect: before or after the request is executed. */
export type When = "before" | "after";

/** The effect of a fault on a request. */
export type FaultEffect =
  /** Responds with this status instead of executing the request, or after it. A text body is sent as is. */
  | {
      readonly kind: "status";
      readonly when?: When;
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  /** Waits before executing the request, or before sending the response. */
  | { readonly kind: "latency"; readonly when?: When; readonly milliseconds: number }
  /** Resets the connection. */
  | { readonly kind: "reset"; readonly when: When }
  /** Executes the request and sends half of the response. */
  | { readonly kind: "truncated" }
  /** Executes the request and sends a body that is not valid JSON. */
  | { readonly kind: "malformed" }
  /** Replaces these members of `result` (for a creation, of its service) in the response; null omits `result`. */
  | {
      readonly kind: "answer";
      readonly result: Readonly<Record<string, unknown>> | null;
      readonly password?: unknown;
    }
  /** Stores and returns access entries as networks, with host bits masked. */
  | { readonly kind: "normalised" }
  /** Applies `add` before `remove` in changes of lists. */
  | { readonly kind: "addFirst" };

/** A fault to inject into matching requests: the document's `FaultRule`. The first matching rule applies. */
export interface FaultRule {
  /** Default: any method. */
  readonly method?: string;
  /** A part of the path. Default: any path. */
  readonly path?: string;
  /** The maximum number of requests that the rule applies to. Default: no limit. */
  readonly times?: number;
  /** The probability, from 0 to 1, that the rule applies to a matching request. Default: 1. */
  readonly probability?: number;
  readonly effect: FaultEffect;
}

export function createFaultRules(random: () => number = Math.random) {
  let active: { readonly rule: FaultRule; timesLeft: number }[] = [];
  const remaining = () =>
    active
      .filter(({ timesLeft }) => timesLeft > 0)
      .map(({ rule, timesLeft }) => ({ ...rule, ...(rule.times !== undefined && { times: timesLeft }) }));
  return {
    /** The rules that still apply, redacted. */
    listed: (): readonly FaultRule[] => redact(remaining()),
    /** A rule as it was listed stays as it is, with its secrets. */
    replace(rules: readonly FaultRule[]): void {
      const before = remaining();
      const next = rules.map((rule) => before.find((one) => isDeepStrictEqual(redact(one), rule)) ?? rule);
      active = next.map((rule) => ({ rule, timesLeft: rule.times ?? Number.POSITIVE_INFINITY }));
    },
    /** The effect on a request; uses up one of the rule's `times`. */
    takeEffect(method: string, path: string): FaultEffect | undefined {
      const match = active.find(
        ({ rule, timesLeft }) =>
          timesLeft > 0 &&
          (rule.method ?? method) === method &&
          path.includes(rule.path ?? "") &&
          (rule.probability ?? 1) > random(),
      );
      if (match === undefined) return undefined;
      match.timesLeft -= 1;
      return match.rule.effect;
    },
  };
}
