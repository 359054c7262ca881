import type { ReportViolation } from "@pulumi/policy";
import { daysLeft, type Exemption, endOf } from "pulumi-clouddb-facts/exemptions";
import { exemptedViolations, exemptions, usedExemptions } from "./run-memory";
import { matches, matchesStack } from "./settings";

/** Reports the violations of a policy in a stack, but for those of exempted resources. */
export function reportUnlessExempted(report: ReportViolation, policy: string, stack: string): ReportViolation {
  return (message, urn) => {
    const found = exemptionFrom(policy, stack, urn);
    if (found === undefined) return report(message, urn);
    usedExemptions.add(keyOf(found));
    const isOver = isPast(found);
    if (isOver) report(`${message} The exemption until ${found.until} is over (${found.reason}).`, urn);
    exemptedViolations.push({ exemption: found, message, urn, isReported: isOver });
  };
}

/** The exemption of a resource from a policy, the one that lasts longest; without a resource, of the stack as a whole. */
export function exemptionFrom(policy: string, stack: string, urn: string | undefined): Exemption | undefined {
  const names = urn === undefined ? ["*"] : [urn, urn.split("::").at(-1) ?? urn];
  return exemptions()
    .filter((entry) => entry.policy === policy && isInStack(entry, stack))
    .filter(({ resource }) => (urn === undefined ? resource === "*" : names.some((name) => matches(resource, name))))
    .sort((one, other) => (one.until < other.until ? 1 : -1))[0];
}

/** True if no policy changes it, either. */
export function isExempted(policy: string, stack: string, urn: string): boolean {
  const found = exemptionFrom(policy, stack, urn);
  return found !== undefined && !isPast(found);
}

export const isPast = (exemption: Exemption): boolean => daysLeft(exemption, new Date()) < 0;

export const isInStack = ({ stack: patterns }: Exemption, stack: string): boolean =>
  patterns === undefined || matchesStack(patterns, stack);

/** One for equal exemptions: a policy receives copies of its settings. */
export const keyOf = (exemption: Exemption): string => JSON.stringify(exemption);

/** What users read of it, such as `until 2027-03-31 (partner until the VPN is there; approved by the security team)`. */
export function describeExemption(exemption: Exemption): string {
  const { until, reason, approvedBy } = exemption;
  const approval = approvedBy === undefined ? "" : `; approved by ${approvedBy}`;
  const end = endOf(exemption, new Date());
  return `until ${until} (${reason}${approval})${end === undefined ? "" : `. ${end}`}`;
}
