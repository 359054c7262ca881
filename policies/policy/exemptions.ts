import type { ReportViolation } from "@pulumi/policy";
import { matches, matchesStack } from "pulumi-clouddb-facts";
import { daysLeft, type Exemption } from "pulumi-clouddb-facts/exemptions";
import { exemptedViolations, exemptions, usedExemptions } from "./run-memory";

/** Reports the violations of a policy in a stack, but for those of exempted resources. */
export function reportUnlessExempted(report: ReportViolation, policy: string, stack: string): ReportViolation {
  return (message, urn) => {
    const found = exemptionFrom(policy, stack, urn);
    if (found === undefined) return report(message, urn);
    usedExemptions.add(keyOf(found));
    if (isPast(found)) {
      return report(`${message} The exemption until ${found.until} is over (${found.reason}).`, urn);
    }
    exemptedViolations.push({ exemption: found, message, urn });
  };
}

/** The exemption of a resource from a policy, the one that lasts longest; without a resource, of the stack as a whole. */
function exemptionFrom(policy: string, stack: string, urn: string | undefined): Exemption | undefined {
  return exemptions()
    .filter((entry) => entry.policy === policy && isInStack(entry, stack))
    .filter(({ resource }) => (urn === undefined ? resource === "*" : isOf(resource, urn)))
    .sort((one, other) => (one.until < other.until ? 1 : -1))[0];
}

/** A pattern for names says nothing of the project, stack and type in a URN. */
function isOf(pattern: string, urn: string): boolean {
  return matches(pattern, pattern.startsWith("urn:") ? urn : urn.split("::").slice(3).join("::"));
}

/** True if no policy changes the arguments of the resource, either. */
export function isExempted(policy: string, stack: string, urn: string): boolean {
  const found = exemptionFrom(policy, stack, urn);
  return found !== undefined && !isPast(found);
}

export const isPast = (exemption: Exemption): boolean => daysLeft(exemption, new Date()) < 0;

/** True if an exemption may concern a stack. */
export function isInStack({ resource, stack: patterns }: Exemption, stack: string): boolean {
  const [, ofUrn] = /^urn:pulumi:([^:]*)::/.exec(resource) ?? [];
  return [patterns, ofUrn].every((pattern) => pattern === undefined || matchesStack(pattern, stack));
}

/** One for equal exemptions: a policy receives copies of its settings. */
export const keyOf = (exemption: Exemption): string => JSON.stringify(exemption);
