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
  /** Refuses requests to a path until this many seconds after the rule first matched it. */
  | { readonly kind: "notReady"; readonly status: 409 | 423 | 424 | 425; readonly seconds: number }
  /** Reads return the state before a change for this many seconds after it. */
  | { readonly kind: "stale"; readonly seconds: number }
  /** Stores and returns access entries as networks, with host bits masked. */
  | { readonly kind: "normalised" }
  /** Returns a pipe's CPU and memory as text with a unit. */
  | { readonly kind: "quantities" }
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
  /** Default: true. A rule that is switched off stays in the list and matches no request. */
  readonly enabled?: boolean;
  readonly effect: FaultEffect;
}

/** A rule that still applies, with the id that the simulator assigned to it. */
export interface ListedFaultRule extends FaultRule {
  readonly id: string;
}

interface ActiveRule {
  readonly id: string;
  rule: FaultRule;
  timesLeft: number;
  /** When the rule first matched each path. */
  readonly firstMatches: Map<string, number>;
}

export function createFaultRules(random: () => number = Math.random) {
  let active: ActiveRule[] = [];
  let lastId = 0;
  const activate = (rule: FaultRule): ActiveRule => {
    lastId += 1;
    return {
      id: String(lastId),
      rule,
      timesLeft: rule.times ?? Number.POSITIVE_INFINITY,
      firstMatches: new Map(),
    };
  };
  return {
    /** The rules that still apply. */
    active: (): readonly ListedFaultRule[] =>
      active
        .filter(({ timesLeft }) => timesLeft > 0)
        .map(({ id, rule, timesLeft }) => ({
          ...rule,
          id,
          ...(timesLeft !== Number.POSITIVE_INFINITY && { times: timesLeft }),
        })),
    replace(rules: readonly FaultRule[]): void {
      active = rules.map(activate);
    },
    /** Adds a rule after the others. */
    add(rule: FaultRule): void {
      active = [...active, activate(rule)];
    },
    /** Switches a rule on or off; keeps its `times` and the time of `notReady`. */
    setEnabled(id: string, enabled: boolean): void {
      for (const item of active) if (item.id === id) item.rule = { ...item.rule, enabled };
    },
    remove(id: string): void {
      active = active.filter((item) => item.id !== id);
    },
    /** The effect on a request; uses up one of the rule's `times`. */
    takeEffect(method: string, path: string, now: number): FaultEffect | undefined {
      const match = active.find(
        (item) =>
          item.timesLeft > 0 &&
          item.rule.enabled !== false &&
          (item.rule.method ?? method) === method &&
          path.includes(item.rule.path ?? "") &&
          (item.rule.probability ?? 1) > random() &&
          !isReady(item, path, now),
      );
      if (match === undefined) return undefined;
      match.timesLeft -= 1;
      return match.rule.effect;
    },
  };
}

/** True once the time of `notReady`, which starts with a path's first match, is over. */
function isReady({ rule: { effect }, firstMatches }: ActiveRule, path: string, now: number): boolean {
  if (effect.kind !== "notReady") return false;
  const since = firstMatches.get(path) ?? now;
  firstMatches.set(path, since);
  return now >= since + effect.seconds * 1000;
}
