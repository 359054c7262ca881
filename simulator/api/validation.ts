import Ajv2020, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import document from "../openapi.json";
import { networkOf } from "./networks";

/** Validation from the published document, so that what it says is what is checked. */

const DOCUMENT = "openapi.json";

const ajv = new Ajv2020({ strict: false, discriminator: true });
addFormats(ajv);
ajv.addFormat("ip-network", (text) => networkOf(text) !== undefined);
ajv.addSchema(document, DOCUMENT);

const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value, as one of the document's named schemas sees it; nothing where it fits. */
export function complaintAbout(
  schema: keyof typeof document.components.schemas,
  value: unknown,
  whole?: string,
): string | undefined {
  return complaintOf(["components", "schemas", schema], value, whole);
}

/** The same for the schema that stands at a place of the document. */
export function complaintOf(place: readonly string[], value: unknown, whole = "body"): string | undefined {
  const $ref = [`${DOCUMENT}#`, ...place.map(pointerPart)].join("/");
  const validate = validators.get($ref) ?? ajv.compile({ $ref });
  validators.set($ref, validate);
  return validate(value) ? undefined : sentence(validate.errors?.[0], whole);
}

function pointerPart(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function sentence(error: ErrorObject | undefined, whole: string): string {
  const { additionalProperty, allowedValues, format } = (error?.params ?? {}) as Record<string, unknown>;
  const place = error?.instancePath.slice(1).replaceAll("/", ".") || whole;
  if (additionalProperty !== undefined) return `${place} has no field ${additionalProperty}`;
  if (format === "ip-network") return `${place} must be an IPv4 or IPv6 address, or a network such as 203.0.113.0/24`;
  const [, condition] = /\/dependentSchemas\/(\w+)\//.exec(error?.schemaPath ?? "") ?? [];
  const choice = Array.isArray(allowedValues) ? `: ${allowedValues.join(", ")}` : "";
  return `${condition ? `with ${condition}, ` : ""}${place} ${error?.message}${choice}`;
}
