import type { PolicyGroup } from "../json-report";
import { bytesOf, fitLines } from "./fit";
import { escapeLine, nameList, nameSpan } from "./lines";

/** Policy results: every policy with its count, then as many findings as fit. */

const SIGNS = { failed: "❌", warned: "⚠️", "not checked": "❔", remediated: "🔧", passed: "✅" } as const;
const TITLE = "#### Policies\n\n";
const MOST_FINDINGS = 10;
const MOST_NAMES = 5;

export function policySection(groups: readonly PolicyGroup[], bytes: number): string {
  if (groups.length === 0) return "";
  const passed = groups.filter(({ result }) => result === "passed").map(({ policy }) => policy);
  const open = groups.filter(({ result }) => result !== "passed");
  const last = passed.length > 0 ? [`- ✅ ${passed.length} passed: ${nameList([...new Set(passed)], 30)}`] : [];
  const heads = fitLines([...open.map(headOf), ...last], bytes - bytesOf(TITLE));
  let left = bytes - bytesOf(TITLE) - heads.reduce((sum, head) => sum + bytesOf(head) + 1, 0);
  const lines = heads.flatMap((head, index) => {
    const group = open.find((item) => headOf(item) === head);
    const share = Math.floor(left / (heads.length - index));
    const findings = group ? fitLines(group.findings.map(findingLine), share, { most: MOST_FINDINGS, rest: REST }) : [];
    left -= findings.reduce((sum, finding) => sum + bytesOf(finding) + 1, 0);
    return [head, ...findings];
  });
  return lines.length > 0 ? TITLE + lines.join("\n") : "";
}

function headOf({ policy, result, count }: PolicyGroup): string {
  return `- ${SIGNS[result]} ${nameSpan(policy)} ${result}${count > 1 ? `, ${count} times` : ""}:`;
}

/** The finding comes before the names, of which there may be many. */
function findingLine({ message, names: all }: PolicyGroup["findings"][number]): string {
  return `  - ${escapeLine(message)}${all.length > 0 ? ` (${nameList(all, MOST_NAMES)})` : ""}`;
}

const REST = (count: number) => `  - … and ${count} more`;
