import {
  bodyOf,
  DATE_TIME,
  type JsonSchema,
  listChangeOf,
  listOf,
  NON_EMPTY_TEXT,
  objectOf,
  schemaRef,
  TEXT,
  UUID,
} from "./json-schema";

/** A field of an organization, in the body of an update, in responses and in a seed. */
interface OrganizationField {
  readonly update?: JsonSchema;
  readonly response?: JsonSchema;
  readonly seed?: JsonSchema;
}

const PRIVATE_ENDPOINT = schemaRef("PrivateEndpoint");
const PRIVATE_ENDPOINTS = listOf(PRIVATE_ENDPOINT);
const BYOC_CONFIG = listOf(objectOf({ id: TEXT, accountName: TEXT }));
const BACKUPS = {
  ...listOf(objectOf({ id: UUID, region: TEXT, tier: TEXT }, "id")),
  description: "Backups that services can be created from, with region and tier of the service that was backed up.",
};
const SEED_SERVICE = objectOf({ id: UUID, create: schemaRef("CreateService"), pipes: listOf(schemaRef("Pipe")) }, "id");

const organizationFields: Readonly<Record<string, OrganizationField>> = {
  id: { response: UUID, seed: UUID },
  createdAt: { response: DATE_TIME, seed: DATE_TIME },
  name: { update: NON_EMPTY_TEXT, response: TEXT, seed: TEXT },
  tier: { seed: { enum: ["BASIC", "SCALE", "ENTERPRISE"] } },
  paid: { seed: { type: "boolean" } },
  privateEndpoints: { update: listChangeOf(PRIVATE_ENDPOINT), response: PRIVATE_ENDPOINTS, seed: PRIVATE_ENDPOINTS },
  byocConfig: { response: BYOC_CONFIG, seed: BYOC_CONFIG },
  services: { seed: listOf(SEED_SERVICE) },
  backups: { seed: BACKUPS },
};

/** The members of an organization that responses contain. */
export const organizationResponseFields = Object.keys(organizationFields).filter(
  (name) => organizationFields[name]?.response,
);

export const organizationSchemas = {
  PrivateEndpoint: objectOf({ id: TEXT, description: TEXT }, "id"),
  UpdateOrganization: bodyOf(organizationFields, "update"),
  Organization: bodyOf(organizationFields, "response", "id"),
};

export const seedOrganization = bodyOf(organizationFields, "seed", "id");
