import { edited } from "./edits";
import type { Manner, Shape } from "./manners";

/** A whole answer as a server of this manner gives it: a creation has a service inside. */
export function shownBy(manner: Manner | undefined, shape: Shape, answer: object): unknown {
  const { shows } = manner ?? {};
  if (shows === undefined) return answer;
  const { result, ...envelope } = answer as { result: Record<string, unknown> };
  const whole = shape === "creation" ? { ...result, service: edited(result.service, shows.service) } : result;
  return edited({ ...envelope, result: edited(whole, shows[shape]) }, shows.envelope);
}
