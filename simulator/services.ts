import { randomBytes, randomUUID } from "node:crypto";
import { badRequest, notFound } from "./problem";
import { refuseImpossibleCreation, refuseImpossibleScaling, refuseProductionFields } from "./service-limits";
import type { AccessEntry, Organization, Service } from "./world";

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

interface ListChange<Entry> {
  readonly add?: Entry[];
  readonly remove?: Entry[];
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

export function createService(organization: Organization, body: CreateBody, id: string = randomUUID()) {
  refuseImpossibleCreation(body, organization);
  const service: Service = {
    id,
    createdAt: new Date().toISOString(),
    dataWarehouseId: body.dataWarehouseId ?? randomUUID(),
    isPrimary: body.dataWarehouseId === undefined,
    tier: body.tier,
    name: body.name ?? "My service",
    releaseChannel: body.releaseChannel,
    minReplicaMemoryGb: body.minReplicaMemoryGb ?? 8,
    maxReplicaMemoryGb: body.maxReplicaMemoryGb ?? Math.max(32, body.minReplicaMemoryGb ?? 0),
    numReplicas: body.numReplicas ?? (organization.tier === "BASIC" ? 1 : 3),
    idleScaling: body.idleScaling ?? true,
    idleTimeoutMinutes: body.idleTimeoutMinutes ?? 15,
    ipAccessList: withAdded([], body.ipAccessList ?? []),
    privateEndpointIds: [],
    protocols: protocolsAfter(["mysql"], body.endpoints ?? []),
    transparentDataEncryptionKeyId: undefined,
    pipes: new Map(),
    fixed: Object.fromEntries(
      FIXED_AND_SHOWN.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
    ),
  };
  changeEndpointIds(service, organization, { add: body.privateEndpointIds ?? [] });
  organization.services.set(id, service);
  return { service: shownService(service, organization), password: randomBytes(18).toString("base64url") };
}

export function updateService(organization: Organization, id: string, body: UpdateBody) {
  const service = serviceOf(organization, id);
  if (service.tier === "development") refuseProductionFields({ releaseChannel: body.releaseChannel });
  if (body.transparentDataEncryptionKeyId !== undefined && service.fixed.hasTransparentDataEncryption !== true) {
    throw badRequest("transparentDataEncryptionKeyId needs a service with transparent data encryption");
  }
  if (body.privateEndpointIds) changeEndpointIds(service, organization, body.privateEndpointIds);
  if (body.ipAccessList) service.ipAccessList = listAfter(service.ipAccessList, body.ipAccessList);
  if (body.endpoints) service.protocols = protocolsAfter(service.protocols, body.endpoints);
  service.name = body.name ?? service.name;
  service.releaseChannel = body.releaseChannel ?? service.releaseChannel;
  service.transparentDataEncryptionKeyId =
    body.transparentDataEncryptionKeyId ?? service.transparentDataEncryptionKeyId;
  return shownService(service, organization);
}

export function scaleService(organization: Organization, id: string, body: ScalingBody) {
  const service = serviceOf(organization, id);
  if (service.tier === "development") refuseProductionFields(body);
  const { minReplicaMemoryGb, maxReplicaMemoryGb } = { ...service, ...body };
  refuseImpossibleScaling({ ...body, minReplicaMemoryGb, maxReplicaMemoryGb }, organization, service.isPrimary);
  Object.assign(service, body);
  return shownService(service, organization);
}

export function readService(organization: Organization, id: string) {
  return shownService(serviceOf(organization, id), organization);
}

export function serviceOf(organization: Organization, id: string): Service {
  const service = organization.services.get(id.toLowerCase());
  if (service === undefined) throw notFound(`service ${id} does not exist`);
  return service;
}

/** A service as responses show it. */
function shownService(service: Service, organization: Organization) {
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

/** `remove` comes before `add`; removing what is not there changes nothing. */
function listAfter(list: AccessEntry[], { add = [], remove = [] }: ListChange<AccessEntry>): AccessEntry[] {
  const removed = new Set(remove.map((entry) => entry.source));
  return withAdded(
    list.filter((entry) => !removed.has(entry.source)),
    add,
  );
}

/** A source that is added again keeps its place and takes the new description. */
function withAdded(list: AccessEntry[], added: AccessEntry[]): AccessEntry[] {
  const bySource = new Map([...list, ...added].map((entry) => [entry.source, { description: "", ...entry }]));
  return [...bySource.values()];
}

function protocolsAfter(protocols: string[], changes: EndpointChange[]): string[] {
  const enabled = new Set(protocols);
  for (const { protocol, enabled: on } of changes) on ? enabled.add(protocol) : enabled.delete(protocol);
  return [...enabled];
}

function changeEndpointIds(
  service: Service,
  organization: Organization,
  { add = [], remove = [] }: ListChange<string>,
) {
  const unknown = add.find((id) => !organization.privateEndpoints.some((endpoint) => endpoint.id === id));
  if (unknown !== undefined) throw badRequest(`private endpoint ${unknown} does not exist in this organization`);
  const kept = service.privateEndpointIds.filter((id) => !remove.includes(id));
  service.privateEndpointIds = [...new Set([...kept, ...add])];
}
