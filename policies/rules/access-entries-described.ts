import { networkOf, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import type { PolicyResource } from "../policy/policy-resource";
import { SECRET } from "../policy/secrets";

const MAX_NAMED = 10;

/** An entry or description that is not known yet may turn out to be described. */
function undescribed(list: unknown): { readonly index: number; readonly source: unknown }[] {
  return (Array.isArray(list) ? list : []).flatMap((entry, index) =>
    entry === UNKNOWN || entry?.description ? [] : [{ index, source: entry?.source }],
  );
}

/** Text that is not a network may be a secret. */
function labelOf(resource: PolicyResource, source: unknown, index: number): string {
  if (source === UNKNOWN) return "an address that is not known yet";
  if (resource.isSecret("ipAccessList")) return `${SECRET} (entry ${index})`;
  return typeof source === "string" && networkOf(source) !== undefined ? source : `entry ${index}`;
}

export const accessEntriesDescribed = createPolicy({
  name: "access-entries-described",
  level: "advisory",
  description: "Every access list entry has a description.",
  reason: "An address without a known owner is hard to remove safely.",
  settings: z.strictObject({}),
  resourceTypes: ["Service", "ServiceAccess"],
  evaluate(resource, _settings, context) {
    const list = context.read(resource, "ipAccessList");
    const labels = undescribed(list).map(({ index, source }) => labelOf(resource, source, index));
    if (labels.length === 0) return;
    const more = labels.length > MAX_NAMED ? ` and ${labels.length - MAX_NAMED} more` : "";
    context.reportViolation(
      resource,
      `ipAccessList has no description for ${labels.slice(0, MAX_NAMED).join(", ")}${more}; describe who uses each entry.`,
    );
  },
  evaluatesOutputs: true,
  good: {
    resources: [
      {
        type: "Service",
        name: "analytics",
        args: { ipAccessList: [{ source: "203.0.113.0/24", description: "office" }] },
      },
    ],
  },
  bad: { resources: [{ type: "Service", name: "analytics", args: { ipAccessList: [{ source: "203.0.113.0/24" }] } }] },
});
