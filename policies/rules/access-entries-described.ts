import { networkOf, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import type { PolicyResource } from "../policy/policy-resource";
import { SECRET } from "../policy/secrets";
import type { Settings } from "../policy/settings";

const MAX_NAMED = 10;
const TEXT = "use a text without whitespace at its ends";

const schema = z.strictObject({
  description: z
    .string(TEXT)
    .regex(/^\S(.*\S)?$/, TEXT)
    .optional()
    .describe(
      "At the level remediate: the description of entries that have none; default `managed by Pulumi (PROJECT/STACK)`.",
    ),
});

type DescriptionSettings = Settings<z.output<typeof schema>>;

/** An entry or description that is not known yet may turn out to be described. */
function undescribed(list: unknown): { readonly index: number; readonly source: unknown }[] {
  return (Array.isArray(list) ? list : []).flatMap((entry, index) =>
    entry === UNKNOWN || entry?.description ? [] : [{ index, source: entry?.source }],
  );
}

function remedies(resource: PolicyResource, { values }: DescriptionSettings) {
  const [, project] = resource.urn.split("::");
  const value = values.description ?? `managed by Pulumi (${project}/${resource.stack})`;
  const entries = undescribed(resource.inputs.ipAccessList).filter(({ source }) => source !== undefined);
  return entries.map(({ index }) => ({ path: ["ipAccessList", index, "description"], value }));
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
  settings: schema,
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
  remediation: { description: "Entries without a description get that of the setting.", remedies },
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
