import type { ReportViolation } from "@pulumi/policy";
import { z } from "zod";
import { reportAdvisory } from "./pulumi-internals";

const text = (error: string) => z.string(error).trim().min(1, error);
const DATE = "use a date such as 2027-03-31";

/** One resource that one policy does not refuse, until a day in UTC. */
const exemption = z.strictObject(
  {
    policy: text("use the name of a policy"),
    resource: text("use the name of a resource in the program"),
    until: z.string(DATE).superRefine((until, { addIssue }) => {
      if (!z.iso.date().safeParse(until).success) addIssue(DATE);
      else if (until > inOneYear()) addIssue(`${until} is more than a year ahead; use ${inOneYear()} or earlier`);
    }),
    reason: text("say why"),
  },
  "use an object with policy, resource, until and reason",
);

type Exemption = z.output<typeof exemption>;

/** A policy whose setting turns violations of other policies into advisories. */
export const exemptionsDefinition = {
  name: "exemptions",
  level: "advisory",
  description: "Exemptions name a resource, a reason and an end.",
  reason: "This policy reports nothing by itself: its setting turns violations of other policies into advisories.",
  settings: z.strictObject({
    list: z
      .array(exemption, "use a list of exemptions")
      .default([])
      .describe(
        "The exemptions, each with `policy`, `resource` (its name in the program), `until` (the last day, in UTC, at most a year ahead) and `reason`.",
      ),
  }),
  resourceTypes: [],
  good: { resources: [] },
  bad: { resources: [] },
} as const;

const day = (date: Date) => date.toISOString().slice(0, "2027-03-31".length);

function inOneYear(): string {
  const date = new Date();
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  return day(date);
}

/** The exemptions in the settings of their policy, which exempts nothing while it is disabled. */
export function exemptionsIn({
  enforcementLevel,
  ...settings
}: {
  readonly enforcementLevel?: string | undefined;
} = {}) {
  return enforcementLevel === "disabled" ? [] : (exemptionsDefinition.settings.safeParse(settings).data?.list ?? []);
}

let exemptions: readonly Exemption[] = [];
export function setExemptions(list: readonly Exemption[]): void {
  exemptions = list;
}

/** Reports violations of exempted resources as advisories. */
export function withExemptions(
  report: ReportViolation,
  { name, description }: { readonly name: string; readonly description: string },
): ReportViolation {
  return (message, urn) => {
    const resource = urn?.split("::").slice(3).join("::");
    const isCurrent = (entry: Exemption) => entry.policy === name && entry.resource === resource;
    const found = exemptions.find((entry) => isCurrent(entry) && entry.until >= day(new Date()));
    if (found === undefined) return report(message, urn);
    reportAdvisory(report, `${description}\nexempted until ${found.until} (${found.reason}): ${message}`, urn);
  };
}
