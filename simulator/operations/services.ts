import { randomBytes, randomUUID } from "node:crypto";
import {
  type AccessEntry,
  type CreateService,
  type ReplicaScaling,
  ServiceResponse,
  type UpdateService,
} from "../schema/service";
import { canonicalNetwork } from "../schema/shapes";
import type { Organization, Service, State } from "../state/state";
import { badRequest } from "./api-error";
import { type ListChange, type ListOrder, updateList, withDefaults } from "./lists";
import {
  assertCreationAllowed,
  assertNoProductionFields,
  assertScalingAllowed,
} from "./service-limits";

/**
 * Operations on services. Bodies are already validated. Fields without code here are stored
 * unchanged.
 */

export function createService(
  state: State,
  organization: Organization,
  body: CreateService,
  now: number,
  id: string = randomUUID(),
): { readonly service: Service; readonly password: string } {
  const {
    provider,
    region,
    profile,
    complianceType,
    backupId,
    privatePreviewTermsChecked,
    ...stored
  } = body;
  const { dataWarehouseId, ipAccessList, privateEndpointIds, endpoints, ...values } = stored;
  const isPrimary = dataWarehouseId === undefined;
  const initial = { ...initialValues(organization, body), ...values };
  assertCreationAllowed(body, organization, state);
  assertScalingAllowed(initial, organization, isPrimary);
  assertPrivateEndpointsExist(organization, privateEndpointIds);
  const service: Service = {
    id,
    organizationId: organization.id,
    createdAt: new Date(now).toISOString(),
    dataWarehouseId: dataWarehouseId ?? randomUUID(),
    isPrimary,
    ...initial,
    ipAccessList: updateAccessList([], { add: ipAccessList }),
    privateEndpointIds: updateList([], { add: privateEndpointIds }, String),
    protocols: updateProtocols(["mysql"], endpoints),
    pipes: [],
  };
  return { service, password: randomBytes(18).toString("base64url") };
}

/** The default values of a new service. Declared memory bounds override default ones. */
function initialValues(
  { tier }: Organization,
  { minReplicaMemoryGb: min, maxReplicaMemoryGb: max }: CreateService,
) {
  const least = Math.min(8, max ?? 8);
  return {
    name: "My service",
    minReplicaMemoryGb: least,
    maxReplicaMemoryGb: Math.max(32, min ?? least),
    numReplicas: tier === "BASIC" ? 1 : 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
  };
}

export function updateService(
  organization: Organization,
  service: Service,
  body: UpdateService,
  order: ListOrder,
): Service {
  const { ipAccessList, privateEndpointIds = {}, endpoints, ...values } = body;
  if (service.tier === "development") assertNoProductionFields(body);
  if (body.transparentDataEncryptionKeyId !== undefined && !service.hasTransparentDataEncryption) {
    throw badRequest(
      "transparentDataEncryptionKeyId requires a service with transparent data encryption",
    );
  }
  assertPrivateEndpointsExist(organization, privateEndpointIds.add);
  return {
    ...service,
    ...values,
    ipAccessList: updateAccessList(service.ipAccessList, ipAccessList, order),
    privateEndpointIds: updateList(service.privateEndpointIds, privateEndpointIds, String, order),
    protocols: updateProtocols(service.protocols, endpoints),
  };
}

export function scaleService(
  organization: Organization,
  service: Service,
  body: ReplicaScaling,
): Service {
  if (service.tier === "development") assertNoProductionFields(body);
  const scaled = { ...service, ...body };
  const { minReplicaMemoryGb, maxReplicaMemoryGb } = scaled;
  assertScalingAllowed(
    { ...body, minReplicaMemoryGb, maxReplicaMemoryGb },
    organization,
    service.isPrimary,
  );
  return scaled;
}

export function serviceResponse(service: Service, { privateEndpoints }: Organization) {
  const values: Readonly<Record<string, unknown>> = {
    isReadonly: false,
    hasTransparentDataEncryption: false,
    ...service,
    engineVersion: "25.8",
    iamRole: `arn:aws:iam::000000000000:role/service-${service.id}`,
    availablePrivateEndpointIds: privateEndpoints.map(({ id }) => id),
    endpoints: service.protocols.map((protocol) => ({
      protocol,
      host: `${service.id.slice(0, 8)}.db.example.com`,
      port: protocol === "mysql" ? 3306 : 8443,
      username: "default",
    })),
  };
  return Object.fromEntries(Object.keys(ServiceResponse.shape).map((name) => [name, values[name]]));
}

function updateAccessList(
  list: readonly AccessEntry[],
  change: ListChange<AccessEntry> = {},
  order?: ListOrder,
) {
  const described = withDefaults(change, { description: "" });
  return updateList(list, described, ({ source }) => canonicalNetwork(source) ?? source, order);
}

function updateProtocols(
  protocols: readonly string[],
  changes: CreateService["endpoints"] = [],
): string[] {
  const enabled = new Set(protocols);
  for (const { protocol, enabled: on } of changes)
    on ? enabled.add(protocol) : enabled.delete(protocol);
  return [...enabled];
}

function assertPrivateEndpointsExist(
  { privateEndpoints }: Organization,
  ids: readonly string[] = [],
): void {
  const unknown = ids.find((id) => !privateEndpoints.some((endpoint) => endpoint.id === id));
  if (unknown !== undefined)
    throw badRequest(`private endpoint ${unknown} does not exist in this organization`);
}
