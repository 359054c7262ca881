import { fieldPathsOf, resources, valueAt } from "pulumi-clouddb/definitions";
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
    for (const { name, path, field } of fieldPathsOf(resources[resource.type]?.definition.fields ?? {})) {
      // Declaring it is enough, even if its value is not known yet.
      if (field.deprecated === undefined || valueAt(resource.inputs, path) === undefined) continue;
      context.reportViolation(resource, `${name} is deprecated. ${field.deprecated}`);
    }
  },
  good: { resources: [{ type: "Service", name: "analytics", args: { minReplicaMemoryGb: 8 } }] },
  bad: { resources: [{ type: "Service", name: "analytics", args: { minTotalMemoryGb: 24 } }] },
});
