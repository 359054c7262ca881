import { fieldPathsOf, resources, valueAt } from "pulumi-clouddb/definitions";
import { z } from "zod";
import { createPolicy } from "../policy/policy";
import type { Kind } from "../policy/subject";

export const noDeprecatedArguments = createPolicy({
  name: "no-deprecated-arguments",
  level: "advisory",
  description: "No argument is used that the API has deprecated.",
  reason: "What is deprecated goes away one day, and seldom on a convenient one.",
  settings: z.strictObject({}),
  kinds: Object.keys(resources) as Kind[],
  judge(subject, _settings, findings) {
    for (const { name, path, field } of fieldPathsOf(resources[subject.kind]?.definition.fields ?? {})) {
      // That it is declared is enough to know, whatever its value will be.
      if (field.deprecated === undefined || valueAt(subject.inputs, path) === undefined) continue;
      findings.violation(subject, `${name} is deprecated. ${field.deprecated}`);
    }
  },
  good: { resources: [{ kind: "Service", name: "analytics", args: { minReplicaMemoryGb: 8 } }] },
  bad: { resources: [{ kind: "Service", name: "analytics", args: { minTotalMemoryGb: 24 } }] },
});
