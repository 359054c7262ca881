/** Everything that exists on the simulated side. */
export interface World {
  readonly organizations: Map<string, Organization>;
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly dashboards: readonly { readonly id: string }[];
}

export interface Alert {
  readonly id: string;
}

/** A change of its own makes a new one, with the same services. */
export interface Organization {
  readonly id: string;
  readonly tier: "BASIC" | "SCALE" | "ENTERPRISE";
  readonly paid: boolean;
  readonly createdAt: string;
  readonly name: string;
  readonly privateEndpoints: readonly PrivateEndpoint[];
  readonly byocConfig: readonly { readonly id: string; readonly accountName: string }[];
  /** What services can be made from. */
  readonly backups: readonly Backup[];
  readonly services: Map<string, Service>;
  /** The warehouses of its services. */
  readonly warehouses: Set<string>;
}

export interface Backup {
  readonly id: string;
  readonly region?: string;
  readonly tier?: string;
}

export interface PrivateEndpoint {
  readonly id: string;
  readonly description?: string;
}

export interface TableMapping {
  readonly sourceSchemaName: string;
  readonly sourceTable: string;
  readonly targetTable: string;
}

/** A pipe as responses show it. */
export interface Pipe {
  readonly id: string;
  readonly serviceId: string;
  readonly name: string;
  readonly state: string;
  readonly scaling: Readonly<Record<string, number>>;
  readonly source: Readonly<Record<string, Record<string, unknown>>>;
  readonly destination: Readonly<Record<string, unknown>>;
  readonly fieldMappings: readonly unknown[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface AccessEntry {
  readonly source: string;
  readonly description?: string;
}

/** A service as it is kept: with what its responses never show. A change makes a new one. */
export interface Service {
  readonly id: string;
  readonly createdAt: string;
  readonly dataWarehouseId: string;
  readonly isPrimary: boolean;
  readonly tier: string | undefined;
  readonly name: string;
  readonly releaseChannel: string | undefined;
  readonly minReplicaMemoryGb: number;
  readonly maxReplicaMemoryGb: number;
  readonly numReplicas: number;
  readonly idleScaling: boolean;
  readonly idleTimeoutMinutes: number;
  readonly ipAccessList: readonly AccessEntry[];
  readonly privateEndpointIds: readonly string[];
  readonly protocols: readonly string[];
  readonly transparentDataEncryptionKeyId: string | undefined;
  readonly pipes: ReadonlyMap<string, Pipe>;
  /** What only a creation sets and responses repeat. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** What a request makes of the world: a service that is new or changed, or else the organization itself. */
export interface Change {
  readonly organization: Organization;
  readonly service?: Service;
}

/** The organization that a simulator starts with, unless it is told another. */
export function standardOrganization(given: Partial<Pick<Organization, "id" | "tier" | "paid">> = {}): Organization {
  return {
    id: given.id ?? "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    tier: given.tier ?? "SCALE",
    paid: given.paid ?? true,
    createdAt: "2026-01-05T09:00:00.000Z",
    name: "Example organization",
    privateEndpoints: [
      { id: "vpce-0a1b2c3d4e5f60001", description: "production network" },
      { id: "vpce-0a1b2c3d4e5f60002", description: "office network" },
    ],
    byocConfig: [],
    backups: [],
    services: new Map(),
    warehouses: new Set(),
  };
}

/** What a service was before its latest changes, oldest first. */
const pasts = new WeakMap<Service, readonly { readonly service: Service; readonly changedAt: number }[]>();
const LONGEST_PAST = 16;

export function addService(organization: Organization, service: Service): void {
  organization.services.set(service.id, service);
  organization.warehouses.add(service.dataWarehouseId);
}

/** Makes a change part of the world. Stale reads go on seeing what a service was before, for a while. */
export function applyChange(world: World, { organization, service }: Change, changedAt: number): void {
  world.organizations.set(organization.id, organization);
  if (service === undefined) return;
  const before = organization.services.get(service.id);
  if (before)
    pasts.set(service, [...(pasts.get(before) ?? []).slice(1 - LONGEST_PAST), { service: before, changedAt }]);
  addService(organization, service);
}

/** A service as a reader sees it who learns of changes so many seconds late. */
export function seenLate(service: Service, seconds: number, now: number): Service {
  const earlier = pasts.get(service)?.find(({ changedAt }) => now < changedAt + seconds * 1000);
  return earlier?.service ?? service;
}

/** An organization or a service as plain JSON: what is kept on disk and shown to people. */
export function plainOrganization({ services, warehouses, ...organization }: Organization) {
  return organization;
}

export function plainService({ pipes, ...service }: Service) {
  return { ...service, pipes: [...pipes.values()] };
}

export type PlainOrganization = ReturnType<typeof plainOrganization>;
export type PlainService = ReturnType<typeof plainService>;

export function organizationFrom(plain: PlainOrganization): Organization {
  return { ...plain, services: new Map(), warehouses: new Set() };
}

export function serviceFrom({ pipes, ...service }: PlainService): Service {
  return { ...service, pipes: new Map(pipes.map((pipe) => [pipe.id, pipe])) };
}
