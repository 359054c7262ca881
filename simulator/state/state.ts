import type { PipeResponse } from "../schema/pipe";
import type { Alert, Dashboard, Seed } from "../schema/seed";
import type { CreateService, ReplicaScaling, UpdateService } from "../schema/service";

/** All objects of the simulated API, as plain JSON. A changed object is replaced. */
export interface State {
  readonly organizations: Map<string, Organization>;
  /** The services by `serviceKey`. */
  readonly services: Map<string, Service>;
  readonly alerts: ReadonlyMap<string, Alert>;
  readonly dashboards: readonly Dashboard[];
}

export interface Credentials {
  readonly keyId: string;
  readonly keySecret: string;
  readonly accessToken: string;
}

export type SeedOrganization = NonNullable<Seed["organizations"]>[number];

/** An organization with tier, payment, and backups for new services. */
export type Organization = Required<Omit<SeedOrganization, "services">>;

/** The members with defaults, which every service has. */
type Defaults = ReplicaScaling &
  Pick<CreateService, "ipAccessList" | "privateEndpointIds" | "dataWarehouseId" | "name">;

/** A service, including members that no response contains. */
export type Service = Omit<CreateService, "endpoints"> &
  Required<Defaults> &
  Pick<UpdateService, "transparentDataEncryptionKeyId"> & {
    readonly id: string;
    readonly organizationId: string;
    readonly createdAt: string;
    readonly isPrimary: boolean;
    /** The enabled protocols. */
    readonly protocols: readonly string[];
    readonly pipes: readonly Pipe[];
  };

/** A pipe, including a member that no response contains. */
export type Pipe = Required<PipeResponse> & {
  /** The source's secrets that were set, with the time. */
  readonly writeOnly?: readonly { readonly field: string; readonly setAt: string }[];
};

export type StateChange = { readonly service: Service } | { readonly organization: Organization };

export function serviceKey(organizationId: string, id: string): string {
  return `${organizationId}:${id}`;
}

/** A state without organizations and services. */
export function createEmptyState(
  alerts: readonly Alert[],
  dashboards: readonly Dashboard[],
): State {
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  return { organizations: new Map(), services: new Map(), alerts: byId, dashboards };
}

/** Makes a change visible. */
export function applyChange(state: State, change: StateChange): void {
  if ("organization" in change) {
    state.organizations.set(change.organization.id, change.organization);
  } else {
    const { service } = change;
    state.services.set(serviceKey(service.organizationId, service.id), service);
  }
}

/** The organizations with their services. */
export function describeOrganizations({ organizations, services }: State) {
  return [...organizations.values()].map((organization) => ({
    ...organization,
    services: [...services.values()].filter(
      ({ organizationId }) => organizationId === organization.id,
    ),
  }));
}
