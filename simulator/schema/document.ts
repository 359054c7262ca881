import { adminSchemas } from "./admin";
import { type ApiOperation, apiOperations, schemeOf } from "./api-operations";
import { type JsonSchema, NUMBER, objectOf, schemaRef, TEXT, UUID } from "./json-schema";
import { observabilitySchemas } from "./observability";
import { organizationSchemas } from "./organization";
import { pipeSchemas } from "./pipe";
import { serviceSchemas } from "./service";

/** The OpenAPI document: the simulator validates with it and serves it; the build writes a copy to openapi.json. */

const schemas = {
  ...serviceSchemas,
  ...organizationSchemas,
  ...pipeSchemas,
  ...observabilitySchemas,
  Error: objectOf({ requestId: UUID, error: TEXT, status: NUMBER }, "requestId", "error", "status"),
  ...adminSchemas,
};

export type SchemaName = keyof typeof schemas;

function json(schema: JsonSchema) {
  return { "application/json": { schema } };
}

function errorResponse(description: string, headers?: JsonSchema) {
  return { description, ...(headers && { headers }), content: json(schemaRef("Error")) };
}

const HEADER = { schema: TEXT };
const responses = {
  BadRequest: errorResponse("The body or an id is invalid."),
  Unauthorized: errorResponse("The key or token is missing or invalid.", {
    "WWW-Authenticate": { required: true, ...HEADER },
  }),
  NotFound: errorResponse("The resource does not exist."),
  TooLarge: errorResponse("The body is larger than 1 MiB."),
  OtherType: errorResponse("The content type is not application/json."),
  TooMany: errorResponse("The key has reached its rate limit, if one is set.", {
    "Retry-After": HEADER,
    "X-RateLimit-Limit": HEADER,
    "X-RateLimit-Remaining": HEADER,
    "X-RateLimit-Reset": HEADER,
  }),
};

function parameter(name: string, description: string, schema: JsonSchema, example: string) {
  return { name, in: "path", required: true, description, schema, example };
}

const parameters = {
  organizationId: parameter(
    "organizationId",
    "The organization that owns the service.",
    UUID,
    "5e0d8c1a-4b7f-4a53-9c1e-2f6a7b8c9d01",
  ),
  serviceId: parameter("serviceId", "The service.", UUID, "a1b2c3d4-0001-4a53-9c1e-000000000001"),
  pipeId: parameter("pipeId", "The pipe.", UUID, "b1b2c3d4-0001-4a53-9c1e-000000000001"),
  id: parameter("id", "The alert.", TEXT, "alert-errors"),
};

function linksOf({ serviceId, next = [] }: ApiOperation) {
  const parameters = {
    organizationId: "$request.path.organizationId",
    serviceId: `$response.body#${serviceId}`,
  };
  return Object.fromEntries(next.map((operationId) => [operationId, { operationId, parameters }]));
}

function operationObject(operation: ApiOperation) {
  const { operationId, summary, body, result, next } = operation;
  const isBearer = schemeOf(operation) === "Bearer";
  const response = isBearer
    ? objectOf({ data: result }, "data")
    : objectOf({ status: NUMBER, requestId: UUID, result }, "status", "requestId", "result");
  const ref = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` });
  return {
    operationId,
    summary,
    ...(isBearer && { security: [{ bearer: [] }] }),
    ...(body && { requestBody: { required: true, content: json(schemaRef(body)) } }),
    responses: {
      200: { description: "Success.", content: json(response), ...(next && { links: linksOf(operation) }) },
      400: ref("BadRequest"),
      401: ref("Unauthorized"),
      404: ref("NotFound"),
      ...(body && { 413: ref("TooLarge"), 415: ref("OtherType") }),
      429: ref("TooMany"),
    },
  };
}

function pathsObject() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of apiOperations) {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const item = paths[operation.path] ?? {
      ...(names.length > 0 && { parameters: names.map((name) => ({ $ref: `#/components/parameters/${name}` })) }),
    };
    paths[operation.path] = { ...item, [operation.method.toLowerCase()]: operationObject(operation) };
  }
  return paths;
}

export const document = {
  openapi: "3.1.0",
  info: {
    title: "Cloud Database Management API (simulated)",
    version: "1.0.0",
    description: "The operations of the simulator. Requests and responses are validated with this document.",
  },
  security: [{ basic: [] }],
  paths: pathsObject(),
  components: {
    securitySchemes: { basic: { type: "http", scheme: "basic" }, bearer: { type: "http", scheme: "bearer" } },
    parameters,
    responses,
    schemas,
  },
};
