import { badRequest } from "../api/problem";
import { createService } from "../api/services";
import { complaintAbout } from "../api/validation";
import type { RateLimit } from "../faults/rate-limit";
import type { FaultRule } from "../faults/rules";
import { type Alert, addService, type Organization, type Pipe, standardOrganization, type World } from "./world";

/** What a simulator starts with: the document's `Seed`. */
export interface Seed {
  readonly organizations?: readonly SeedOrganization[];
  readonly alerts?: readonly Alert[];
  readonly dashboards?: World["dashboards"];
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

/** A world as a seed describes it; a seed that is none is refused with what is wrong with it. */
export function worldFrom(seed: Seed, now: number): World {
  const complaint = complaintAbout("Seed", seed);
  if (complaint !== undefined) throw badRequest(`the seed is not usable: ${complaint}`);
  const ids = (seed.organizations ?? []).map(({ id }) => id.toLowerCase());
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw badRequest(`the seed is not usable: organization ${twice} is there twice`);
  const organizations = (seed.organizations ?? []).map((each) => seededOrganization(each, now));
  return {
    organizations: new Map(organizations.map((organization) => [organization.id, organization])),
    alerts: new Map((seed.alerts ?? []).map((alert) => [alert.id, alert])),
    dashboards: seed.dashboards ?? [],
  };
}

function seededOrganization({ services = [], ...given }: SeedOrganization, now: number): Organization {
  const standard = { ...standardOrganization(), ...structuredClone(given) };
  const backups = standard.backups.map((backup) => ({ ...backup, id: backup.id.toLowerCase() }));
  const organization: Organization = { ...standard, id: given.id.toLowerCase(), backups };
  for (const { id, create = {}, pipes = [] } of services) {
    const { service } = createService(organization, create, now, id.toLowerCase());
    const seeded = pipes.map((pipe) => seededPipe(pipe, service.id, new Date(now).toISOString()));
    addService(organization, { ...service, pipes: new Map(seeded.map((pipe) => [pipe.id, pipe])) });
  }
  return organization;
}

/** A pipe has all of its parts, whatever the seed leaves out. */
function seededPipe(given: SeedPipe, serviceId: string, now: string): Pipe {
  const { postgres, ...source } = given.source ?? {};
  return {
    name: given.id,
    state: "Running",
    scaling: { replicas: 1, concurrency: 1, replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
    destination: {},
    fieldMappings: [],
    settings: {},
    createdAt: now,
    updatedAt: now,
    ...given,
    id: given.id.toLowerCase(),
    serviceId,
    source: { ...source, ...(postgres && { postgres: { tableMappings: [], ...postgres } }) },
  };
}
