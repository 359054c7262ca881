import { type Change, type Organization, type Service, seenLate, type World } from "../world/world";
import type { Order } from "./lists";
import { organizationOf, shownOrganization, updateOrganization } from "./organizations";
import { changedPipe, pipeOf } from "./pipes";
import { notFound } from "./problem";
import { createService, scaleService, serviceOf, shownService, updateService } from "./services";

/** What an operation is asked. Ids and body have passed the document's schemas. */
export interface Call {
  readonly world: World;
  readonly ids: Readonly<Record<"organizationId" | "serviceId" | "pipeId" | "id", string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly now: number;
  /** Which half of a list's change comes first. */
  readonly order: Order;
  /** How late a reader learns of changes. */
  readonly lateSeconds: number;
}

/** What comes of it. */
export interface Outcome {
  readonly result: unknown;
  /** What has yet to be kept and made part of the world. */
  readonly changed?: Change;
}

/** What the API does, by the document's `operationId`. */
export const operations: Readonly<Record<string, (call: Call) => Outcome>> = {
  createService({ world, ids, body, now }) {
    const organization = organizationOf(world, ids.organizationId);
    const { service, password } = createService(organization, body, now);
    return { result: { service: shownService(service, organization), password }, changed: { organization, service } };
  },
  getService(call) {
    const { organization, service } = target(call);
    return { result: shownService(seenLate(service, call.lateSeconds, call.now), organization) };
  },
  updateService(call) {
    const { organization, service } = target(call);
    return changed(organization, updateService(organization, service, call.body, call.order));
  },
  scaleService(call) {
    const { organization, service } = target(call);
    return changed(organization, scaleService(organization, service, call.body));
  },
  updateOrganization({ world, ids, body, order }) {
    const organization = updateOrganization(organizationOf(world, ids.organizationId), body, order);
    return { result: shownOrganization(organization), changed: { organization } };
  },
  getPipe: (call) => ({ result: seenPipe(call) }),
  getPipeSettings: (call) => ({ result: seenPipe(call).settings }),
  updatePipe(call) {
    const { organization, service } = target(call);
    const pipe = changedPipe(pipeOf(service, call.ids.pipeId), call.body, call.now, call.order);
    const pipes = new Map(service.pipes).set(pipe.id, pipe);
    return { result: pipe, changed: { organization, service: { ...service, pipes } } };
  },
  getAlert({ world, ids }) {
    const alert = world.alerts.get(ids.id);
    if (alert === undefined) throw notFound(`alert ${ids.id} does not exist`);
    return { result: alert };
  },
  getDashboards: ({ world }) => ({ result: world.dashboards }),
};

function target({ world, ids }: Call) {
  const organization = organizationOf(world, ids.organizationId);
  return { organization, service: serviceOf(organization, ids.serviceId) };
}

function changed(organization: Organization, service: Service): Outcome {
  return { result: shownService(service, organization), changed: { organization, service } };
}

function seenPipe(call: Call) {
  return pipeOf(seenLate(target(call).service, call.lateSeconds, call.now), call.ids.pipeId);
}
