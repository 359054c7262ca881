import { hasUnknown } from "pulumi-clouddb-facts";
import { z } from "zod";
import { ACCESS_LISTS, type AccessList, addsTo, declaredEntries } from "../policy/access";
import { matches } from "../policy/patterns";
import { createPolicy } from "../policy/policy";
import { describeResource, type PolicyContext } from "../policy/policy-context";
import type { StackResource } from "../policy/policy-resource";
import { SECRET } from "../policy/secrets";
import { groupByTarget } from "../policy/targets";

/** Reports each entry that two resources add to the same list. */
function checkEntries(members: readonly StackResource[], { name, rules }: AccessList, context: PolicyContext): void {
  const owners = new Map<string, StackResource>();
  const isSecret = members.some((member) => member.isSecret(name));
  for (const member of members) {
    const entries = declaredEntries(member, name);
    if (entries === undefined) context.reportUnchecked(member, `${name} is not known yet`);
    for (const entry of entries ?? []) {
      if (hasUnknown(entry)) {
        context.reportUnchecked(member, `an entry of ${name} is not known yet`);
        continue;
      }
      const key = rules.key(entry);
      const owner = owners.get(key) ?? member;
      owners.set(key, owner);
      if (owner !== member) {
        const problem = `${describeResource(owner)} also adds ${isSecret ? SECRET : key} to ${name} of the same service`;
        context.reportViolation(member, `${problem}; keep one of them.`);
      }
    }
  }
}

export const oneOwnerForAccess = createPolicy({
  name: "one-owner-for-access",
  level: "mandatory",
  description:
    "A service's access is declared completely by its Service, or entry by entry by ServiceAccess resources, each entry once.",
  reason:
    "A Service that declares a list declares the complete list: after a refresh, its next update removes the entries that others have added.",
  settings: z.strictObject({
    shared: z
      .array(z.string("use the name of a Service; * matches any characters"))
      .default([])
      .describe(
        "The names of Service resources to which other stacks add entries with a ServiceAccess; `*` matches any characters. They may not declare ipAccessList or privateEndpointIds.",
      ),
  }),
  resourceTypes: ["Service"],
  evaluate(resource, { values, origin }, context) {
    if (!matches(values.shared, resource.name)) return;
    for (const { name } of ACCESS_LISTS) {
      if (resource.inputs[name] === undefined) continue;
      const problem = `it declares the complete ${name}, to which other stacks add entries, ${origin("shared")}`;
      context.reportViolation(resource, `${problem}; declare its entries in a ServiceAccess.`);
    }
  },
  evaluateStack(stackResources, _settings, context) {
    const { services, unresolved } = groupByTarget(stackResources, "ServiceAccess");
    const isUsed = stackResources.some(({ type }) => type === "ServiceAccess");
    for (const { service, members } of services) {
      // An adopted service may be the one that a ServiceAccess names by its id.
      if (service !== undefined && isUsed) context.read(service, "existingServiceId");
      for (const list of ACCESS_LISTS) {
        const adding = members.filter((member) => addsTo(member, list.name));
        if (service !== undefined && service.inputs[list.name] !== undefined && adding.length > 0) {
          const others = adding.map(describeResource).join(" and ");
          const problem = `it declares the complete ${list.name}, and would remove the entries of ${others}`;
          context.reportViolation(service, `${problem}; keep one of them.`);
        } else checkEntries(adding, list, context);
      }
    }
    for (const access of unresolved) context.reportUnchecked(access, "serviceId is not known yet");
  },
  good: {
    resources: [
      { type: "Service", name: "analytics", args: { existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001" } },
      {
        type: "ServiceAccess",
        name: "reporting",
        args: {
          serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
          ipAccessList: [{ source: "192.0.2.0/28", description: "reporting jobs" }],
        },
      },
    ],
  },
  bad: {
    resources: [
      {
        type: "Service",
        name: "analytics",
        args: {
          existingServiceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
          ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
        },
      },
      {
        type: "ServiceAccess",
        name: "reporting",
        args: {
          serviceId: "a1b2c3d4-0001-4a53-9c1e-000000000001",
          ipAccessList: [{ source: "192.0.2.0/28", description: "reporting jobs" }],
        },
      },
    ],
  },
});
