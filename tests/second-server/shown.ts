import { edited } from "./edits";
import type { Manner, Shape } from "./manners";

/** A whole answer as a server of this manner gives it: a creation has a service inside. */
export function shownBy(manner: Manner | undefined, shape: Shape, answer: object): unknown {
  const { result, ...envelope } = answer as { readonly result?: Readonly<Record<string, unknown>> };
  const { shows } = manner ?? {};
  if (shows === undefined || result === undefined) return answer;
  const whole = shape === "creation" ? { ...result, service: edited(result.service, shows.service) } : result;
  return edited({ ...envelope, result: edited(whole, shows[shape]) }, shows.envelope);
}
