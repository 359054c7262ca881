import { networkOf, UNKNOWN } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import type { PolicyContext } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import type { Settings } from "../policy/settings";

const MAX_NAMED = 10;

function evaluate(resource: PolicyResource, _settings: Settings<object>, context: PolicyContext): void {
  const list = context.read(resource, "ipAccessList");
  const labels = (Array.isArray(list) ? list : []).flatMap((entry, index) =>
    entry === UNKNOWN || entry?.description ? [] : [labelOf(entry?.source, index)],
  );
  if (labels.length === 0) return;
  const more = labels.length > MAX_NAMED ? ` and ${labels.length - MAX_NAMED} more` : "";
  context.reportViolation(
    resource,
    `ipAccessList has no description for ${labels.slice(0, MAX_NAMED).join(", ")}${more}; describe who uses each entry.`,
  );
}

/** Text that is not a network may be a secret. */
function labelOf(source: unknown, index: number): string {
  if (source === UNKNOWN) return "an address that is not known yet";
  return typeof source === "string" && networkOf(source) !== undefined ? source : `entry ${index}`;
}

export const accessEntriesDescribed = createPolicy({
  name: "access-entries-described",
  level: "advisory",
  description: "Every access list entry has a description.",
  reason: "An address without a known owner is hard to remove safely.",
  settings: z.strictObject({}),
  resourceTypes: ["Service"],
  evaluate,
  evaluateOutputs: evaluate,
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
