import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020";
import { document, type SchemaName } from "../schema/document";
import { canonicalNetwork } from "./networks";

/** Validates values with the OpenAPI document that the simulator serves. */

const DOCUMENT = "openapi.json";

let ajv: Ajv2020 | undefined;
const validators = new Map<string, ValidateFunction>();

/** The first error of a value, as a sentence that calls the value `root`; undefined where the value is valid. */
export function findSchemaError(schema: SchemaName, value: unknown, root?: string): string | undefined {
  return findErrorAt(["components", "schemas", schema], value, root);
}

/** `findSchemaError` with the schema at a path of the document. */
export function findErrorAt(path: readonly string[], value: unknown, root = "body"): string | undefined {
  const $ref = [`${DOCUMENT}#`, ...path.map(escapePointer)].join("/");
  ajv ??= createAjv();
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate(value) ? undefined : describeError(validate.errors?.[0], root);
}

/** Loaded with the first value, because a start without options validates none. */
function createAjv(): Ajv2020 {
  const { Ajv2020 } = require("ajv/dist/2020") as typeof import("ajv/dist/2020");
  const { default: addFormats } = require("ajv-formats") as typeof import("ajv-formats");
  const created = new Ajv2020({
    strict: false,
    discriminator: true,
    // Tests validate the document's schemas.
    meta: false,
    validateSchema: false,
    // Halves the time to compile a schema; the validators are no slower.
    inlineRefs: false,
    code: { optimize: false },
  });
  addFormats(created);
  created.addFormat("ip-network", (text) => canonicalNetwork(text) !== undefined);
  return created.addSchema(document, DOCUMENT) as Ajv2020;
}

function escapePointer(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function describeError(error: ErrorObject | undefined, root: string): string {
  const { additionalProperty, allowedValues, format } = (error?.params ?? {}) as Record<string, unknown>;
  const place = error?.instancePath.slice(1).replaceAll("/", ".") || root;
  if (additionalProperty !== undefined) return `${place} has no field ${additionalProperty}`;
  if (format === "ip-network") return `${place} must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24`;
  const [, condition] = /\/dependentSchemas\/(\w+)\//.exec(error?.schemaPath ?? "") ?? [];
  const choice = Array.isArray(allowedValues) ? `: ${allowedValues.join(", ")}` : "";
  return `${condition ? `with ${condition}, ` : ""}${place} ${error?.message}${choice}`;
}
