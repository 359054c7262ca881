import type { FieldPath } from "./paths";

/** True for an argument that an import declares: responses show it, and nobody else can own a part of it. */
export function isImportable({ field }: FieldPath): boolean {
  if (field.operations.includes("path")) return true;
  return field.inResponse !== undefined && !field.secret && !field.deprecated && field.list?.unmanaged !== "keep";
}

/** True for a value that an import declares: neither absent nor empty, and one that the check allows. */
export function isImported(fieldPath: FieldPath, value: unknown): boolean {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  return isImportable(fieldPath) && !isEmpty && fieldPath.field.schema.safeParse(value).success;
}
