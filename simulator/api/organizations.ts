import type { Organization, PrivateEndpoint, World } from "../world/world";
import { type ListChange, listAfter, type Order } from "./lists";
import { notFound } from "./problem";

interface UpdateBody {
  readonly name?: string;
  readonly privateEndpoints?: ListChange<PrivateEndpoint>;
}

export function organizationOf(world: World, id: string): Organization {
  const organization = world.organizations.get(id.toLowerCase());
  if (organization === undefined) throw notFound(`organization ${id} does not exist`);
  return organization;
}

/** What the API does with organizations. Bodies have passed their schemas. */
export function updateOrganization(organization: Organization, body: UpdateBody, order: Order): Organization {
  const { add = [], ...change } = body.privateEndpoints ?? {};
  const described = { ...change, add: add.map((endpoint) => ({ description: "", ...endpoint })) };
  const privateEndpoints = listAfter(organization.privateEndpoints, described, ({ id }) => id, order);
  return { ...organization, name: body.name ?? organization.name, privateEndpoints };
}

/** An organization as responses show it. */
export function shownOrganization({ id, createdAt, name, privateEndpoints, byocConfig }: Organization) {
  return { id, createdAt, name, privateEndpoints, byocConfig };
}
