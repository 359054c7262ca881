import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { againstSettings, againstSpecification, inOrder } from "../policy/bounds";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { type Settings, withStacks } from "../policy/settings";
import type { Subject } from "../policy/subject";

const { schema: replicas } = scalingFields().numReplicas;

const schema = withStacks({
  min: replicas.optional().describe("The fewest replicas of a service."),
  max: replicas.optional().describe("The most replicas of a service."),
  organizationTier: z
    .enum(["BASIC", "SCALE", "ENTERPRISE"])
    .optional()
    .describe(
      "The organization's tier. In SCALE, the default, and ENTERPRISE a warehouse's first service has 2 replicas or more.",
    ),
});

function judge(subject: Subject, settings: Settings<z.output<typeof schema>>, findings: Findings): void {
  const { organizationTier = "SCALE" } = settings.values;
  againstSpecification(subject, ["numReplicas"], findings, { organizationTier });
  const bound = (["max", "min"] as const).find((name) => settings.values[name] !== undefined);
  if (bound === undefined) return;
  const value = findings.demand(subject, "numReplicas", `${settings.origin(bound)} bounds it; declare it`);
  againstSettings(subject, "numReplicas", value, settings, ["min", "max"], findings);
}

export const replicasWithinBounds = createPolicy({
  name: "replicas-within-bounds",
  level: "mandatory",
  description: "The number of replicas is within the specification's bounds and those of the settings.",
  reason: "Each replica costs the memory of one, and a service with too few of them stands still when one fails.",
  settings: schema,
  needs: inOrder("min", "max"),
  kinds: ["Service", "ServiceScaling"],
  judge,
  judgeUndeclared: judge,
  good: { resources: [{ kind: "Service", name: "analytics", args: { numReplicas: 3 } }] },
  bad: {
    settings: { max: 5 },
    resources: [
      { kind: "Service", name: "analytics", args: { numReplicas: 1 } },
      { kind: "Service", name: "reports", args: { numReplicas: 8 } },
      { kind: "Service", name: "trial", args: {} },
    ],
  },
});
