import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ApiError, badRequest, toApiError } from "../operations/api-error";
import { type OperationInput, operations } from "../operations/operations";
import {
  type ApiOperation,
  apiOperations,
  type OperationId,
  parameterOf,
  schemeOf,
} from "../schema/api";
import { findError } from "../schema/shapes";
import type { Simulation } from "../simulation/simulation";
import type { Credentials, State } from "../state/state";
import { type ExecuteOptions, respond } from "./faults";

declare module "fastify" {
  interface FastifyRequest {
    /** The kind of the injected fault. */
    fault: string | undefined;
    /** The service that the request created or changed. */
    serviceId: string | undefined;
  }
}

const apiOperationList = Object.entries(apiOperations) as [OperationId, ApiOperation][];

/** The journal's status for a broken connection. */
const BROKEN = 0;

/** The journal contains requests to unknown API paths, but not to the page or the admin API. */
const API_PATHS = /^\/(v1|api)\//;

export function registerJournal(app: FastifyInstance, simulation: Simulation): void {
  app.decorateRequest("fault", undefined);
  app.decorateRequest("serviceId", undefined);
  app.addHook("onRequest", async (request, { raw }) => {
    if (!API_PATHS.test(request.url)) return;
    const startedAt = performance.now();
    // Unlike the framework's hook, this event is also emitted for broken connections.
    raw.once("close", () => {
      const { id: requestId, method, url: path, body = null, fault, serviceId } = request;
      simulation.journal.add({
        requestId,
        method,
        path,
        body,
        status: raw.writableFinished ? raw.statusCode : BROKEN,
        at: new Date(simulation.now()).toISOString(),
        milliseconds: Math.round(performance.now() - startedAt),
        ...(serviceId !== undefined && { serviceId }),
        ...(fault !== undefined && { fault }),
      });
    });
  });
}

/** Responds with 405 to a wrong method on an existing path, before reading the request. */
export function registerMethodCheck(app: FastifyInstance): void {
  const paths = apiOperationList.map(([, { path }]) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/?]+")}(\\?|$)`),
    methods: apiOperationList.flatMap(([, { method, path: other }]) =>
      other === path ? [method] : [],
    ),
  }));
  app.addHook("onRequest", async ({ is404, method, url }) => {
    const match = is404 && paths.find(({ pattern }) => pattern.test(url));
    if (!match) return;
    const allow = match.methods.join(", ").replace("GET", "GET, HEAD");
    throw new ApiError(
      405,
      "METHOD_NOT_ALLOWED",
      `${method} is not allowed on this path; use ${allow}`,
      { allow },
    );
  });
}

export function registerOperations(api: FastifyInstance, simulation: Simulation): void {
  for (const [operationId, operation] of apiOperationList) {
    const { method, path } = operation;
    const scheme = schemeOf(operation);
    api.route({
      method,
      url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
      onRequest: async ({ headers }) =>
        authenticate(headers.authorization, scheme, simulation.credentials),
      // Requests are counted before their bodies are read. Each scheme has one key.
      preParsing: async () => simulation.rateLimiter.admit(scheme, simulation.now()),
      async handler(request, reply) {
        const effect = simulation.faultRules.takeEffect(method, request.url);
        request.fault = effect?.kind;
        return respond(effect, reply, (options) =>
          execute(simulation, operationId, request, reply, options),
        );
      },
    });
  }
}

/** The response to a request, including refusals. */
async function execute(
  simulation: Simulation,
  operationId: OperationId,
  request: FastifyRequest,
  reply: FastifyReply,
  { transformBody = (body) => body, order = "removeFirst" }: ExecuteOptions = {},
): Promise<object> {
  try {
    const operation: ApiOperation = apiOperations[operationId];
    const ids = request.params as OperationInput["ids"];
    for (const [name, id] of Object.entries(ids)) assertValid(parameterOf(name), id, name);
    const body = transformBody(request.body);
    if (operation.body) assertValid(operation.body, body);
    const run = (state: State) =>
      operations[operationId]({ state, ids, body, now: simulation.now(), order });
    const { result, change } =
      operation.method === "GET" ? run(simulation.state) : await simulation.execute(run);
    if (change && "service" in change) request.serviceId = change.service.id;
    return schemeOf(operation) === "Bearer"
      ? { data: result }
      : { status: 200, requestId: request.id, result };
  } catch (error) {
    return errorResponse(error, request, reply);
  }
}

/** The body of an error response. Sets status and headers. */
export function errorResponse(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): object {
  const { status, code, message, headers } = toApiError(error);
  reply.code(status).headers(headers);
  return { requestId: request.id, error: `${code}: ${message}`, status };
}

export function assertValid(
  schema: Parameters<typeof findError>[0],
  value: unknown,
  root?: string,
): void {
  const error = findError(schema, value, root);
  if (error !== undefined) throw badRequest(error);
}

/** Throws a 401 unless the `Authorization` header is correct. */
function authenticate(
  header: string | undefined,
  scheme: ReturnType<typeof schemeOf>,
  { keyId, keySecret, accessToken }: Credentials,
): void {
  const expected =
    scheme === "Basic" ? Buffer.from(`${keyId}:${keySecret}`).toString("base64") : accessToken;
  const [, givenScheme = "", secret = ""] = /^(\S+) (.*)$/.exec(header ?? "") ?? [];
  if (givenScheme.toLowerCase() === scheme.toLowerCase() && secret === expected) return;
  throw new ApiError(401, "UNAUTHORIZED", "the key or token is missing or invalid", {
    "www-authenticate": scheme,
  });
}
