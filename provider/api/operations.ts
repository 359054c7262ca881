import type { z } from "zod";
import { alert, created, dashboards, organization, pipe, pipeSettings, service } from "./schemas";

/** Each has an address and an authorization of its own. */
export type Api = "management" | "observability";

/** One operation of the API, as the specification's table lists it. */
export interface Operation<Result = unknown> {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly result: z.ZodType<Result>;
  readonly api: Api;
  /** The path parameter that the id in the result must repeat. */
  readonly idParameter?: string;
}

const ORGANIZATION = "/v1/organizations/{organizationId}";
const SERVICES = `${ORGANIZATION}/services`;
const SERVICE = `${SERVICES}/{serviceId}`;
const PIPE = `${SERVICE}/pipes/{pipeId}`;

const aService = { api: "management", result: service, idParameter: "serviceId" } as const;
const aPipe = { api: "management", result: pipe, idParameter: "pipeId" } as const;

export const operations = {
  createService: { method: "POST", path: SERVICES, api: "management", result: created },
  getService: { method: "GET", path: SERVICE, ...aService },
  updateService: { method: "PATCH", path: SERVICE, ...aService },
  scaleService: { method: "PATCH", path: `${SERVICE}/replicaScaling`, ...aService },
  updateOrganization: {
    method: "PATCH",
    path: ORGANIZATION,
    api: "management",
    result: organization,
    idParameter: "organizationId",
  },
  getPipe: { method: "GET", path: PIPE, ...aPipe },
  updatePipe: { method: "PATCH", path: PIPE, ...aPipe },
  getPipeSettings: { method: "GET", path: `${PIPE}/settings`, api: "management", result: pipeSettings },
  getAlert: { method: "GET", path: "/api/v2/alerts/{id}", api: "observability", result: alert, idParameter: "id" },
  getDashboards: { method: "GET", path: "/api/v2/dashboards", api: "observability", result: dashboards },
} as const satisfies Record<string, Operation>;
