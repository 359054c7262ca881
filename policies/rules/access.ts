import { hasUnknown, networkOf, UNKNOWN } from "pulumi-clouddb-facts";
import { z } from "zod";
import { createPolicy, type PolicyContext } from "../core/policy";
import { describeResource, type PolicyResource, SECRET } from "../core/resource";
import { matches } from "../core/settings";
import {
  ACCESS_LISTS,
  type AccessList,
  declaredEntries,
  groupByTarget,
  type StackResource,
} from "../core/stack";
import { access, service } from "../testing/program";

export const accessListRequired = createPolicy({
  name: "access-list-required",
  level: "advisory",
  severity: "medium",
  description: "A service can be reached: it has an access list or private endpoints.",
  reason:
    "A service that nobody can reach only costs money, and access granted in the console is missing from the program.",
  settings: z.strictObject({}),
  resourceTypes: ["Service"],
  evaluate(resource, _settings, context) {
    const names = ACCESS_LISTS.map(({ name }) => name);
    // The outputs may contain an undeclared list.
    const needsOutputs = names.some((name) => resource.inputs[name] === undefined);
    if (needsOutputs !== (resource.evaluates === "outputs")) return;
    const lists = names.map(resource.effective);
    const isUnknown = (list: unknown) =>
      list === UNKNOWN || (list === undefined && !resource.isCreated);
    if (lists.some(isUnknown) || lists.some((list) => Array.isArray(list) && list.length > 0)) {
      for (const name of names) {
        if (hasUnknown(resource.effective(name)))
          context.reportUnchecked(resource, `${name} is not known yet`);
        else if (!resource.isCreated) context.readKnown(resource, name);
      }
      return;
    }
    const problem = lists.every((list) => list === undefined)
      ? "neither ipAccessList nor privateEndpointIds is declared, so nobody can reach the service if it is new"
      : "ipAccessList and privateEndpointIds have no entries, so nobody can reach it";
    context.reportViolation(
      resource,
      `${problem}; declare who may connect.`,
      resource.isCreated ? "" : undefined,
    );
  },
  evaluatesOutputs: true,
  good: { resources: [service({ ipAccessList: [{ source: "203.0.113.0/24" }] })] },
  bad: { resources: [service({ numReplicas: 3 })] },
});

const MAX_NAMED = 10;

/**
 * An entry in messages. Other text than a network may be secret, so the entry's number replaces it.
 */
function labelOf(resource: PolicyResource, source: unknown, index: number): string {
  if (source === UNKNOWN) return "an address that is not known yet";
  if (resource.isSecret("ipAccessList")) return `${SECRET} (entry ${index})`;
  return typeof source === "string" && networkOf(source) !== undefined ? source : `entry ${index}`;
}

export const accessEntriesDescribed = createPolicy({
  name: "access-entries-described",
  level: "advisory",
  severity: "low",
  description: "Every access list entry has a description.",
  reason: "An address without a known owner is hard to remove safely.",
  settings: z.strictObject({}),
  resourceTypes: ["Service", "ServiceAccess"],
  evaluate(resource, _settings, context) {
    const list = context.read(resource, "ipAccessList");
    // An unknown entry or description may be valid later.
    const labels = (Array.isArray(list) ? list : []).flatMap((entry, index) =>
      entry === UNKNOWN || entry?.description ? [] : [labelOf(resource, entry?.source, index)],
    );
    if (labels.length === 0) return;
    const more = labels.length > MAX_NAMED ? ` and ${labels.length - MAX_NAMED} more` : "";
    const named = labels.slice(0, MAX_NAMED).join(", ") + more;
    context.reportViolation(
      resource,
      `ipAccessList has no description for ${named}; describe who uses each entry.`,
    );
  },
  evaluatesOutputs: true,
  good: {
    resources: [service({ ipAccessList: [{ source: "203.0.113.0/24", description: "office" }] })],
  },
  bad: { resources: [service({ ipAccessList: [{ source: "203.0.113.0/24" }] })] },
});

/** Reports entries that two resources add to one list. */
function checkEntries(
  members: readonly StackResource[],
  { name, rules }: AccessList,
  context: PolicyContext,
): void {
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
      if (owner === member) continue;
      const shown = isSecret ? SECRET : key;
      context.reportViolation(
        member,
        `${describeResource(owner)} also adds ${shown} to ${name} of the same service; keep one of them.`,
      );
    }
  }
}

const ID = "a1b2c3d4-0001-4a53-9c1e-000000000001";
const reporting = access({
  serviceId: ID,
  ipAccessList: [{ source: "192.0.2.0/28", description: "reporting jobs" }],
});

export const oneOwnerForAccess = createPolicy({
  name: "one-owner-for-access",
  level: "mandatory",
  severity: "high",
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
      context.reportViolation(
        resource,
        `it declares the complete ${name}, to which other stacks add entries, ${origin("shared")}; declare its entries in a ServiceAccess.`,
      );
    }
  },
  evaluateStack(stackResources, _settings, context) {
    const { services, unresolved } = groupByTarget(stackResources, "ServiceAccess");
    const isUsed = stackResources.some(({ type }) => type === "ServiceAccess");
    for (const { service, members } of services) {
      // A ServiceAccess may use the id of an adopted service.
      if (service !== undefined && isUsed) context.read(service, "existingServiceId");
      for (const list of ACCESS_LISTS) {
        const adding = members.filter((member) => declaredEntries(member, list.name)?.length !== 0);
        if (service !== undefined && service.inputs[list.name] !== undefined && adding.length > 0) {
          const others = adding.map(describeResource).join(" and ");
          context.reportViolation(
            service,
            `it declares the complete ${list.name}, and would remove the entries of ${others}; keep one of them.`,
          );
        } else checkEntries(adding, list, context);
      }
    }
    for (const access of unresolved) context.reportUnchecked(access, "serviceId is not known yet");
  },
  good: { resources: [service({ existingServiceId: ID }), reporting] },
  bad: {
    resources: [
      service({
        existingServiceId: ID,
        ipAccessList: [{ source: "203.0.113.0/24", description: "office" }],
      }),
      reporting,
    ],
  },
});
