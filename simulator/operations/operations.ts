import type { OperationId } from "../schema/api";
import type { UpdatePipe } from "../schema/pipe";
import type {
  CreateService,
  ReplicaScaling,
  UpdateOrganization,
  UpdateService,
} from "../schema/service";
import {
  type Organization,
  type Service,
  type State,
  type StateChange,
  serviceKey,
} from "../state/state";
import { notFound } from "./api-error";
import { type ListOrder, updateList, withDefaults } from "./lists";
import { pipeResponse, updatePipe } from "./pipes";
import { createService, scaleService, serviceResponse, updateService } from "./services";

export interface OperationInput {
  readonly state: State;
  /** Validated ids and body. */
  readonly ids: Readonly<Record<"organizationId" | "serviceId" | "pipeId" | "id", string>>;
  readonly body: unknown;
  readonly now: number;
  readonly order: ListOrder;
}

export interface OperationOutcome {
  readonly result: unknown;
  /** The change to store and then apply. */
  readonly change?: StateChange;
}

export const operations: Readonly<
  Record<OperationId, (input: OperationInput) => OperationOutcome>
> = {
  createService({ state, ids, body, now }) {
    const organization = getOrganization(state, ids.organizationId);
    const { service, password } = createService(state, organization, body as CreateService, now);
    return {
      result: { service: serviceResponse(service, organization), password },
      change: { service },
    };
  },
  getService(input) {
    const { organization, service } = findTarget(input);
    return { result: serviceResponse(service, organization) };
  },
  updateService(input) {
    const { organization, service } = findTarget(input);
    return serviceOutcome(
      organization,
      updateService(organization, service, input.body as UpdateService, input.order),
    );
  },
  scaleService(input) {
    const { organization, service } = findTarget(input);
    return serviceOutcome(
      organization,
      scaleService(organization, service, input.body as ReplicaScaling),
    );
  },
  updateOrganization({ state, ids, body, order }) {
    const current = getOrganization(state, ids.organizationId);
    const { privateEndpoints = {}, ...values } = body as UpdateOrganization;
    const endpoints = withDefaults(privateEndpoints, { description: "" });
    const organization: Organization = {
      ...current,
      ...values,
      privateEndpoints: updateList(current.privateEndpoints, endpoints, ({ id }) => id, order),
    };
    const { tier, paid, backups, ...result } = organization;
    return { result, change: { organization } };
  },
  getPipe: (input) => ({ result: pipeResponse(findPipe(input).pipe) }),
  getPipeSettings: (input) => ({ result: findPipe(input).pipe.settings }),
  updatePipe(input) {
    const { service, pipe } = findPipe(input);
    const updated = updatePipe(pipe, input.body as UpdatePipe, input.now, input.order);
    const pipes = service.pipes.map((other) => (other === pipe ? updated : other));
    return { result: pipeResponse(updated), change: { service: { ...service, pipes } } };
  },
  getAlert({ state, ids }) {
    const alert = state.alerts.get(ids.id);
    if (alert === undefined) throw notFound(`alert ${ids.id} does not exist`);
    return { result: alert };
  },
  getDashboards: ({ state }) => ({ result: state.dashboards }),
};

function getOrganization({ organizations }: State, id: string): Organization {
  const organization = organizations.get(id.toLowerCase());
  if (organization === undefined) throw notFound(`organization ${id} does not exist`);
  return organization;
}

function findTarget({ state, ids }: OperationInput) {
  const organization = getOrganization(state, ids.organizationId);
  const service = state.services.get(serviceKey(organization.id, ids.serviceId.toLowerCase()));
  if (service === undefined) throw notFound(`service ${ids.serviceId} does not exist`);
  return { organization, service };
}

function findPipe(input: OperationInput) {
  const { service } = findTarget(input);
  const pipe = service.pipes.find(({ id }) => id === input.ids.pipeId.toLowerCase());
  if (pipe === undefined) throw notFound(`pipe ${input.ids.pipeId} does not exist`);
  return { service, pipe };
}

function serviceOutcome(organization: Organization, service: Service): OperationOutcome {
  return { result: serviceResponse(service, organization), change: { service } };
}
