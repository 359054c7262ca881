import { badRequest } from "../operations/api-error";
import { createService } from "../operations/services";
import type { PipeResponse } from "../schema/pipe";
import type { Seed } from "../schema/seed";
import type { CreateService } from "../schema/service";
import {
  applyChange,
  createEmptyState,
  type Organization,
  type Pipe,
  type SeedOrganization,
  type State,
} from "../state/state";

/** The organization without a seed, and defaults for a seed's organizations. */
export const defaultOrganization: Organization = {
  id: "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
  tier: "SCALE",
  paid: true,
  createdAt: "2026-01-05T09:00:00.000Z",
  name: "Example organization",
  privateEndpoints: [
    { id: "vpce-0a1b2c3d4e5f60001", description: "production network" },
    { id: "vpce-0a1b2c3d4e5f60002", description: "office network" },
  ],
  byocConfig: [],
  backups: [],
};

/** Creates a state from a valid seed. */
export function createState(
  { organizations = [], alerts = [], dashboards = [] }: Seed,
  now: number,
): State {
  const state = createEmptyState(alerts, dashboards);
  for (const item of organizations) addOrganization(state, item, now);
  return state;
}

function addOrganization(
  state: State,
  { services = [], ...members }: SeedOrganization,
  now: number,
): void {
  const values = { ...defaultOrganization, ...members } as Organization;
  const backups = values.backups.map((backup) => ({ ...backup, id: backup.id.toLowerCase() }));
  const organization = { ...values, id: members.id.toLowerCase(), backups };
  if (state.organizations.has(organization.id)) {
    throw badRequest(`invalid seed: duplicate organization ${organization.id}`);
  }
  applyChange(state, { organization });
  for (const { id, create = {}, pipes = [] } of services) {
    const { service } = createService(
      state,
      organization,
      create as CreateService,
      now,
      id.toLowerCase(),
    );
    applyChange(state, {
      service: { ...service, pipes: pipes.map((pipe) => createPipe(pipe, service.id, now)) },
    });
  }
}

/** Creates a pipe, with defaults for omitted parts. */
function createPipe(members: PipeResponse, serviceId: string, now: number): Pipe {
  const { postgres, ...source } = members.source ?? {};
  const time = new Date(now).toISOString();
  return {
    name: members.id,
    state: "Running",
    scaling: { replicas: 1, concurrency: 1, replicaCpuMillicores: 1000, replicaMemoryGb: 4 },
    destination: {},
    fieldMappings: [],
    settings: {},
    createdAt: time,
    updatedAt: time,
    ...members,
    id: members.id.toLowerCase(),
    serviceId,
    source: { ...source, ...(postgres && { postgres: { tableMappings: [], ...postgres } }) },
  } as Pipe;
}
