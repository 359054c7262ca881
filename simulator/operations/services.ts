import { randomBytes, randomUUID } from "node:crypto";
import { initialValues, responseFields, type StoredValues, storedPart } from "../schema/service";
import type { AccessEntry, Organization, Service } from "../state/state";
import { badRequest, notFound } from "./api-error";
import { type ListChange, type ListOrder, updateList, withDefaults } from "./lists";
import { canonicalNetwork } from "./networks";
import { assertCreationAllowed, assertNoProductionFields, assertScalingAllowed } from "./service-limits";

/** Operations on services. Bodies have passed their schemas; fields without code here follow from the table. */

type Values = Partial<StoredValues>;

interface CreateBody extends Values {
  readonly [field: string]: unknown;
  readonly dataWarehouseId?: string;
  readonly ipAccessList?: readonly AccessEntry[];
  readonly privateEndpointIds?: readonly string[];
  readonly endpoints?: readonly EndpointChange[];
}

interface UpdateBody extends Values {
  readonly ipAccessList?: ListChange<AccessEntry>;
  readonly privateEndpointIds?: ListChange<string>;
  readonly endpoints?: readonly EndpointChange[];
}

interface EndpointChange {
  readonly protocol: string;
  readonly enabled: boolean;
}

export function createService(
  organization: Organization,
  body: CreateBody,
  now: number,
  id: string = randomUUID(),
): { readonly service: Service; readonly password: string } {
  const isPrimary = body.dataWarehouseId === undefined;
  const values = { ...initialValuesFor(organization, body), ...storedPart(body, "value") } as StoredValues;
  assertCreationAllowed(body, organization);
  const { minReplicaMemoryGb, maxReplicaMemoryGb } = values;
  assertScalingAllowed({ ...body, minReplicaMemoryGb, maxReplicaMemoryGb }, organization, isPrimary);
  assertPrivateEndpointsExist(organization, body.privateEndpointIds);
  const service: Service = {
    id,
    createdAt: new Date(now).toISOString(),
    dataWarehouseId: body.dataWarehouseId ?? randomUUID(),
    isPrimary,
    ...values,
    ipAccessList: updateAccessList([], { add: body.ipAccessList ?? [] }),
    privateEndpointIds: updateList([], { add: body.privateEndpointIds ?? [] }, String),
    protocols: updateProtocols(["mysql"], body.endpoints),
    pipes: new Map(),
    fixed: storedPart(body, "fixed"),
  };
  return { service, password: randomBytes(18).toString("base64url") };
}

/** The memory bounds that a creation leaves out give way to the one that it contains. */
function initialValuesFor({ tier }: Organization, { minReplicaMemoryGb: min, maxReplicaMemoryGb: max }: Values) {
  const least = Math.min(Number(initialValues.minReplicaMemoryGb), max ?? Number.POSITIVE_INFINITY);
  const most = Math.max(Number(initialValues.maxReplicaMemoryGb), min ?? least);
  const { numReplicas } = initialValues;
  return {
    ...initialValues,
    minReplicaMemoryGb: least,
    maxReplicaMemoryGb: most,
    numReplicas: tier === "BASIC" ? 1 : numReplicas,
  };
}

export function updateService(
  organization: Organization,
  service: Service,
  body: UpdateBody,
  order: ListOrder,
): Service {
  if (service.tier === "development") assertNoProductionFields({ ...body });
  if (body.transparentDataEncryptionKeyId !== undefined && service.fixed.hasTransparentDataEncryption !== true) {
    throw badRequest("transparentDataEncryptionKeyId requires a service with transparent data encryption");
  }
  assertPrivateEndpointsExist(organization, body.privateEndpointIds?.add);
  return {
    ...service,
    ...storedPart({ ...body }, "value"),
    ipAccessList: updateAccessList(service.ipAccessList, body.ipAccessList, order),
    privateEndpointIds: updateList(service.privateEndpointIds, body.privateEndpointIds ?? {}, String, order),
    protocols: updateProtocols(service.protocols, body.endpoints),
  };
}

export function scaleService(organization: Organization, service: Service, body: Values): Service {
  if (service.tier === "development") assertNoProductionFields(body);
  const scaled = { ...service, ...storedPart(body, "value") };
  const { minReplicaMemoryGb, maxReplicaMemoryGb } = scaled;
  assertScalingAllowed({ ...body, minReplicaMemoryGb, maxReplicaMemoryGb }, organization, service.isPrimary);
  return scaled;
}

export function getService(organization: Organization, id: string): Service {
  const service = organization.services.get(id.toLowerCase());
  if (service === undefined) throw notFound(`service ${id} does not exist`);
  return service;
}

export function serviceResponse(service: Service, organization: Organization) {
  const values: Readonly<Record<string, unknown>> = {
    isReadonly: false,
    hasTransparentDataEncryption: false,
    ...service,
    ...service.fixed,
    engineVersion: "25.8",
    iamRole: `arn:aws:iam::000000000000:role/service-${service.id}`,
    availablePrivateEndpointIds: organization.privateEndpoints.map((endpoint) => endpoint.id),
    endpoints: service.protocols.map((protocol) => ({
      protocol,
      host: `${service.id.slice(0, 8)}.db.example.com`,
      port: protocol === "mysql" ? 3306 : 8443,
      username: "default",
    })),
  };
  return Object.fromEntries(responseFields.map((name) => [name, values[name]]));
}

function updateAccessList(list: readonly AccessEntry[], change: ListChange<AccessEntry> = {}, order?: ListOrder) {
  const described = withDefaults(change, { description: "" });
  return updateList(list, described, ({ source }) => canonicalNetwork(source) ?? source, order);
}

function updateProtocols(protocols: readonly string[], changes: readonly EndpointChange[] = []): string[] {
  const enabled = new Set(protocols);
  for (const { protocol, enabled: on } of changes) on ? enabled.add(protocol) : enabled.delete(protocol);
  return [...enabled];
}

function assertPrivateEndpointsExist({ privateEndpoints }: Organization, ids: readonly string[] = []): void {
  const unknown = ids.find((id) => !privateEndpoints.some((endpoint) => endpoint.id === id));
  if (unknown !== undefined) throw badRequest(`private endpoint ${unknown} does not exist in this organization`);
}
