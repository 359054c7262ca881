import type { ReportViolation, StackValidationArgs } from "@pulumi/policy";
import { parseUrn, resourceTypeOf } from "pulumi-clouddb-facts";
import { z } from "zod";
import { reportAt } from "./pulumi-internals";

const text = (error: string) => z.string(error).trim().min(1, error);
const DATE = "use a date such as 2027-03-31";

/** An exemption of one resource from one policy, until a day in UTC. */
const exemption = z.strictObject(
  {
    policy: text("use the name of a policy"),
    resource: text("use the name of a resource in the program"),
    type: text("use a type such as Service").optional(),
    until: z.string(DATE).superRefine((until, { addIssue }) => {
      if (!z.iso.date().safeParse(until).success) addIssue(DATE);
      else if (until > inOneYear())
        addIssue(`${until} is more than a year ahead; use ${inOneYear()} or earlier`);
    }),
    reason: text("say why"),
  },
  "use an object with policy, resource, until and reason, and type if several resources have the name",
);

type Exemption = z.output<typeof exemption>;

/** A policy whose setting turns violations of other policies into advisories. */
export const exemptionsDefinition = {
  name: "exemptions",
  level: "advisory",
  severity: "low",
  description: "Exemptions name a resource, a reason and an end.",
  reason:
    "This policy reports nothing by itself: its setting turns violations of other policies into advisories.",
  settings: z.strictObject({
    list: z
      .array(exemption, "use a list of exemptions")
      .default([])
      .describe(
        "The exemptions, each with `policy`, `resource` (its name in the program), `until` (the last day, in UTC, at most a year ahead) and `reason`; also `type`, such as `Service`, if several resources of the stack have the name.",
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

/** The exemptions in the policy's settings; none if the policy is disabled. */
export function exemptionsIn(
  config: { readonly enforcementLevel?: string | undefined } = {},
): readonly Exemption[] {
  const { enforcementLevel, ...settings } = config;
  return enforcementLevel === "disabled"
    ? []
    : (exemptionsDefinition.settings.safeParse(settings).data?.list ?? []);
}

let exemptions: readonly Exemption[] = [];
export function setExemptions(list: readonly Exemption[]): void {
  exemptions = list;
}

/** A URN's type in three forms: with parent types, alone, and as a short name for this package. */
function typesIn(urn: string) {
  const { types: withParents, type: token } = parseUrn(urn);
  return { withParents, token, name: resourceTypeOf(token)?.name };
}

const isFor = ({ resource, type }: Exemption, urn: string) =>
  resource === parseUrn(urn).name &&
  (type === undefined || Object.values(typesIn(urn)).includes(type));

const isCurrent = ({ until }: Exemption) => until >= day(new Date());

/** Reports violations by exempted resources as advisories. */
export function withExemptions(
  report: ReportViolation,
  { name, description }: { readonly name: string; readonly description: string },
): ReportViolation {
  return (message, urn = "") => {
    const found = exemptions.find(
      (entry) => entry.policy === name && isCurrent(entry) && isFor(entry, urn),
    );
    if (found === undefined) return report(message, urn || undefined);
    reportAt(
      "advisory",
      report,
      `${description}\nexempted until ${found.until} (${found.reason}): ${message}`,
      urn,
    );
  };
}

/** Fails the preview at its end if an exemption's name matches several resources. */
export function refuseAmbiguous({ resources }: StackValidationArgs, report: ReportViolation): void {
  for (const exemption of exemptions.filter(isCurrent)) {
    const urns = resources.map(({ urn }) => urn).filter((urn) => isFor(exemption, urn));
    if (urns.length < 2) continue;
    const ours = urns.map(typesIn).filter(({ name }) => name !== undefined);
    const isUnique = (name?: string) => ours.filter((type) => type.name === name).length === 1;
    const types = ours.map(({ name, withParents }) => (isUnique(name) ? name : withParents)).sort();
    const exempted = `the exemption of "${exemption.resource}" from ${exemption.policy}`;
    const problem = `${exempted} names ${urns.length} resources of the stack`;
    const text = `${problem}; set its type to one of: ${types.join(", ")}.`;
    reportAt("mandatory", report, `${exemptionsDefinition.description}\n${text}`);
  }
}
