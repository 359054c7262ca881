import { badRequest } from "../operations/api-error";
import { createService } from "../operations/services";
import { type Alert, addService, defaultOrganization, type Organization, type Pipe, type State } from "../state/state";
import type { FaultRule } from "./fault-rules";
import type { RateLimit } from "./rate-limit";

/** The state that a simulator starts with: the document's `Seed`. */
export interface Seed {
  readonly organizations?: readonly SeedOrganization[];
  readonly alerts?: readonly Alert[];
  readonly dashboards?: State["dashboards"];
  readonly faults?: readonly FaultRule[];
  readonly rateLimit?: RateLimit;
}

type SeedOrganization = Partial<Omit<Organization, "services" | "warehouses">> & {
  readonly id: string;
  readonly services?: readonly {
    readonly id: string;
    readonly create?: Record<string, unknown>;
    readonly pipes?: readonly SeedPipe[];
  }[];
};

type SeedPipe = Partial<Pipe> & Pick<Pipe, "id">;

/** The state of a seed that matches its schema. */
export function createState(seed: Seed, now: number): State {
  const ids = (seed.organizations ?? []).map(({ id }) => id.toLowerCase());
  const duplicate = ids.find((id, index) => ids.indexOf(id) !== index);
  if (duplicate !== undefined) throw badRequest(`invalid seed: duplicate organization ${duplicate}`);
  const organizations = (seed.organizations ?? []).map((item) => createOrganization(item, now));
  return {
    organizations: new Map(organizations.map((organization) => [organization.id, organization])),
    alerts: new Map((seed.alerts ?? []).map((alert) => [alert.id, alert])),
    dashboards: seed.dashboards ?? [],
  };
}

function createOrganization({ services = [], ...members }: SeedOrganization, now: number): Organization {
  const values = { ...defaultOrganization(), ...structuredClone(members) };
  const backups = values.backups.map((backup) => ({ ...backup, id: backup.id.toLowerCase() }));
  const organization: Organization = { ...values, id: members.id.toLowerCase(), backups };
  for (const { id, create = {}, pipes = [] } of services) {
    const { service } = createService(organization, create, now, id.toLowerCase());
    const created = pipes.map((pipe) => createPipe(pipe, service.id, new Date(now).toISOString()));
    addService(organization, { ...service, pipes: new Map(created.map((pipe) => [pipe.id, pipe])) });
  }
  return organization;
}

/** Adds the parts that the seed leaves out. */
function createPipe(members: SeedPipe, serviceId: string, now: string): Pipe {
  const { postgres, ...source } = members.source ?? {};
  return {
    name: members.id,
    state: "Running",
    scaling: { replicas: 1, concurrency: 1, replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
    destination: {},
    fieldMappings: [],
    settings: {},
    createdAt: now,
    updatedAt: now,
    ...members,
    id: members.id.toLowerCase(),
    serviceId,
    source: { ...source, ...(postgres && { postgres: { tableMappings: [], ...postgres } }) },
  };
}
