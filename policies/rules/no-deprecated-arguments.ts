import { describeDeprecation, fieldPathsOf, resources, valueAt } from "pulumi-clouddb/definitions";
import type { ResourceName } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../policy/policy";

export const noDeprecatedArguments = createPolicy({
  name: "no-deprecated-arguments",
  level: "advisory",
  description: "Programs do not use deprecated arguments.",
  reason: "A later release of the API may remove a deprecated argument. Replacing it early avoids an urgent change.",
  settings: z.strictObject({}),
  resourceTypes: Object.keys(resources) as ResourceName[],
  evaluate(resource, _settings, context) {
    for (const fieldPath of fieldPathsOf(resources[resource.type]?.definition.fields ?? {})) {
      const warning = describeDeprecation(fieldPath);
      // Declaring it is enough, even if its value is not known yet.
      if (warning === undefined || valueAt(resource.inputs, fieldPath.path) === undefined) continue;
      context.reportViolation(resource, warning);
    }
  },
  good: { resources: [{ type: "Service", name: "analytics", args: { minReplicaMemoryGb: 8 } }] },
  bad: { resources: [{ type: "Service", name: "analytics", args: { minTotalMemoryGb: 24 } }] },
});
