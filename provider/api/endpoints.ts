import { z } from "zod";
import * as schemas from "./schemas";

/** An interface of the API, with its own address and authorization. */
export type Api = "management" | "observability";

/** An operation of the API as in the specification's table. */
export interface Operation<Result = unknown> {
  readonly method: "GET" | "PATCH" | "POST";
  readonly path: string;
  readonly result: z.ZodType<Result>;
  readonly api: Api;
  /** The path parameter that must equal the id in the result. */
  readonly idParameter?: string;
}

export type PathParameters = Readonly<Record<string, string>>;

const LAST_PARAMETER = /\{(\w+)\}[^{}]*$/;

/** A result's id must equal the last parameter of the path, except that of a new object. */
export function operationsOf(api: Api) {
  return <Result>(
    method: Operation["method"],
    path: string,
    result: z.ZodType<Result>,
  ): Operation<Result> => {
    const [, parameter] = LAST_PARAMETER.exec(path) ?? [];
    const hasId = method !== "POST" && result instanceof z.ZodObject && "id" in result.shape;
    return { method, path, result, api, ...(hasId && parameter && { idParameter: parameter }) };
  };
}

const management = operationsOf("management");
const observability = operationsOf("observability");

const ORGANIZATION = "/v1/organizations/{organizationId}";
const SERVICES = `${ORGANIZATION}/services`;
const SERVICE = `${SERVICES}/{serviceId}`;
const PIPE = `${SERVICE}/pipes/{pipeId}`;

export const endpoints = {
  createService: management("POST", SERVICES, schemas.created),
  getService: management("GET", SERVICE, schemas.service),
  updateService: management("PATCH", SERVICE, schemas.service),
  scaleService: management("PATCH", `${SERVICE}/replicaScaling`, schemas.service),
  updateOrganization: management("PATCH", ORGANIZATION, schemas.organization),
  getPipe: management("GET", PIPE, schemas.pipe),
  updatePipe: management("PATCH", PIPE, schemas.pipe),
  getPipeSettings: management("GET", `${PIPE}/settings`, schemas.pipeSettings),
  getAlert: observability("GET", "/api/v2/alerts/{id}", schemas.alert),
  getDashboards: observability("GET", "/api/v2/dashboards", schemas.dashboards),
} as const;

export type OperationId = keyof typeof endpoints;

/** An operation whose result is an object. */
export type ObjectOperation = Exclude<OperationId, "getDashboards">;

/** Looks up an operation for objects of any type. */
export function objectOperation(id: ObjectOperation): Operation<Readonly<Record<string, unknown>>> {
  return endpoints[id];
}
