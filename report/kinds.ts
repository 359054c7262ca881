import fields from "./fields.json";
import type { Operation } from "./preview";

/** What is known of the resources of pulumi-clouddb, by the tables of their fields. Others have no kind. */

interface Kind {
  readonly name: string;
  /** Whether the API cannot delete it: what is left behind goes on running and costing. */
  readonly staysWhenDeleted: boolean;
  readonly secrets: readonly string[];
}

const TYPE = /^(?:pulumi-nodejs:dynamic\/)?clouddb(?::index(?:\/\w+)?)?:(\w+)$/;

export function kindOf(type: string): Kind | undefined {
  const [, name = ""] = TYPE.exec(type) ?? [];
  return Object.hasOwn(fields, name) ? (fields as Readonly<Record<string, Kind>>)[name] : undefined;
}

/** What an operation comes to: what is retained, or was only taken over, is let go of and not deleted. */
export function operationOn(type: string, operation: Operation, isRetained: boolean): Operation {
  const kind = kindOf(type);
  const isTakenOver = kind !== undefined && !kind.staysWhenDeleted;
  return operation === "delete" && (isRetained || isTakenOver) ? "forget" : operation;
}
