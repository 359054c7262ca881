import { type Exemption, exemption } from "pulumi-clouddb-facts/exemptions";
import { z } from "zod";
import { describeExemption, isInStack, isPast, keyOf } from "../policy/exemptions";
import { createPolicy } from "../policy/policy";
import { describeResource } from "../policy/policy-context";
import type { PolicyResource } from "../policy/policy-resource";
import { exemptedViolations, reportedExclusions, usedExemptions } from "../policy/run-memory";

const MOST_DAYS = 180;
const DAY_MS = 86_400_000;

const schema = z
  .strictObject({
    // The engine would describe what is wrong with an entry by regular expressions, and not with all of them.
    list: z
      .custom<z.input<typeof exemption>[]>()
      .meta({ type: "array", items: { type: "object" } })
      .pipe(z.array(exemption, "use a list of exemptions"))
      .default([])
      .describe(
        "The exemptions, each with `policy`, `resource` (name or URN; `*` matches any characters), `reason` and `until` (its last day, in UTC), and optionally `stack` and `approvedBy`.",
      ),
    maxDays: z
      .number("use a number of days")
      .int("use a number of days")
      .min(1, "use a number of days")
      .default(MOST_DAYS)
      .describe(`How far ahead \`until\` may be, in days; default ${MOST_DAYS}.`),
  })
  .superRefine(({ list, maxDays }, context) => {
    const last = new Date(Date.now() + maxDays * DAY_MS).toISOString().slice(0, 10);
    for (const [index, { until }] of list.entries()) {
      const message = `${until} is more than ${maxDays} days ahead; use ${last} or earlier`;
      if (until > last) context.addIssue({ code: "custom", path: ["list", index, "until"], message });
    }
  });

/** Takes the exempted violations of the evaluation that has just run. */
function takeViolations(report: (message: string, urn: string | undefined) => void): void {
  for (const { exemption, message, urn, isReported } of exemptedViolations.splice(0)) {
    if (!isReported) report(`exempted from ${exemption.policy} ${describeExemption(exemption)}: ${message}`, urn);
  }
}

function describeUnused(entry: Exemption): string {
  const { policy, resource, until } = entry;
  const state = isPast(entry) ? "is over" : "concerns no violation";
  return `The exemption of ${resource} from ${policy} until ${until} ${state}: remove it from the setting list.`;
}

export const exemptions = createPolicy({
  name: "exemptions",
  level: "advisory",
  description: "Exempted violations are in sight, and exemptions end.",
  reason: "An exemption that nobody sees lasts forever.",
  settings: schema,
  resourceTypes: ["Service", "ServiceScaling", "Organization", "Pipe"],
  evaluate(resource, _, context) {
    takeViolations((text) => context.reportViolation(resource, withoutLabel(text, resource)));
  },
  evaluateStack(resources, { values: { list } }, context) {
    const [{ stack } = { stack: "" }] = resources;
    takeViolations((text, urn) => {
      const resource = resources.find((other) => other.urn === urn);
      context.reportViolation(resource, resource ? withoutLabel(text, resource) : text);
    });
    // A run that leaves resources out cannot tell.
    if (reportedExclusions.size > 0) return;
    for (const entry of list) {
      if (isInStack(entry, stack) && !usedExemptions.has(keyOf(entry)))
        context.reportViolation(undefined, describeUnused(entry));
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

/** The message names the resource once. */
function withoutLabel(text: string, resource: PolicyResource): string {
  return text.replace(`${describeResource(resource)}: `, "");
}
