import { scalingFields } from "pulumi-clouddb/definitions";
import type { z } from "zod";
import { againstSettings, againstSpecification, inOrder } from "../policy/bounds";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { type Settings, withStacks } from "../policy/settings";
import type { Subject } from "../policy/subject";

const { minReplicaMemoryGb, maxReplicaMemoryGb } = scalingFields();

const schema = withStacks({
  minGb: minReplicaMemoryGb.schema.optional().describe("The least memory of a replica, in GB."),
  maxGb: maxReplicaMemoryGb.schema.optional().describe("The most memory of a replica, in GB."),
});

/** The memory of a replica, the same for all replicas together, and the setting that bounds it. */
const MEMORY = [
  ["minReplicaMemoryGb", "minTotalMemoryGb", "minGb"],
  ["maxReplicaMemoryGb", "maxTotalMemoryGb", "maxGb"],
] as const;

function judge(subject: Subject, settings: Settings<z.output<typeof schema>>, findings: Findings): void {
  againstSpecification(
    subject,
    MEMORY.map(([each]) => each),
    findings,
  );
  const { minGb, maxGb } = settings.values;
  if (minGb === undefined && maxGb === undefined) return;
  for (const [each, total, bound] of MEMORY) {
    const isBounded = settings.values[bound] !== undefined;
    const isInTotal = !subject.isUndeclared(total);
    const memory =
      isBounded && !isInTotal
        ? findings.demand(subject, each, `${settings.origin(bound)} bounds it; declare it`)
        : findings.read(subject, each);
    againstSettings(subject, each, memory, settings, ["minGb", "maxGb"], findings, " GB");
    if (!isInTotal) continue;
    const replicas = findings.demand(subject, "numReplicas", `${total} is divided by it; declare it`);
    const share = Number(findings.read(subject, total)) / Number(replicas);
    if (Number.isNaN(share)) continue;
    againstSettings(subject, `${total} / numReplicas =`, share, settings, ["minGb", "maxGb"], findings, " GB");
  }
}

export const memoryWithinBounds = createPolicy({
  name: "memory-within-bounds",
  level: "mandatory",
  description: "The memory of replicas is within the specification's bounds and those of the settings.",
  reason:
    "Memory is what a service costs. A bound for each environment keeps a test from being as large as production.",
  settings: schema,
  needs: inOrder("minGb", "maxGb"),
  kinds: ["Service", "ServiceScaling"],
  judge,
  judgeUndeclared: judge,
  good: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [{ kind: "Service", name: "analytics", args: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 32 } }],
  },
  bad: {
    stack: "dev",
    settings: { byStack: { "dev*": { maxGb: 32 } } },
    resources: [
      { kind: "Service", name: "analytics", args: { minReplicaMemoryGb: 8, maxReplicaMemoryGb: 64 } },
      { kind: "Service", name: "reports", args: { minReplicaMemoryGb: 8 } },
    ],
  },
});
