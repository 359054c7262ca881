import { leavesOf, resources, valueAt } from "pulumi-clouddb/definitions";
import { type ResourceName, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../core/policy";
import { pipe } from "../testing/program";

const withCredentials = (password: Readonly<Record<string, string>>) =>
  pipe({
    serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
    pipeId: "b1b2c3d4-0001-4a53-9c1e-000000000001",
    source: { kafka: { credentials: { username: "loader", ...password } } },
  });

export const secretsByReference = createPolicy({
  name: "secrets-by-reference",
  level: "advisory",
  severity: "high",
  description: "Programs name environment variables instead of secrets.",
  reason:
    "The state, its history and its backups hold the secrets of a program. With references, they hold only names of variables.",
  settings: z.strictObject({}),
  resourceTypes: (Object.keys(resources) as ResourceName[]).filter(
    (type) => leavesOf(resources[type].definition)[0],
  ),
  evaluate(resource, _settings, context) {
    for (const { name, path, twinPath } of leavesOf(resources[resource.type].definition)) {
      const parent = path.slice(0, -1);
      if (valueAt(resource.inputs, parent) === UNKNOWN) {
        context.reportUnchecked(resource, `${parent.join(".")} is not known yet`);
        continue;
      }
      // A declared argument counts even if its value is unknown.
      if (valueAt(resource.inputs, path) === undefined) continue;
      const twin = twinPath.join(".");
      const advice = `name an environment variable with ${twin} instead.`;
      context.reportViolation(resource, `the state stores ${name}; ${advice}`);
    }
  },
  good: { resources: [withCredentials({ passwordFromEnvironment: "ORDERS_PASSWORD" })] },
  bad: { resources: [withCredentials({ password: "correct horse battery staple" })] },
});
