import { parseUrn } from "pulumi-clouddb-facts";
import { type PolicyGroup, RESULTS, SEVERITIES } from "../json-report";
import type { PolicyResult } from "../preview";
import { groupBy } from "./values";

/** The results without a finding. */
export const SILENT: readonly PolicyResult["result"][] = ["not evaluated", "passed"];

/**
 * The results of each policy by result, severity and name, worst first. In an incomplete preview,
 * no policy counts as passed.
 */
export function policyGroups(found: readonly PolicyResult[], isComplete: boolean): PolicyGroup[] {
  const results = found.map((each) =>
    each.result === "passed" && !isComplete ? { ...each, result: "not evaluated" as const } : each,
  );
  const keyOf = ({ policy, pack, result, severity }: PolicyResult) => {
    const rank = severity ? SEVERITIES.indexOf(severity) : SEVERITIES.length;
    return JSON.stringify([RESULTS.indexOf(result), rank, policy, pack]);
  };
  return groupBy(results, keyOf)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, group]) => {
      const [{ policy, pack, result, severity }] = group;
      const findings = SILENT.includes(result) ? [] : findingsOf(group);
      return { policy, pack, result, severity, count: group.length, findings };
    });
}

function findingsOf(results: readonly PolicyResult[]): PolicyGroup["findings"] {
  const textOf = ({ urn, message, exceptions }: PolicyResult) => {
    const finding = withoutResourceName(detailOf(message), parseUrn(urn).name);
    return exceptions === undefined ? finding : `${exceptions}: ${finding}`;
  };
  return groupBy(results, textOf).map(([message, group]) => ({
    message,
    names: group.map(({ urn }) => parseUrn(urn).name).filter((name) => name !== ""),
  }));
}

/** The first line repeats the policy's description. The finding follows. */
function detailOf(message: string): string {
  const [first = "", ...rest] = message.split("\n");
  const open = /^can't run policy .* during preview: (.*)$/.exec(first);
  return open?.[1] ?? (rest.join(" ").trim() || first);
}

/**
 * Removes the resource's name, so that findings such as `Service "a": it is too large` are equal
 * for all services.
 */
function withoutResourceName(message: string, name: string): string {
  const [head = "", kind = ""] = /^(\w+) "[^"]*": /.exec(message) ?? [];
  return name !== "" && head === `${kind} "${name}": ` ? message.slice(head.length) : message;
}
