import { capacityGb } from "pulumi-clouddb-facts";
import type { Analysis, CapacityRow, Operation, ResourceChange } from "../json-report";
import { hasFindings } from "./analyze";
import { lacksSize, percentText } from "./capacity";
import { joinFirst, joinNames, textsOf } from "./values";

/** The conditions of `--fail-on`, each with a function that returns the reason why it holds. */
const REASONS: Readonly<Record<string, (analysis: Analysis) => string | undefined>> = {
  irreversible: ({ irreversible }) => naming(irreversible, "changes of", "cannot be undone"),
  policy: ({ policies }) =>
    naming(
      policies.flatMap(({ policy, result }) => (result === "failed" ? [policy] : [])),
      "violations of",
    ),
  replace: (analysis) => naming(changesOf("replace", analysis), "replaces"),
  delete: (analysis) => naming(changesOf("delete", analysis), "deletes"),
  drift: ({ drift }) => naming(drift, "changes outside of Pulumi of"),
  attention: ({ attention }) => naming(attention, "needs attention:"),
  unchecked: ({ unchecked }) => naming(unchecked, "not checked:"),
  failed: (analysis) => (analysis.outcome === "succeeded" ? undefined : interruption(analysis)),
  changes: (analysis) => {
    // Excepted violations are shown but hold no condition.
    const policies = analysis.policies.filter(({ result }) => result !== "excepted");
    return hasFindings({ ...analysis, policies }) || analysis.stackOperation !== "same"
      ? 'the report says more than "no changes"'
      : undefined;
  },
};

/** A condition that never holds, so that the command exits with 0 for any preview. */
export const NEVER = "never";
export const CONDITIONS = `${Object.keys(REASONS).join(", ")}, capacity>+N%`;

const GROWTH = /^capacity>\+(\d+(?:\.\d{1,2})?)%$/;

export function conditionsIn(list: string): string[] {
  return textsOf(...list.split(",").map((text) => text.trim()));
}

export function isCondition(text: string): boolean {
  return Object.hasOwn(REASONS, text) || GROWTH.test(text) || text === NEVER;
}

/** The reason why a condition holds or cannot be decided. */
type Verdict = "passes" | { readonly holds: string } | { readonly unanswered: string };

export function verdictOn(analysis: Analysis, condition: string): Verdict {
  if (condition === NEVER) return "passes";
  const [, percentage] = GROWTH.exec(condition) ?? [];
  const holds =
    percentage === undefined
      ? REASONS[condition]?.(analysis)
      : growthIn(analysis, Number(percentage));
  const open =
    holds === undefined
      ? unansweredBecause(analysis, condition)
      : percentage !== undefined && doubtIn(analysis, Number(percentage));
  if (open) return { unanswered: open };
  return holds === undefined ? "passes" : { holds };
}

/** A failed or incomplete preview as a clause, such as `the preview failed`. */
export function interruption({ outcome }: Pick<Analysis, "outcome">): string {
  return `the preview ${outcome === "cut off" ? "was cut off" : "failed"}`;
}

function unansweredBecause(analysis: Analysis, condition: string): string | undefined {
  const { notCovered, outcome, lacksEvents } = analysis;
  if (lacksEvents) return "events of the preview are missing or broken";
  if (condition === "failed") return undefined;
  if (outcome !== "succeeded") return `${interruption({ outcome })} before it finished`;
  if (notCovered.includes("policies") && (condition === "policy" || condition === "unchecked"))
    return "no policy pack ran; add --policy-pack";
  if (notCovered.includes("drift") && condition === "drift")
    return "the preview did not check for drift; add --refresh";
  return undefined;
}

function changesOf(operation: Operation, { changes }: Analysis): ResourceChange[] {
  return changes.filter((change) => change.operation === operation);
}

type Named = string | { readonly name: string };

function naming(items: readonly Named[], before: string, after = ""): string | undefined {
  if (items.length === 0) return undefined;
  const names = items.map((item) => (typeof item === "string" ? item : item.name));
  return `${before} ${joinFirst([...new Set(names)])} ${after}`.trimEnd();
}

/** Exceeds any rounding error of a percentage with two decimals. */
const TOLERANCE = 1e-6;

/** The growth of a stack's capacity in words, if it exceeds a percentage. */
function growthIn({ capacity }: Analysis, percentage: number): string | undefined {
  const { rows, beforeGb, afterGb } = capacity;
  const unknown = unknownText(rows.filter((row) => !staysTheSame(row)));
  if (unknown !== undefined) return unknown;
  // Also true if the numbers are too large to compare.
  const exceeds = !((afterGb - beforeGb) * 100 - percentage * beforeGb <= TOLERANCE);
  if (!exceeds) return undefined;
  const grown = rows.filter(
    ({ before, after }) => (capacityGb(after) ?? 0) > (capacityGb(before) ?? 0),
  );
  const change = (before = 0, after = 0) => `from ${before} GB to ${after} GB`;
  const services = grown.map(
    ({ name, before, after }) => `${name} ${change(capacityGb(before), capacityGb(after))}`,
  );
  const percent = percentText(beforeGb, afterGb);
  return `capacity grows ${change(beforeGb, afterGb)}${percent && ` (${percent})`}, ${joinFirst(services)}`;
}

/** The reason why the growth may be less than an exceeded percentage: some sizes are unknown. */
function doubtIn({ capacity }: Analysis, percentage: number): string | undefined {
  // Any growth exceeds 0 %.
  if (percentage === 0) return undefined;
  const unknown = unknownText(capacity.rows.filter(staysTheSame));
  return unknown && `${unknown}, although it does not change`;
}

function unknownText(rows: readonly CapacityRow[]): string | undefined {
  const texts = rows.filter(lacksSize).map(({ name }) => `the size of ${name} is not known`);
  return texts.length === 0 ? undefined : joinNames(texts);
}

function staysTheSame({ before, after, isUnchanged }: CapacityRow): boolean {
  const capacity = capacityGb(before);
  return isUnchanged || (capacity !== undefined && capacity === capacityGb(after));
}
