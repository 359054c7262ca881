import { applyEdits } from "./edits";
import type { ServerVariant, Shape } from "./variants";

/** The response of a server of this variant; the response to a creation contains a service. */
export function applyVariant(variant: ServerVariant | undefined, shape: Shape, response: object): unknown {
  const { result, ...envelope } = response as { readonly result?: Readonly<Record<string, unknown>> };
  const { responses } = variant ?? {};
  if (responses === undefined || result === undefined) return response;
  const whole = shape === "creation" ? { ...result, service: applyEdits(result.service, responses.service) } : result;
  return applyEdits({ ...envelope, result: applyEdits(whole, responses[shape]) }, responses.envelope);
}
