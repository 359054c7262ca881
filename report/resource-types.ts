import fields from "./fields.json";
import type { OpType } from "./preview";

/** Facts about the resources of pulumi-clouddb, from their field tables. Other types are unknown. */

interface ResourceType {
  readonly name: string;
  /** True if the API cannot delete it: it keeps running and costing money. */
  readonly staysWhenDeleted: boolean;
  /** The argument by which a program adopts an object instead of creating one. */
  readonly adoptionArgument?: string;
  readonly secrets: readonly string[];
}

const TYPE = /^(?:pulumi-nodejs:dynamic\/)?clouddb(?::index(?:\/\w+)?)?:(\w+)$/;

export function resourceTypeOf(type: string): ResourceType | undefined {
  const [, name = ""] = TYPE.exec(type) ?? [];
  return Object.hasOwn(fields, name) ? (fields as Readonly<Record<string, ResourceType>>)[name] : undefined;
}

/** The effect of an operation: a resource that is retained or was adopted is removed from state instead of deleted. */
export function effectiveOperation(type: string, operation: OpType, isRetained: boolean): OpType {
  const ours = resourceTypeOf(type);
  const isAdopted = ours !== undefined && !ours.staysWhenDeleted;
  return operation === "delete" && (isRetained || isAdopted) ? "forget" : operation;
}
