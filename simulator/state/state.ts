import type { StoredValues } from "../schema/service";

/** All objects of the simulated API. */
export interface State {
  readonly organizations: Map<string, Organization>;
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly dashboards: readonly { readonly id: string }[];
}

export interface Credentials {
  readonly keyId: string;
  readonly keySecret: string;
  readonly accessToken: string;
}

export interface Alert {
  readonly id: string;
}

/** Replaced by a new object when it changes; the new one shares its services. */
export interface Organization {
  readonly id: string;
  readonly tier: "BASIC" | "SCALE" | "ENTERPRISE";
  readonly paid: boolean;
  readonly createdAt: string;
  readonly name: string;
  readonly privateEndpoints: readonly PrivateEndpoint[];
  readonly byocConfig: readonly { readonly id: string; readonly accountName: string }[];
  /** Backups that services can be created from. */
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

/** A pipe as responses contain it. */
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

/** A service as stored, with members that no response contains. Replaced by a new object when it changes. */
export interface Service extends StoredValues {
  readonly id: string;
  readonly createdAt: string;
  readonly dataWarehouseId: string;
  readonly isPrimary: boolean;
  readonly ipAccessList: readonly AccessEntry[];
  readonly privateEndpointIds: readonly string[];
  readonly protocols: readonly string[];
  readonly pipes: ReadonlyMap<string, Pipe>;
  /** Values that only a creation sets. */
  readonly fixed: Readonly<Record<string, unknown>>;
}

/** A change that a request makes: of a service, or else of the organization itself. */
export interface StateChange {
  readonly organization: Organization;
  readonly service?: Service;
}

/** The organization of a simulator that is started without a seed. */
export function defaultOrganization(values: Partial<Pick<Organization, "id" | "tier" | "paid">> = {}): Organization {
  return {
    id: values.id ?? "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
    tier: values.tier ?? "SCALE",
    paid: values.paid ?? true,
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

export function addService(organization: Organization, service: Service): void {
  organization.services.set(service.id, service);
  organization.warehouses.add(service.dataWarehouseId);
}

/** Makes a change visible. */
export function applyChange(state: State, { organization, service }: StateChange): void {
  state.organizations.set(organization.id, organization);
  if (service !== undefined) addService(organization, service);
}

/** An organization or a service as plain JSON, for the disk and the admin API. */
export function serializeOrganization({ services, warehouses, ...organization }: Organization) {
  return organization;
}

export function serializeService({ pipes, ...service }: Service) {
  return { ...service, pipes: [...pipes.values()] };
}

export type SerializedOrganization = ReturnType<typeof serializeOrganization>;
export type SerializedService = ReturnType<typeof serializeService>;

export function deserializeOrganization(serialized: SerializedOrganization): Organization {
  return { ...serialized, services: new Map(), warehouses: new Set() };
}

export function deserializeService({ pipes, ...service }: SerializedService): Service {
  return { ...service, pipes: new Map(pipes.map((pipe) => [pipe.id, pipe])) };
}
