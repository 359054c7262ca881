import { organizationResponseFields } from "../schema/organization";
import type { Organization, PrivateEndpoint, State } from "../state/state";
import { notFound } from "./api-error";
import { type ListChange, type ListOrder, updateList, withDefaults } from "./lists";

interface UpdateBody {
  readonly name?: string;
  readonly privateEndpoints?: ListChange<PrivateEndpoint>;
}

export function getOrganization(state: State, id: string): Organization {
  const organization = state.organizations.get(id.toLowerCase());
  if (organization === undefined) throw notFound(`organization ${id} does not exist`);
  return organization;
}

/** The body has passed its schema. */
export function updateOrganization(organization: Organization, body: UpdateBody, order: ListOrder): Organization {
  const { privateEndpoints = {}, ...values } = body;
  const change = withDefaults(privateEndpoints, { description: "" });
  return {
    ...organization,
    ...values,
    privateEndpoints: updateList(organization.privateEndpoints, change, ({ id }) => id, order),
  };
}

export function organizationResponse(organization: Organization) {
  const values: Readonly<Record<string, unknown>> = { ...organization };
  return Object.fromEntries(organizationResponseFields.map((name) => [name, values[name]]));
}
