import { createService } from "../api/services";
import { complaintAbout } from "../api/validation";
import type { RateLimit } from "../faults/rate-limit";
import type { FaultRule } from "../faults/rules";
import { type Alert, changeService, type Organization, type Pipe, standardOrganization, type World } from "./world";

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
    readonly pipes?: readonly Pipe[];
  }[];
};

/** A world as a seed describes it; a seed that is none is refused with what is wrong with it. */
export function worldFrom(seed: Seed, now: number): World {
  const complaint = complaintAbout("Seed", seed);
  if (complaint !== undefined) throw new Error(`the seed is not usable: ${complaint}`);
  const organizations = (seed.organizations ?? []).map((each) => seededOrganization(each, now));
  return {
    organizations: new Map(organizations.map((organization) => [organization.id, organization])),
    alerts: new Map((seed.alerts ?? []).map((alert) => [alert.id, alert])),
    dashboards: seed.dashboards ?? [],
  };
}

function seededOrganization({ services = [], ...given }: SeedOrganization, now: number): Organization {
  const organization: Organization = { ...standardOrganization(), ...structuredClone(given) };
  for (const { id, create = {}, pipes = [] } of services) {
    const { service } = createService(organization, create, now, id);
    changeService(organization, service, { pipes: new Map(pipes.map((pipe) => [pipe.id, pipe])) }, 0);
  }
  return organization;
}
