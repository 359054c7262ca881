import { randomBytes, randomUUID } from "node:crypto";
import type { AccessEntry, Organization, Service } from "../world/world";
import { type ListChange, listAfter, type Order } from "./lists";
import { networkOf } from "./networks";
import { badRequest, notFound } from "./problem";
import { refuseImpossibleCreation, refuseImpossibleScaling, refuseProductionFields } from "./service-limits";

/** What the API does with services. Bodies have passed their schemas. */

interface CreateBody {
  readonly [field: string]: unknown;
  readonly name?: string;
  readonly tier?: string;
  readonly releaseChannel?: string;
  readonly dataWarehouseId?: string;
  readonly ipAccessList?: AccessEntry[];
  readonly privateEndpointIds?: string[];
  readonly endpoints?: EndpointChange[];
  readonly minReplicaMemoryGb?: number;
  readonly maxReplicaMemoryGb?: number;
  readonly numReplicas?: number;
  readonly idleScaling?: boolean;
  readonly idleTimeoutMinutes?: number;
}

interface EndpointChange {
  readonly protocol: string;
  readonly enabled: boolean;
}

interface UpdateBody {
  readonly name?: string;
  readonly ipAccessList?: ListChange<AccessEntry>;
  readonly privateEndpointIds?: ListChange<string>;
  readonly releaseChannel?: string;
  readonly endpoints?: EndpointChange[];
  readonly transparentDataEncryptionKeyId?: string;
}

type ScalingBody = Partial<
  Pick<Service, "minReplicaMemoryGb" | "maxReplicaMemoryGb" | "numReplicas" | "idleScaling" | "idleTimeoutMinutes">
>;

const FIXED_AND_SHOWN = [
  "minTotalMemoryGb",
  "maxTotalMemoryGb",
  "isReadonly",
  "encryptionKey",
  "encryptionAssumedRoleIdentifier",
  "byocId",
  "hasTransparentDataEncryption",
];

export function createService(
  organization: Organization,
  body: CreateBody,
  now: number,
  id: string = randomUUID(),
): { readonly service: Service; readonly password: string } {
  const { minReplicaMemoryGb = Math.min(8, body.maxReplicaMemoryGb ?? 8) } = body;
  const { maxReplicaMemoryGb = Math.max(32, minReplicaMemoryGb) } = body;
  refuseImpossibleCreation(body, organization);
  const isPrimary = body.dataWarehouseId === undefined;
  refuseImpossibleScaling({ ...body, minReplicaMemoryGb, maxReplicaMemoryGb }, organization, isPrimary);
  refuseUnknownEndpoints(organization, body.privateEndpointIds);
  const service: Service = {
    id,
    createdAt: new Date(now).toISOString(),
    dataWarehouseId: body.dataWarehouseId ?? randomUUID(),
    isPrimary,
    tier: body.tier,
    name: body.name ?? "My service",
    releaseChannel: body.releaseChannel,
    minReplicaMemoryGb,
    maxReplicaMemoryGb,
    numReplicas: body.numReplicas ?? (organization.tier === "BASIC" ? 1 : 3),
    idleScaling: body.idleScaling ?? true,
    idleTimeoutMinutes: body.idleTimeoutMinutes ?? 15,
    ipAccessList: accessListAfter([], { add: body.ipAccessList ?? [] }),
    privateEndpointIds: listAfter([], { add: body.privateEndpointIds ?? [] }, String),
    protocols: protocolsAfter(["mysql"], body.endpoints ?? []),
    transparentDataEncryptionKeyId: undefined,
    pipes: new Map(),
    fixed: Object.fromEntries(
      FIXED_AND_SHOWN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
    ),
  };
  return { service, password: randomBytes(18).toString("base64url") };
}

export function updateService(organization: Organization, service: Service, body: UpdateBody, order: Order): Service {
  if (service.tier === "development") refuseProductionFields({ releaseChannel: body.releaseChannel });
  if (body.transparentDataEncryptionKeyId !== undefined && service.fixed.hasTransparentDataEncryption !== true) {
    throw badRequest("transparentDataEncryptionKeyId needs a service with transparent data encryption");
  }
  refuseUnknownEndpoints(organization, body.privateEndpointIds?.add);
  const { name, releaseChannel, transparentDataEncryptionKeyId } = { ...service, ...body };
  return {
    ...service,
    name,
    releaseChannel,
    transparentDataEncryptionKeyId,
    ipAccessList: accessListAfter(service.ipAccessList, body.ipAccessList ?? {}, order),
    privateEndpointIds: listAfter(service.privateEndpointIds, body.privateEndpointIds ?? {}, String, order),
    protocols: protocolsAfter(service.protocols, body.endpoints ?? []),
  };
}

export function scaleService(organization: Organization, service: Service, body: ScalingBody): Service {
  if (service.tier === "development") refuseProductionFields(body);
  const { minReplicaMemoryGb, maxReplicaMemoryGb } = { ...service, ...body };
  refuseImpossibleScaling({ ...body, minReplicaMemoryGb, maxReplicaMemoryGb }, organization, service.isPrimary);
  return { ...service, ...body };
}

export function serviceOf(organization: Organization, id: string): Service {
  const service = organization.services.get(id.toLowerCase());
  if (service === undefined) throw notFound(`service ${id} does not exist`);
  return service;
}

/** A service as responses show it. */
export function shownService(service: Service, organization: Organization) {
  const { protocols, fixed, tier, releaseChannel, pipes, ...shown } = service;
  return {
    ...shown,
    isReadonly: false,
    hasTransparentDataEncryption: false,
    ...fixed,
    engineVersion: "25.8",
    iamRole: `arn:aws:iam::000000000000:role/service-${service.id}`,
    availablePrivateEndpointIds: organization.privateEndpoints.map((endpoint) => endpoint.id),
    endpoints: protocols.map((protocol) => ({
      protocol,
      host: `${service.id.slice(0, 8)}.db.example.com`,
      port: protocol === "mysql" ? 3306 : 8443,
      username: "default",
    })),
  };
}

function accessListAfter(list: readonly AccessEntry[], change: ListChange<AccessEntry>, order?: Order): AccessEntry[] {
  const described = { ...change, add: change.add?.map((entry) => ({ description: "", ...entry })) ?? [] };
  return listAfter(list, described, ({ source }) => networkOf(source) ?? source, order);
}

function protocolsAfter(protocols: readonly string[], changes: readonly EndpointChange[]): string[] {
  const enabled = new Set(protocols);
  for (const { protocol, enabled: on } of changes) on ? enabled.add(protocol) : enabled.delete(protocol);
  return [...enabled];
}

function refuseUnknownEndpoints({ privateEndpoints }: Organization, ids: readonly string[] = []): void {
  const unknown = ids.find((id) => !privateEndpoints.some((endpoint) => endpoint.id === id));
  if (unknown !== undefined) throw badRequest(`private endpoint ${unknown} does not exist in this organization`);
}
