import type { ResourceType } from "../../../provider/core/resource-type";
import { resources } from "../../../provider/resources";

/** The name of a resource type in programs. */
export function typeName(type: ResourceType): string {
  const [name] = Object.entries(resources).find(([, item]) => item.type === type) ?? [];
  if (name === undefined) throw new Error(`no resource has the type ${type.title}`);
  return name;
}
