import { type JsonSchema, listOf, schemaRef } from "./json-schema";

/** The operations of the API: a row for each, from which routes and openapi.json follow. */
export interface ApiOperation {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PATCH";
  /** With its parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** The schema of its body, by name; none for a read. */
  readonly body?: string;
  readonly result: JsonSchema;
  /** Where a response contains the id of a service, and which operations can follow with it. */
  readonly serviceId?: string;
  readonly next?: readonly string[];
}

const ORGANIZATION = "/v1/organizations/{organizationId}";
const SERVICE = `${ORGANIZATION}/services/{serviceId}`;
const PIPE = `${SERVICE}/pipes/{pipeId}`;

export const apiOperations: readonly ApiOperation[] = [
  {
    operationId: "createService",
    method: "POST",
    path: `${ORGANIZATION}/services`,
    summary: "Create a service in an organization",
    body: "CreateService",
    result: schemaRef("CreatedService"),
    serviceId: "/result/service/id",
    next: ["getService", "updateService", "scaleService"],
  },
  {
    operationId: "getService",
    method: "GET",
    path: SERVICE,
    summary: "Read a service",
    result: schemaRef("Service"),
  },
  {
    operationId: "updateService",
    method: "PATCH",
    path: SERVICE,
    summary: "Update a service",
    body: "UpdateService",
    result: schemaRef("Service"),
    serviceId: "/result/id",
    next: ["getService", "scaleService"],
  },
  {
    operationId: "scaleService",
    method: "PATCH",
    path: `${SERVICE}/replicaScaling`,
    summary: "Update a service's replica scaling",
    body: "ReplicaScaling",
    result: schemaRef("Service"),
    serviceId: "/result/id",
    next: ["getService"],
  },
  {
    operationId: "updateOrganization",
    method: "PATCH",
    path: ORGANIZATION,
    summary: "Update an organization",
    body: "UpdateOrganization",
    result: schemaRef("Organization"),
  },
  { operationId: "getPipe", method: "GET", path: PIPE, summary: "Read a pipe", result: schemaRef("Pipe") },
  {
    operationId: "updatePipe",
    method: "PATCH",
    path: PIPE,
    summary: "Update a pipe",
    body: "UpdatePipe",
    result: schemaRef("Pipe"),
  },
  {
    operationId: "getPipeSettings",
    method: "GET",
    path: `${PIPE}/settings`,
    summary: "Read a pipe's settings",
    result: schemaRef("PipeSettings"),
  },
  {
    operationId: "getAlert",
    method: "GET",
    path: "/api/v2/alerts/{id}",
    summary: "Read an alert",
    result: schemaRef("Alert"),
  },
  {
    operationId: "getDashboards",
    method: "GET",
    path: "/api/v2/dashboards",
    summary: "List dashboards",
    result: listOf(schemaRef("Dashboard")),
  },
];

export type Scheme = "Basic" | "Bearer";

/** The management API uses a key, the observability API a token. */
export function schemeOf({ path }: ApiOperation): Scheme {
  return path.startsWith("/v1/") ? "Basic" : "Bearer";
}
