import type { Organization, PrivateEndpoint } from "./world";

interface UpdateBody {
  readonly name?: string;
  readonly privateEndpoints?: { readonly add?: PrivateEndpoint[]; readonly remove?: PrivateEndpoint[] };
}

/** What the API does with organizations. Bodies have passed their schemas. */
export function updateOrganization(organization: Organization, body: UpdateBody) {
  const { add = [], remove = [] } = body.privateEndpoints ?? {};
  const gone = new Set(remove.map((endpoint) => endpoint.id));
  const kept = organization.privateEndpoints.filter((endpoint) => !gone.has(endpoint.id));
  const byId = new Map([...kept, ...add].map((endpoint) => [endpoint.id, { description: "", ...endpoint }]));
  organization.privateEndpoints = [...byId.values()];
  organization.name = body.name ?? organization.name;
  const { id, createdAt, name, privateEndpoints, byocConfig } = organization;
  return { id, createdAt, name, privateEndpoints, byocConfig };
}
