import { scalingFields } from "pulumi-clouddb/definitions";
import { z } from "zod";
import type { Findings } from "../policy/findings";
import { createPolicy } from "../policy/policy";
import { productionStacks } from "../policy/production";
import { matchesStack, type Settings } from "../policy/settings";
import type { Subject } from "../policy/subject";

const { idleTimeoutMinutes } = scalingFields();

const schema = z.strictObject({
  stacks: productionStacks,
  maxIdleTimeoutMinutes: idleTimeoutMinutes.schema
    .default(60)
    .describe("The longest idle timeout, in minutes; 60 is the default."),
});

function judge(subject: Subject, { values, origin }: Settings<z.output<typeof schema>>, findings: Findings): void {
  if (matchesStack(values.stacks, subject.stack)) return;
  if (findings.read(subject, "idleScaling") === false) {
    findings.violation(
      subject,
      "idleScaling false keeps it running when nobody uses it; set it to true outside of production.",
    );
  }
  const timeout = findings.read(subject, "idleTimeoutMinutes");
  if (typeof timeout === "number" && timeout > values.maxIdleTimeoutMinutes) {
    findings.violation(
      subject,
      `idleTimeoutMinutes ${timeout} is more than ${values.maxIdleTimeoutMinutes}, ${origin("maxIdleTimeoutMinutes")}; lower it.`,
    );
  }
}

export const idleSavesMoney = createPolicy({
  name: "idle-saves-money",
  level: "advisory",
  description: "Services outside of production scale to zero when nobody uses them.",
  reason: "A development service that runs all night costs as much as one that is used.",
  settings: schema,
  kinds: ["Service", "ServiceScaling"],
  judge,
  judgeUndeclared: judge,
  good: { stack: "dev", resources: [{ kind: "Service", name: "analytics", args: { idleTimeoutMinutes: 15 } }] },
  bad: {
    stack: "dev",
    resources: [
      { kind: "Service", name: "analytics", args: { idleScaling: false } },
      { kind: "Service", name: "reports", args: { idleTimeoutMinutes: 240 } },
    ],
  },
});
