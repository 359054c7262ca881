import Ajv2020, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import document from "./openapi.json";

/** Request validation from the published document, so that what it says is what is checked. */

const DOCUMENT = "openapi.json";

const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats(ajv);
ajv.addSchema(document, DOCUMENT);

const validators = new Map<string, ValidateFunction>();

/** What is wrong with a value, as one of the document's schemas sees it; nothing where it fits. */
export function complaintAbout(schema: keyof typeof document.components.schemas, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile({ $ref: `${DOCUMENT}#/components/schemas/${schema}` });
  validators.set(schema, validate);
  return validate(value) ? undefined : sentence(validate.errors?.[0]);
}

function sentence(error: ErrorObject | undefined): string {
  const { property, allowedValues } = { ...error?.params, additionalProperty: undefined } as Record<string, unknown>;
  const place = error?.instancePath.slice(1).replaceAll("/", ".") || "body";
  const extra = error?.params.additionalProperty ?? property;
  if (extra !== undefined) return `${place} has no field ${extra}`;
  const choice = Array.isArray(allowedValues) ? `: ${allowedValues.join(", ")}` : "";
  return `${place} ${error?.message}${choice}`;
}
