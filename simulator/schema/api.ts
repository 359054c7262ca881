import { z } from "zod";
import { PipeResponse, PipeSettings, UpdatePipe } from "./pipe";
import { Alert, Dashboard, FaultRule, Seed } from "./seed";
import * as service from "./service";
import { count, id, text } from "./shapes";

/** The operations of the API, the source of routes and the OpenAPI document. */

export interface ApiOperation {
  readonly method: "GET" | "POST" | "PATCH";
  /** The path, with its parameters in braces. */
  readonly path: string;
  readonly result: z.ZodType;
  /** The schema of the body; absent for a read. */
  readonly body?: z.ZodType;
}

const ORGANIZATION = "/v1/organizations/{organizationId}";
const SERVICE = `${ORGANIZATION}/services/{serviceId}`;
const SCALING = `${SERVICE}/replicaScaling`;
const PIPE = `${SERVICE}/pipes/{pipeId}`;

const read = (path: string, result: z.ZodType): ApiOperation => ({ method: "GET", path, result });
const update = (path: string, body: z.ZodType, result: z.ZodType): ApiOperation => ({
  method: "PATCH",
  path,
  body,
  result,
});

export const apiOperations = {
  createService: {
    method: "POST",
    path: `${ORGANIZATION}/services`,
    body: service.CreateService,
    result: service.CreatedService,
  },
  getService: read(SERVICE, service.ServiceResponse),
  updateService: update(SERVICE, service.UpdateService, service.ServiceResponse),
  scaleService: update(SCALING, service.ReplicaScaling, service.ServiceResponse),
  updateOrganization: update(
    ORGANIZATION,
    service.UpdateOrganization,
    service.OrganizationResponse,
  ),
  getPipe: read(PIPE, PipeResponse),
  updatePipe: update(PIPE, UpdatePipe, PipeResponse),
  getPipeSettings: read(`${PIPE}/settings`, PipeSettings),
  getAlert: read("/api/v2/alerts/{id}", Alert),
  getDashboards: read("/api/v2/dashboards", z.array(Dashboard)),
} satisfies Record<string, ApiOperation>;

export type OperationId = keyof typeof apiOperations;

/** Ids are UUIDs in the management API and texts in the observability API. */
export function parameterOf(name: string): z.ZodType {
  return name === "id" ? text : id;
}

/** The management API uses a key, the observability API a token. */
export function schemeOf({ path }: ApiOperation): "Basic" | "Bearer" {
  return path.startsWith("/v1/") ? "Basic" : "Bearer";
}

/** The body of a successful response. */
export function responseOf(operation: ApiOperation): z.ZodType {
  const { result } = operation;
  if (schemeOf(operation) === "Bearer") return z.strictObject({ data: result });
  return z.strictObject({ status: count, requestId: id, result });
}

export function createDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, operation] of Object.entries<ApiOperation>(apiOperations)) {
    const { method, path, body } = operation;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const parameters = names.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: z.toJSONSchema(parameterOf(name)),
    }));
    paths[path] ??= { parameters };
    paths[path][method.toLowerCase()] = {
      operationId,
      security: [{ [schemeOf(operation)]: [] }],
      ...(body && { requestBody: { required: true, ...content(body) } }),
      responses: {
        200: { description: "Success", ...content(responseOf(operation)) },
        default: {
          description: "Error",
          ...content(z.strictObject({ requestId: id, error: text, status: count })),
        },
      },
    };
  }
  const scheme = (name: string) => ({ type: "http", scheme: name });
  return {
    openapi: "3.1.0",
    info: { title: "Cloud Database Management API (simulated)", version: "1.0.0" },
    paths,
    components: {
      securitySchemes: { Basic: scheme("basic"), Bearer: scheme("bearer") },
      schemas: { Seed: z.toJSONSchema(Seed), FaultRule: z.toJSONSchema(FaultRule) },
    },
  };
}

function content(schema: z.ZodType) {
  return { content: { "application/json": { schema: z.toJSONSchema(schema) } } };
}
