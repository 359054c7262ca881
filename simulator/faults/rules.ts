import type { FaultEffect } from "./effects";

/** What goes wrong, for requests that a rule fits: the document's `FaultRule`. The first rule that fits counts. */
export interface FaultRule {
  /** Any method where absent. */
  readonly method?: string;
  /** A part of the path; any path where absent. */
  readonly path?: string;
  /** How many requests it lasts for; for ever where absent. */
  readonly times?: number;
  /** How likely it is to fit, from 0 to 1; always where absent. */
  readonly probability?: number;
  readonly effect: FaultEffect;
}

export interface Faults {
  readonly rules: () => readonly FaultRule[];
  readonly replace: (rules: readonly FaultRule[]) => void;
  /** The effect for a request, used up by one. */
  readonly effectFor: (method: string, path: string, now: number) => FaultEffect | undefined;
}

interface ActiveRule {
  readonly rule: FaultRule;
  left: number;
  /** When it first met a path. */
  readonly metAt: Map<string, number>;
}

export function createFaults(random: () => number = Math.random): Faults {
  let active: ActiveRule[] = [];
  return {
    rules: () =>
      active
        .filter(({ left }) => left > 0)
        .map(({ rule, left }) => (left === Number.POSITIVE_INFINITY ? rule : { ...rule, times: left })),
    replace(rules) {
      active = rules.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY, metAt: new Map() }));
    },
    effectFor(method, path, now) {
      const found = active.find(
        (each) =>
          each.left > 0 &&
          (each.rule.method ?? method) === method &&
          path.includes(each.rule.path ?? "") &&
          (each.rule.probability ?? 1) > random() &&
          isInTime(each, path, now),
      );
      if (found === undefined) return undefined;
      found.left -= 1;
      return found.rule.effect;
    },
  };
}

/** What is not ready becomes so a while after it was first asked for something. */
function isInTime({ rule: { effect }, metAt }: ActiveRule, path: string, now: number): boolean {
  if (effect.kind !== "notReady") return true;
  const since = metAt.get(path) ?? now;
  metAt.set(path, since);
  return now < since + effect.seconds * 1000;
}
