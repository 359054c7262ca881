import { z } from "zod";
import { type Definition, type Field, type FieldPath, isRecord } from "../fields";
import { inSnakeCase } from "../names";
import { resources } from "../resources";

/*
 * Where states of Terraform's ClickHouse provider have the arguments of a resource: under the argument's name in snake
 * case, unless it is listed here.
 */

interface Counterpart {
  readonly className: "Service" | "Pipe";
  readonly definition: Definition;
  /** Attributes by the names of the arguments. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Terraform's resource types that are resources here. */
export const COUNTERPARTS: Readonly<Record<string, Counterpart>> = {
  clickhouse_service: {
    className: "Service",
    definition: resources.Service.definition,
    attributes: {
      existingServiceId: "id",
      provider: "cloud_provider",
      ipAccessList: "ip_access",
      dataWarehouseId: "warehouse_id",
      isReadonly: "readonly",
      endpoints: "endpoints.mysql.enabled",
      hasTransparentDataEncryption: "transparent_data_encryption.enabled",
    },
  },
  clickhouse_clickpipe: {
    className: "Pipe",
    definition: resources.Pipe.definition,
    attributes: { pipeId: "id" },
  },
};

/** Terraform's resource types that are one argument of a Service here, and the attribute with its value. */
export const PARTS_OF_SERVICES: Readonly<Record<string, { readonly argument: string; readonly attribute: string }>> = {
  clickhouse_service_private_endpoints_attachment: {
    argument: "privateEndpointIds",
    attribute: "private_endpoint_ids",
  },
  clickhouse_service_transparent_data_encryption_key_association: {
    argument: "transparentDataEncryptionKeyId",
    attribute: "key_id",
  },
};

/** Attributes with passwords and their hashes, which no argument takes. */
export const PASSWORDS = ["password", "password_hash", "password_wo", "double_sha1_password_hash"];

/** Attributes that cannot be configured, or that say nothing about the object; besides those that are outputs here. */
export const IGNORED = ["endpoints", "private_endpoint_config", "password_wo_version", "trigger_resync"];

/** Where a state has an argument. */
export function attributeOf({ attributes }: Counterpart, { name, path }: Pick<FieldPath, "name" | "path">): string[] {
  return (attributes[name] ?? path.map(inSnakeCase).join(".")).split(".");
}

/** A value as an argument of this schema has it: entries of lists with the members that they have here, if present. */
export function asArgument(schema: Field["schema"], value: unknown): unknown {
  const entry = schema instanceof z.ZodArray ? schema.element : undefined;
  if (!(entry instanceof z.ZodObject) || !Array.isArray(value)) return value;
  return value.filter(isRecord).map((members) => {
    const present = Object.keys(entry.shape).map((name) => [name, members[inSnakeCase(name)] ?? undefined]);
    return Object.fromEntries(present.filter(([, member]) => member !== undefined));
  });
}
