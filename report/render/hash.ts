import { createHash } from "node:crypto";
import { canonicalText } from "../analyze/values";
import type { Analysis, ResourceChange, ResultEntry } from "../json-report";

/**
 * A hash of everything that a reviewer decides about: changes, policy results, warnings, capacity and cost, in any
 * order. Times, positions in the program, errors, and what only some inputs have are left out. Secrets are redacted
 * already: the hash does not help to guess one.
 */
export function hashOf(analyses: readonly Analysis[]): string {
  return createHash("sha256")
    .update(canonicalText(sorted(analyses.map(approvedIn))))
    .digest("hex");
}

function approvedIn(analysis: Analysis) {
  const { project, stack, outcome, stackOperation, weakened, capacity } = analysis;
  const { changes, drift, outputs, irreversible, attention, results, unchecked, notCovered } = analysis;
  return {
    ...{ project, stack, outcome, stackOperation, weakened, outputs },
    changes: sorted(changes.map(changeIn)),
    drift: sorted(drift.map(changeIn)),
    irreversible: sorted(irreversible),
    attention: sorted(attention.filter(({ isEnding }) => !isEnding)),
    results: sorted(results.map(resultIn)),
    unchecked: sorted(unchecked),
    notCovered: sorted(notCovered),
    // Without totals, whose last digits depend on the order.
    capacity: { rows: sorted(capacity.rows), currency: capacity.cost?.currency },
  };
}

/** Without origins, which events do not have. */
function changeIn({ dependencies, properties, ...change }: ResourceChange) {
  return { ...change, properties: properties.map(({ sources, ...property }) => property) };
}

/** The message of an exempted violation says in how many days the exemption ends. */
function resultIn({ policy, pack, result, urn, message, exemption }: ResultEntry) {
  return { policy, pack, result, urn, ...(exemption === undefined ? { message } : { exemption }) };
}

function sorted(list: readonly unknown[]): unknown[] {
  return list
    .map((entry) => ({ entry, text: canonicalText(entry) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ entry }) => entry);
}
