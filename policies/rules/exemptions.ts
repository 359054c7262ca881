import {
  describeExempted,
  EXEMPTIONS_DESCRIPTION,
  type Exemption,
  exemption,
  LONGEST_DAYS,
  MOST_DAYS,
} from "pulumi-clouddb-facts/exemptions";
import { z } from "zod";
import { isInStack, isPast, keyOf } from "../policy/exemptions";
import { createPolicy } from "../policy/policy";
import { describeResource, type PolicyContext } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import { exemptedViolations, incompletePolicies, reportedExclusions, usedExemptions } from "../policy/run-memory";

/** The pack checks the entries of the list: the engine would name what is wrong with them by regular expressions. */
const schema = z.strictObject({
  list: z
    .custom<Exemption[]>()
    .meta({ type: "array", items: { type: "object" } })
    .default([])
    .describe(
      "The exemptions, each with `policy`, `resource` (name or URN; `*` matches any characters), `reason` and `until` (its last day, in UTC), and optionally `stack` and `approvedBy`.",
    ),
  maxDays: z
    .number("use a number of days")
    .int("use a number of days")
    .min(1, "use a number of days")
    .max(LONGEST_DAYS, `use at most ${LONGEST_DAYS} days`)
    .default(MOST_DAYS)
    .describe(`How far ahead \`until\` may be, in days; default ${MOST_DAYS}.`),
});

/** Reports exempted violations, each once: those of a resource, or all that are left. */
function reportExempted(context: PolicyContext, resources: readonly PolicyResource[], ofAll: boolean): void {
  for (const exempted of exemptedViolations.splice(0)) {
    const { exemption, message, urn } = exempted;
    const resource = resources.find((other) => other.urn === urn);
    if (resource === undefined && !ofAll) exemptedViolations.push(exempted);
    else {
      // The message names the resource once.
      const text = resource ? message.replace(`${describeResource(resource)}: `, "") : message;
      context.reportViolation(resource, describeExempted(exemption, text));
    }
  }
}

function describeUnused(entry: Exemption): string {
  const { policy, resource, until } = entry;
  const state = isPast(entry) ? "is over: remove it from the setting list" : "concerns no violation in this stack";
  return `The exemption of ${resource} from ${policy} until ${until} ${state}.`;
}

export const exemptions = createPolicy({
  name: "exemptions",
  level: "advisory",
  description: EXEMPTIONS_DESCRIPTION,
  reason: "An exemption that nobody sees lasts forever.",
  settings: schema,
  resourceTypes: ["Service", "ServiceScaling", "ServiceAccess", "Organization", "Pipe"],
  evaluate: (resource, _, context) => reportExempted(context, [resource], false),
  evaluateStack(resources, { values: { list } }, context) {
    const [{ stack } = { stack: "" }] = resources;
    reportExempted(context, resources, true);
    // A run that leaves resources out cannot tell.
    if (reportedExclusions.size > 0) return;
    for (const entry of list.map((each) => exemption.parse(each))) {
      const isKnown = isInStack(entry, stack) && !incompletePolicies.has(entry.policy);
      if (isKnown && !usedExemptions.has(keyOf(entry))) context.reportViolation(undefined, describeUnused(entry));
    }
  },
  good: { resources: [{ type: "Service", name: "analytics", args: {} }] },
  bad: {
    settings: {
      list: [
        { policy: "no-open-access", resource: "analytics", reason: "until the VPN is there", until: "2026-03-31" },
      ],
    },
    resources: [{ type: "Service", name: "analytics", args: {} }],
  },
});
