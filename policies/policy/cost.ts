import { type Field, nameWithValue, resources } from "pulumi-clouddb/definitions";
import { monthlyCost, type Prices, pricePerGbHour, UNKNOWN } from "pulumi-clouddb-facts";
import { describeMissing, type PolicyContext } from "./policy-context";
import type { PolicyResource } from "./policy-resource";

const LOCATION = ["provider", "region"] as const;

/**
 * The cost per month of a service that is scaled up to a capacity. Undefined if its price is not known, which is
 * reported; `reason` completes "declare it, because …".
 */
export function costOf(
  resource: PolicyResource,
  maxGb: number,
  prices: Prices,
  context: PolicyContext,
  reason: string,
): number | undefined {
  const [provider, region] = LOCATION.map((name) => resource.properties[name]);
  const isKnown = typeof provider === "string" && typeof region === "string";
  const price = isKnown ? pricePerGbHour(prices, provider, region) : undefined;
  if (price !== undefined) return monthlyCost({ maxGb }, price).to;
  reportUnpriced(resource, context, reason);
  return undefined;
}

/** Report a cost that can never be known as a violation: unknown costs never count as zero. */
function reportUnpriced(resource: PolicyResource, context: PolicyContext, reason: string): void {
  const { type, properties } = resource;
  const unknown = LOCATION.filter((name) => properties[name] === UNKNOWN);
  const missing = LOCATION.filter((name) => properties[name] === undefined);
  if (type !== "Service") {
    const fix = "add the service to the stack with existingServiceId, provider and region";
    context.reportViolation(
      resource,
      `the provider and region of its service are not known; ${fix}, because ${reason}.`,
      "",
    );
  } else if (missing.length > 0) {
    for (const name of missing) context.reportViolation(resource, describeMissing(name, reason), "");
  } else if (unknown.length > 0) {
    context.reportUnchecked(resource, `its cost is not counted: ${unknown.join(" and ")} is not known yet`);
  } else {
    const { fields } = resources.Service.definition;
    const names = LOCATION.map((name) => nameWithValue(name, fields[name] as Field, properties[name])).join(", ");
    context.reportViolation(resource, `the price file has no price for its ${names}; add one, because ${reason}.`, "");
  }
}
