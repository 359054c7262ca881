import { hasUnknown, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy } from "../policy/policy";

const LISTS = ["ipAccessList", "privateEndpointIds"];

export const accessListRequired = createPolicy({
  name: "access-list-required",
  level: "advisory",
  description: "A service can be reached: it has an access list or private endpoints.",
  reason:
    "A service that nobody can reach only costs money, and access granted in the console is missing from the program.",
  settings: z.strictObject({}),
  resourceTypes: ["Service"],
  evaluate(resource, _settings, context) {
    // Outputs may show a list that is not declared.
    const needsOutputs = LISTS.some((name) => resource.inputs[name] === undefined);
    if (needsOutputs !== (resource.evaluates === "outputs")) return;
    const lists = LISTS.map(resource.effective);
    const isUnknown = (list: unknown) => list === UNKNOWN || (list === undefined && !resource.isCreated);
    if (lists.some(isUnknown) || lists.some((list) => Array.isArray(list) && list.length > 0)) {
      for (const name of LISTS) {
        if (hasUnknown(resource.effective(name))) context.reportUnchecked(resource, `${name} is not known yet`);
        else if (!resource.isCreated) context.readKnown(resource, name);
      }
      return;
    }
    const problem = lists.every((list) => list === undefined)
      ? "neither ipAccessList nor privateEndpointIds is declared, so nobody can reach the service if it is new"
      : "ipAccessList and privateEndpointIds have no entries, so nobody can reach it";
    context.reportViolation(resource, `${problem}; declare who may connect.`, resource.isCreated ? "" : undefined);
  },
  evaluatesOutputs: true,
  good: { resources: [{ type: "Service", name: "analytics", args: { ipAccessList: [{ source: "203.0.113.0/24" }] } }] },
  bad: { resources: [{ type: "Service", name: "analytics", args: { numReplicas: 3 } }] },
});
