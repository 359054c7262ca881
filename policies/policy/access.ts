import { type Field, fieldPathsOf, type Properties, resources, valueAt } from "pulumi-clouddb/definitions";
import { hasUnknown } from "pulumi-clouddb-facts";
import type { PolicyResource, StackResource } from "./policy-resource";
import { groupByTarget } from "./targets";

/** A list to which a ServiceAccess adds entries. */
export interface AccessList {
  readonly name: string;
  readonly rules: NonNullable<Field["list"]>;
}

export const ACCESS_LISTS: readonly AccessList[] = fieldPathsOf(resources.ServiceAccess.definition.fields).flatMap(
  ({ name, field }) => (field.list === undefined ? [] : [{ name, rules: field.list }]),
);

/** The entries that a resource declares in a list; undefined while the whole list is unknown. */
export function declaredEntries({ inputs }: PolicyResource, name: string): readonly unknown[] | undefined {
  const list = valueAt(inputs, [name]);
  return list === undefined ? [] : Array.isArray(list) ? list : undefined;
}

/** True if a resource adds entries to a list, or may do so. */
export function addsTo(resource: PolicyResource, name: string): boolean {
  return declaredEntries(resource, name)?.length !== 0;
}

/** The lists that ServiceAccess resources fill for the services of the stack, by the URN of the service. */
export function addedLists(stackResources: readonly StackResource[]): ReadonlyMap<string, Properties> {
  const lists = groupByTarget(stackResources, "ServiceAccess").services.flatMap(({ service, members }) => {
    if (service === undefined) return [];
    const added = ACCESS_LISTS.flatMap(({ name }) => {
      const entries = members.flatMap(({ inputs }) =>
        hasUnknown(inputs[name]) ? [inputs[name]] : (inputs[name] ?? []),
      );
      return entries.length > 0 ? [[name, entries]] : [];
    });
    return [[service.urn, Object.fromEntries(added)] as const];
  });
  return new Map(lists);
}
