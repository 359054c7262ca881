import { createService } from "./services";
import { complaintAbout } from "./validation";
import { type Organization, type Pipe, standardOrganization, type World } from "./world";

/** What a simulator starts with: the document's `Seed`. */
export interface Seed {
  readonly organizations?: readonly SeedOrganization[];
  readonly alerts?: World["alerts"];
  readonly dashboards?: World["dashboards"];
}

type SeedOrganization = Partial<Omit<Organization, "services">> & {
  readonly id: string;
  readonly services?: readonly {
    readonly id: string;
    readonly create?: Record<string, unknown>;
    readonly pipes?: readonly Pipe[];
  }[];
};

/** A world as a seed describes it; a seed that is none is refused with what is wrong with it. */
export function worldFrom(seed: Seed): World {
  const complaint = complaintAbout("Seed", seed);
  if (complaint !== undefined) throw new Error(`the seed is not usable: ${complaint}`);
  const organizations = (seed.organizations ?? []).map(organizationFrom);
  return {
    organizations: new Map(organizations.map((organization) => [organization.id, organization])),
    alerts: seed.alerts ?? [],
    dashboards: seed.dashboards ?? [],
  };
}

function organizationFrom({ services = [], ...given }: SeedOrganization): Organization {
  const organization: Organization = { ...standardOrganization(), ...structuredClone(given) };
  for (const { id, create = {}, pipes = [] } of services) {
    createService(organization, create, id);
    const service = organization.services.get(id);
    for (const pipe of pipes) service?.pipes.set(pipe.id, structuredClone(pipe));
  }
  return organization;
}
