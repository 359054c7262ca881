import type { Resource } from "../../../provider/core/resource";
import { resources } from "../../../provider/resources";

/** The name of a resource type in programs. */
export function typeName(type: Resource): string {
  const [name] = Object.entries(resources).find(([, item]) => item.definition === type) ?? [];
  if (name === undefined) throw new Error(`no resource has the type ${type.title}`);
  return name;
}
