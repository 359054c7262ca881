import { isDeepStrictEqual } from "node:util";
import type { FaultEffect, FaultRule } from "../schema/seed";
import { redact } from "./redact";

/** Fault rules for requests. The first matching rule applies. */
export function createFaultRules(random: () => number = Math.random) {
  let active: { readonly rule: FaultRule; timesLeft: number }[] = [];
  const remaining = () =>
    active
      .filter(({ timesLeft }) => timesLeft > 0)
      .map(({ rule, timesLeft }) => ({
        ...rule,
        ...(rule.times !== undefined && { times: timesLeft }),
      }));
  return {
    /** The remaining rules, redacted. */
    listed: (): readonly FaultRule[] => redact(remaining()),
    /** Replaces the rules. A rule that equals a listed one keeps its redacted secrets. */
    replace(rules: readonly FaultRule[]): void {
      const before = remaining();
      const next = rules.map(
        (rule) => before.find((one) => isDeepStrictEqual(redact(one), rule)) ?? rule,
      );
      active = next.map((rule) => ({ rule, timesLeft: rule.times ?? Number.POSITIVE_INFINITY }));
    },
    /** The effect on a request. Each use lowers the rule's `times`. */
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
