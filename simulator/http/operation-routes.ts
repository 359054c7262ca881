import type { FastifyInstance, FastifyRequest } from "fastify";
import { ApiError, badRequest } from "../operations/api-error";
import { type OperationInput, operations } from "../operations/operations";
import { findErrorAt } from "../operations/validation";
import { type ApiOperation, apiOperations, schemeOf } from "../schema/api-operations";
import type { Simulation } from "../simulation/simulation";
import { authenticate } from "./authentication";

/** A route for each operation of the API. Requests and responses are validated with the OpenAPI document. */
export function registerOperations(app: FastifyInstance, simulation: Simulation): void {
  for (const operation of apiOperations) registerOperation(app, simulation, operation);
}

/** Responds with 405 to another method on an existing path, before the request is read. */
export function registerMethodCheck(app: FastifyInstance): void {
  const paths = [...new Set(apiOperations.map(({ path }) => path))].map((path) => {
    const methods = apiOperations.filter((operation) => operation.path === path).map(({ method }) => method);
    const allow = methods.flatMap((method) => (method === "GET" ? [method, "HEAD"] : [method])).join(", ");
    return { pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`), allow };
  });
  app.addHook("onRequest", async ({ is404, method, url }) => {
    const match = is404 && paths.find(({ pattern }) => pattern.test(url));
    if (!match) return;
    const { allow } = match;
    throw new ApiError(405, "METHOD_NOT_ALLOWED", `${method} is not allowed on this path; use ${allow}`, { allow });
  });
}

const JSON_SCHEMA = ["content", "application/json", "schema"];

function registerOperation(app: FastifyInstance, simulation: Simulation, operation: ApiOperation): void {
  const { operationId, method, path } = operation;
  const execute = operations[operationId];
  if (execute === undefined) throw new Error(`operation ${operationId} is not implemented`);
  const scheme = schemeOf(operation);
  const documentPath = ["paths", path, method.toLowerCase()];

  app.route({
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
    config: { scheme },
    onRequest: async ({ headers }) => authenticate(headers.authorization, scheme, simulation.credentials),
    handler: async (request) => {
      assertValidIds(request);
      const body = request.faultHooks?.transformBody?.(request.body) ?? request.body;
      if (operation.body) {
        const error = findErrorAt([...documentPath, "requestBody", ...JSON_SCHEMA], body);
        if (error !== undefined) throw badRequest(error);
      }
      const run = () =>
        execute({
          state: simulation.state,
          ids: request.params as OperationInput["ids"],
          body: body as OperationInput["body"],
          now: simulation.clock.now(),
          order: "removeFirst",
          ...request.faultHooks?.input,
        });
      const outcome = method === "GET" ? run() : await simulation.execute(run);
      request.outcome = outcome;
      const { result } = outcome;
      const response = scheme === "Bearer" ? { data: result } : { status: 200, requestId: request.id, result };
      const error = findErrorAt([...documentPath, "responses", "200", ...JSON_SCHEMA], response);
      if (error !== undefined) throw new Error(`the response does not match its schema: ${error}`);
      return response;
    },
  });
}

function assertValidIds({ params }: FastifyRequest): void {
  for (const [name, id] of Object.entries(params as OperationInput["ids"])) {
    const error = findErrorAt(["components", "parameters", name, "schema"], id, name);
    if (error !== undefined) throw badRequest(error);
  }
}
