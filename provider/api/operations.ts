import type { z } from "zod";
import { alert, created, dashboards, organization, pipe, pipeSettings, service } from "./schemas";

/** Each has an address and an authorization of its own. */
export type Interface = "management" | "observability";

/** One operation of the API, as the specification's table lists it. */
export interface Operation<Result = unknown> {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly result: z.ZodType<Result>;
  readonly interface: Interface;
  /** The path parameter that the id in the result must repeat. */
  readonly answersFor?: string;
}

const ORGANIZATION = "/v1/organizations/{organizationId}";
const SERVICES = `${ORGANIZATION}/services`;
const SERVICE = `${SERVICES}/{serviceId}`;
const PIPE = `${SERVICE}/pipes/{pipeId}`;

const aService = { interface: "management", result: service, answersFor: "serviceId" } as const;
const aPipe = { interface: "management", result: pipe, answersFor: "pipeId" } as const;

export const operations = {
  createService: { method: "POST", path: SERVICES, interface: "management", result: created },
  getService: { method: "GET", path: SERVICE, ...aService },
  updateService: { method: "PATCH", path: SERVICE, ...aService },
  scaleService: { method: "PATCH", path: `${SERVICE}/replicaScaling`, ...aService },
  updateOrganization: {
    method: "PATCH",
    path: ORGANIZATION,
    interface: "management",
    result: organization,
    answersFor: "organizationId",
  },
  getPipe: { method: "GET", path: PIPE, ...aPipe },
  updatePipe: { method: "PATCH", path: PIPE, ...aPipe },
  getPipeSettings: { method: "GET", path: `${PIPE}/settings`, interface: "management", result: pipeSettings },
  getAlert: { method: "GET", path: "/api/v2/alerts/{id}", interface: "observability", result: alert, answersFor: "id" },
  getDashboards: { method: "GET", path: "/api/v2/dashboards", interface: "observability", result: dashboards },
} as const satisfies Record<string, Operation>;
