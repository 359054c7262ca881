import type { Organization, Service, State, StateChange } from "../state/state";
import { notFound } from "./api-error";
import type { ListOrder } from "./lists";
import { getOrganization, organizationResponse, updateOrganization } from "./organizations";
import { getPipe, updatePipe } from "./pipes";
import { createService, getService, scaleService, serviceResponse, updateService } from "./services";

export interface OperationInput {
  readonly state: State;
  /** Ids and body have passed their schemas. */
  readonly ids: Readonly<Record<"organizationId" | "serviceId" | "pipeId" | "id", string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly now: number;
  readonly order: ListOrder;
}

export interface OperationOutcome {
  readonly result: unknown;
  /** Still to be stored and applied to the state. */
  readonly change?: StateChange;
}

/** The API's operations, by `operationId`. */
export const operations: Readonly<Record<string, (input: OperationInput) => OperationOutcome>> = {
  createService({ state, ids, body, now }) {
    const organization = getOrganization(state, ids.organizationId);
    const { service, password } = createService(organization, body, now);
    return { result: { service: serviceResponse(service, organization), password }, change: { organization, service } };
  },
  getService(input) {
    const { organization, service } = findTarget(input);
    return { result: serviceResponse(service, organization) };
  },
  updateService(input) {
    const { organization, service } = findTarget(input);
    return serviceOutcome(organization, updateService(organization, service, input.body, input.order));
  },
  scaleService(input) {
    const { organization, service } = findTarget(input);
    return serviceOutcome(organization, scaleService(organization, service, input.body));
  },
  updateOrganization({ state, ids, body, order }) {
    const organization = updateOrganization(getOrganization(state, ids.organizationId), body, order);
    return { result: organizationResponse(organization), change: { organization } };
  },
  getPipe: (input) => ({ result: readPipe(input) }),
  getPipeSettings: (input) => ({ result: readPipe(input).settings }),
  updatePipe(input) {
    const { organization, service } = findTarget(input);
    const pipe = updatePipe(getPipe(service, input.ids.pipeId), input.body, input.now, input.order);
    const pipes = new Map(service.pipes).set(pipe.id, pipe);
    return { result: pipe, change: { organization, service: { ...service, pipes } } };
  },
  getAlert({ state, ids }) {
    const alert = state.alerts.get(ids.id);
    if (alert === undefined) throw notFound(`alert ${ids.id} does not exist`);
    return { result: alert };
  },
  getDashboards: ({ state }) => ({ result: state.dashboards }),
};

function findTarget({ state, ids }: OperationInput) {
  const organization = getOrganization(state, ids.organizationId);
  return { organization, service: getService(organization, ids.serviceId) };
}

function serviceOutcome(organization: Organization, service: Service): OperationOutcome {
  return { result: serviceResponse(service, organization), change: { organization, service } };
}

function readPipe(input: OperationInput) {
  const { service } = findTarget(input);
  return getPipe(service, input.ids.pipeId);
}
